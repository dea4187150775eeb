"""Wire shapes of suspected errors."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.suspicions.values import Finding
from dynabench.loop.validations.schemas import OutcomeRead


class ResponseEvidenceRead(WireModel):
    """Strong models get it wrong and weak ones right.

    Attributes:
        correlation: Between being right on it and a model's ability, from -1 to 0.
        models: How many models that is.
        strongest_wrong: The most able models that are wrong.
        weakest_right: The least able models that are right.
    """

    correlation: float
    models: int
    strongest_wrong: list[str]
    weakest_right: list[str]


class VoteEvidenceRead(WireModel):
    """Votes weighed by how reliable each validator is say something else.

    Attributes:
        label: What they say instead.
        probability: How likely the answer is that counts, from 0 to 100.
        votes: How many votes there are.
    """

    label: str
    probability: float
    votes: int


class SuspicionRead(WireModel):
    """A released example whose gold answer may be wrong, with everything known of it."""

    example: OutcomeRead
    version_id: UUID
    responses: ResponseEvidenceRead | None
    votes: VoteEvidenceRead | None
    raised_at: datetime
    settled_at: datetime | None
    settled_by: str | None
    finding: Finding | None


class SuspicionPage(WireModel):
    """A page of suspected errors of a round, and how many there are of each kind.

    Attributes:
        open: Nobody has looked yet.
        right: An expert found the gold answer right.
        wrong: An expert found it wrong: the release's errata.
    """

    items: list[SuspicionRead]
    next_cursor: str | None
    open: int
    right: int
    wrong: int


class SuspicionSettle(WireModel):
    """What an expert found: whether the gold answer is right. The latest counts."""

    finding: Finding
