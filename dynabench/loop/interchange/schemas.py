"""What a replay tells: what the platform derives, beside what the source says."""

from uuid import UUID

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.validations.schemas import AgreementRead, ErrorRateRead, RateRead
from dynabench.loop.validations.values import Verdict


class ComparisonRead(WireModel):
    """What the source says of its records, beside what is derived here.

    Both count values (a verdict, a gold label, whether it fooled) over the records of which
    the source says something; `derived_the_same` counts record by record. The first records
    that differ are named.
    """

    what: str
    records: int
    source: dict[str, int]
    derived: dict[str, int]
    derived_the_same: int
    differing: list[str]


class TwinRead(WireModel):
    """A record that is too close to an earlier one; `similarity` is null for the very same."""

    uid: str
    resembles: str
    similarity: float | None


class TwinsRead(WireModel):
    """The duplicates of a round: all of them are kept, the first are named."""

    same: int
    near: int
    first: list[TwinRead]


class LeftRead(WireModel):
    """Records that an earlier run stored with other content, which was left; first ones named."""

    records: int
    first: list[str]


class ReplayedExampleRead(WireModel):
    """What the platform derives for one record; null where its source cannot tell."""

    uid: str
    verdict: Verdict | None
    gold: Values | None
    fooled: bool | None
    agrees_with_author: bool | None
    votes: int


class ReplayedRoundRead(WireModel):
    """One round of a collection as it is now.

    `examples_added` and `votes_added` are of this run; the other numbers are of everything
    that the files hold, whichever run stored it.
    """

    round_id: UUID
    number: int
    people_are_known: bool
    records: int
    examples_added: int
    votes: int
    votes_added: int
    verdicts: dict[Verdict, int] | None
    verdicts_reason: str | None
    model_right: RateRead
    error_rate: ErrorRateRead
    agreement: AgreementRead
    comparisons: list[ComparisonRead]
    duplicates: TwinsRead
    left_as_they_were: LeftRead
    examples: list[ReplayedExampleRead]


class ReplayRead(WireModel):
    """A replayed collection."""

    format: SourceFormat
    title: str
    task_slug: str
    rounds: list[ReplayedRoundRead]
