"""Wire shapes of scales: models and rounds in logits, with how sure each number is.

What is not known is null, and a sentence beside it says why.
"""

from datetime import datetime
from uuid import UUID

from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import WireModel


class EstimateRead(WireModel):
    """A number and its 95 % interval, null where too few people or items give one."""

    value: float
    low: float | None
    high: float | None


class PairsRead(WireModel):
    """So many of so many pairs of models; `value` is from 0 to 100, null without a pair."""

    value: float | None
    part: int
    whole: int


class SeparabilityRead(TellingModel):
    """How well a set tells models apart.

    Attributes:
        models: The models that were scored on it, without its round's own targets.
        told_apart: Pairs that differ by a paired test, corrected by Holm.
        by_intervals: Pairs whose own intervals do not overlap.
        reason: Why there is nothing.
    """

    models: int
    told_apart: PairsRead
    by_intervals: PairsRead
    reason: str | None
    reason_told: Told | None = None


class SetAgreementRead(TellingModel):
    """Whether a set orders models as all other sets together do.

    Attributes:
        value: (agreeing - opposed) / pairs, from -1 to 1; a pair of which either side is unsure
            counts 0.
        agreeing: Pairs that both surely order alike.
        opposed: Pairs that both surely order, and not alike.
        pairs: Pairs that were scored here and elsewhere.
        models: The models in them.
        reason: Why there is nothing.
    """

    value: float | None
    agreeing: int
    opposed: int
    pairs: int
    models: int
    reason: str | None
    reason_told: Told | None = None


class ScaledSetRead(WireModel):
    """A release or an uploaded set.

    Attributes:
        round_number: The round that it comes from; null for an uploaded set.
        items: Its test items.
        difficulty: The mean difficulty of its items, on the scale of the models.
        spread: The standard deviation of its items' difficulties.
        targets: Models that are left out here, as its round was collected against them.
    """

    version_id: UUID
    name: str
    version: int
    round_number: int | None
    items: int
    difficulty: EstimateRead | None
    spread: float | None
    targets: list[str]
    separability: SeparabilityRead
    agreement: SetAgreementRead


class ScaledModelRead(WireModel):
    """A published model.

    Attributes:
        ability: θ in logits; 0 is the average of these models.
        sets: On how many sets it was scored.
        expected: The share of each set's items that it is expected to get right, 0 to 100, in
            the order of the sets; also where it was never scored.
    """

    id: UUID
    name: str
    version: int
    ability: EstimateRead
    sets: int
    expected: list[EstimateRead]


class StrengthRead(WireModel):
    """How hard a target is to fool, in logits, for the average annotator."""

    model_id: UUID
    name: str
    version: int
    strength: EstimateRead
    attempts: int


class CorrectedRateRead(TellingModel):
    """A round's model error rate, as it is and corrected for who played, from 0 to 100.

    Attributes:
        observed: Fooled by attempts.
        corrected: What all annotators of the task would have reached on average.
        reason: Why there is none.
    """

    round_number: int
    attempts: int
    annotators: int
    observed: float | None
    corrected: EstimateRead | None
    reason: str | None
    reason_told: Told | None = None


class SkillRead(WireModel):
    """How good somebody is at fooling models, in logits; 0 is the average person."""

    username: str
    skill: EstimateRead
    attempts: int


class ContestRead(TellingModel):
    """Who fooled what.

    Attributes:
        models: The targets, hardest to fool first.
        rounds: Closed and released rounds, in order.
        annotators: Everybody, most skilled first; for owners, else null.
        mine: The reader's own.
        reason: Why there is nothing.
    """

    models: list[StrengthRead]
    rounds: list[CorrectedRateRead]
    annotators: list[SkillRead] | None
    mine: SkillRead | None
    reason: str | None
    reason_told: Told | None = None


class ScaleRead(TellingModel):
    """A task's models and rounds on one scale.

    Attributes:
        metric: The task's principal metric.
        has_discrimination: Whether items differ in how well they tell models apart: from 20
            models on.
        models: Most able first; empty where there is no scale.
        sets: Released rounds in order, then uploaded sets.
        reason: Why models and sets are on no scale.
        notes: What a reader must know.
        as_of: When it was computed; null while it never was.
        is_current: Whether everything that is there went into it.
    """

    task_slug: str
    metric: str
    has_discrimination: bool
    models: list[ScaledModelRead]
    sets: list[ScaledSetRead]
    contest: ContestRead
    reason: str | None
    reason_told: Told | None = None
    notes: list[str]
    notes_told: list[Told | None] = []
    as_of: datetime | None
    is_current: bool


class StoredModel(WireModel):
    """A model's place on the scale, as it is stored."""

    id: UUID
    ability: EstimateRead
    sets: int
    expected: list[EstimateRead]


class StoredSet(WireModel):
    """A set's place on the scale, as it is stored; its targets are ids."""

    version_id: UUID
    name: str
    version: int
    round_number: int | None
    items: int
    difficulty: EstimateRead | None
    spread: float | None
    targets: list[UUID]
    separability: SeparabilityRead
    agreement: SetAgreementRead


class StoredStrength(WireModel):
    """A target's strength, as it is stored."""

    model_id: UUID
    strength: EstimateRead
    attempts: int


class StoredSkill(WireModel):
    """Somebody's skill, as it is stored."""

    annotator_id: UUID
    skill: EstimateRead
    attempts: int


class StoredContest(TellingModel):
    """What attempts say, as it is stored."""

    models: list[StoredStrength]
    rounds: list[CorrectedRateRead]
    annotators: list[StoredSkill]
    reason: str | None
    reason_told: Told | None = None


class StoredScale(TellingModel):
    """A scale as it is stored, for no reader in particular."""

    metric: str
    has_discrimination: bool
    models: list[StoredModel]
    sets: list[StoredSet]
    contest: StoredContest
    reason: str | None
    reason_told: Told | None = None
    notes: list[str]
    notes_told: list[Told | None] = []
