"""What a release is decided over and what it decides."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import Split
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.folds.values import Tally
from dynabench.science.statistics.agreement import Agreement

SHARE = 10
"""Dev and test are each at most one part in so many of the verified fooling examples."""

CONTEXTS_FOR_TEST = 2
"""On fewer contexts nothing can be kept apart from train."""


def seeded_order(seed: int, purpose: str, key: str) -> bytes:
    """Return what to sort keys by: an order by chance that a seed repeats."""
    return hashlib.sha256(f"{seed}\0{purpose}\0{key}".encode()).digest()


class Exclusion(StrEnum):
    """Why an example of the round is in no split."""

    RETRACTED = "retracted"
    VOIDED = "voided"
    FLAGGED = "flagged"
    INCORRECT = "incorrect"
    # Neither its author's answer nor a verified one is known.
    NO_ANSWER = "no_answer"
    # It is on a context of dev or test and no part of it: contexts never cross splits.
    CONTEXT_HELD_OUT = "context_held_out"
    # Its author writes for test alone, and it is not in test.
    ANNOTATOR_HELD_OUT = "annotator_held_out"
    # An earlier release of the task has its context in another split, or its author in test.
    EARLIER_RELEASE = "earlier_release"


class MissingPart(StrEnum):
    """What a round has not and a release should have."""

    VERIFIED = "too_few_verified"
    CONTEXTS = "one_context"
    TEST = "no_test"
    DEV = "no_dev"
    ANNOTATORS = "one_annotator"
    LABELS = "one_label"


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a release should have, in a sentence."""

    code: MissingPart
    sentence: str


class Attempt(NamedTuple):
    """One stored attempt as far as a release must know it before it is chosen.

    Attributes:
        uid: Its name in the dataset.
        context: The SHA-256 of its context.
        annotator: Its author's id.
        label: Its gold label; None where the task has no single label.
        verdict: What its votes add up to.
        fooled: Whether it fooled; None where nobody can tell.
        arm: What its author was shown.
        is_wanted: Whether validators are asked about it.
        is_answered: Whether its author's answer or a verified one is known.
    """

    uid: str
    context: bytes
    annotator: str
    label: str | None
    verdict: str
    fooled: bool | None
    arm: str
    is_wanted: bool
    is_voided: bool
    is_flagged: bool
    is_retracted: bool
    is_answered: bool


class Content(NamedTuple):
    """What an item says, as JSON texts."""

    uid: str
    context: str
    inputs: str
    gold: str
    tag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An example that may be released, as far as splitting and counting must know it.

    Attributes:
        uid: Its name in the dataset.
        context: The digest of its context, in hexadecimal.
        annotator: Who wrote it, by any key that names one person.
        label: Its gold label; None where the task has no single label.
        is_eligible: Whether it may be in dev or test: it fooled the round's targets, which
            its author saw, and others verified it.
        is_other: Whether it may stand in dev or test beside those: it did not fool the targets,
            which its author saw, and others verified it.
        is_fooling: Whether it fooled; None where nobody can tell.
        is_verified: Whether other people found its answer right.
        is_open: Whether it still waits for its verdict.
        arm: What its author was shown.
    """

    uid: str
    context: str
    annotator: str
    label: str | None
    is_eligible: bool
    is_other: bool = False
    is_fooling: bool | None = None
    is_verified: bool = False
    is_open: bool = False
    arm: Arm = Arm.TARGET


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where each candidate goes; every candidate is in exactly one of the two maps.

    Attributes:
        splits: The split of each released candidate, by uid.
        held_out: Why the others are not released, by uid.
        test_only_annotators: Whose examples are in test and nowhere else.
        notes: Sentences about what could not be had, for the card.
    """

    splits: Mapping[str, Split]
    held_out: Mapping[str, Exclusion]
    test_only_annotators: frozenset[str]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The attempts of a round, with all that is known before one is chosen.

    Attributes:
        candidates: Those that may be released.
        excluded: How many of the others there are, and why.
        arms: How many attempts were stored in each arm.
    """

    candidates: Sequence[Candidate]
    excluded: Mapping[Exclusion, int]
    arms: Mapping[Arm, int]

    @property
    def stored(self) -> int:
        """How many attempts the round holds."""
        return sum(self.arms.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpent:
    """How long a round's attempts at its targets took.

    Attributes:
        attempts: How many there are.
        timed: Of how many the time is known.
        seconds: How long those took together.
        validated_fooling: How many of them fooled and were verified.
        median: The median of the time that those took; None if there is none.
    """

    attempts: int
    timed: int
    seconds: float
    validated_fooling: int
    median: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Erratum:
    """A released item whose right answer experts found wrong.

    Attributes:
        release: The name of the release that holds it, which never changes.
        version: Its version.
        uid: The item's name there.
    """

    release: str
    version: int
    uid: str
    split: Split


@dataclass(frozen=True, slots=True, kw_only=True)
class Errata:
    """What experts found of the released answers of a task that were suspected.

    Attributes:
        wrong: The items whose answer they found wrong, release by release.
        withheld: How many more they found wrong, whose answers are withheld.
        right: How many of those that they looked at were right.
    """

    wrong: Sequence[Erratum] = ()
    withheld: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the card says about where the examples come from.

    Attributes:
        targets: The target models' names, versions and digests.
        tallies: The round's counts, one per annotator.
        people_are_known: Whether the authors are people and not pseudonyms of single records.
        provenance: Where a round that was collected elsewhere comes from.
        errata: What experts found wrong in the task's earlier releases.
        agreement: How far its validators agree.
        time_spent: How long its attempts took.
    """

    round_id: UUID
    round_number: int
    task_slug: str
    title: str
    language: str
    content_warning: str | None
    targets: tuple[Values, ...]
    gold_from: str
    is_replay: bool
    people_are_known: bool
    tallies: tuple[Tally, ...]
    agreement: Agreement
    time_spent: TimeSpent
    provenance: Values | None = None
    errata: Errata = field(default_factory=Errata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under what an owner releases, beside the examples themselves.

    Attributes:
        shares: What dev and test take of the verified fooling examples, where it was said.
        missing: What the release has not, and was let out without.
        artifacts: What the inputs alone give away (`cards.artifacts`).
    """

    seed: int
    licence: str
    shares: Values = field(default_factory=dict)
    missing: Sequence[Missing] = ()
    artifacts: Values = field(default_factory=dict)
