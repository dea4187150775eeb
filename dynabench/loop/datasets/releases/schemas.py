"""Wire shapes of releases: what one would hold, and one that waits."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import WireModel
from dynabench.loop.datasets.releases.values import Exclusion, MissingPart
from dynabench.loop.datasets.schemas import ReleaseSeed, ShareOfOthers, SplitShare
from dynabench.loop.datasets.values import SHARE_OF_OTHERS, Split


class ReleasePlanQuery(WireModel):
    """How the release would be made; see `ReleaseRequest`."""

    seed: ReleaseSeed = 0
    dev_share: SplitShare = None
    test_share: SplitShare = None
    share_of_others: ShareOfOthers = SHARE_OF_OTHERS
    apart_from_earlier: bool = True


class PlannedSplitRead(WireModel):
    """What a split would hold; `annotators` is null where people are not known."""

    split: Split
    items: int
    fooling: int
    verified: int
    contexts: int
    annotators: int | None
    labels: dict[str, int]


class MissingRead(TellingModel):
    """What a release should have and this one would not."""

    code: MissingPart
    sentence: str
    sentence_told: Told | None = None


class ExclusionRead(WireModel):
    """How many examples are in no split, and why."""

    reason: Exclusion
    examples: int


class ReleasePlanRead(TellingModel):
    """What a round's release would hold if it were made now.

    Attributes:
        stored: All attempts of the round.
        splits: What each split would hold.
        test_only_annotators: How many people would write for test alone.
        open_verdicts: Examples that wait for a verdict.
        disputed: Examples that wait for an expert; they are released unverified.
        missing: Why it is refused unless that is allowed; empty for a whole release.
        notes: What could not be had, as the card would say it.
        exclusions: Why examples are left out, most frequent first.
    """

    round_id: UUID
    seed: int
    stored: int
    splits: list[PlannedSplitRead]
    test_only_annotators: int
    open_verdicts: int
    disputed: int
    missing: list[MissingRead]
    notes: list[str]
    notes_told: list[Told | None] = []
    exclusions: list[ExclusionRead]


class ReleaseOrderRead(WireModel):
    """A release that is made as soon as the last open verdict is in."""

    round_id: UUID
    seed: int
    licence: str
    allow_incomplete: bool
    open_verdicts: int
    created_at: datetime
