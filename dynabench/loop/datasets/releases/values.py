"""What a release is decided over and what it decides."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import Split
from dynabench.loop.validations.folds.values import Tally


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An example that may be released, as far as splitting must know it.

    Attributes:
        uid: Its name in the dataset.
        context: The digest of its context, in hexadecimal.
        annotator: Who wrote it, by any key that names one person.
        label: Its gold label; None where the task has no single label.
        is_eligible: Whether it may be in dev or test: it fooled, and others verified it.
    """

    uid: str
    context: str
    annotator: str
    label: str | None
    is_eligible: bool


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
class Collected:
    """An example of the round with everything that its item will say."""

    candidate: Candidate
    context: Values
    inputs: Values
    gold: Values
    tags: tuple[str, ...]
    is_fooling: bool | None
    is_verified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What the card says about where the examples come from.

    Attributes:
        targets: The target models' names, versions and digests.
        tallies: The round's counts, one per annotator.
        people_are_known: Whether the authors are people and not pseudonyms of single records.
        stored: How many attempts the round holds.
        excluded: How many of them could not become candidates, and why.
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
    stored: int
    excluded: Mapping[Exclusion, int]
