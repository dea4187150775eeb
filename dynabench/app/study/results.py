"""What a study finds, as it is kept: numbers alone, no text of any collection."""

from pydantic import BaseModel, ConfigDict

from dynabench.app.study.values import Arm, SetKind


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RoundPlayed(_Kept):
    """A round of the adversarial arm.

    Attributes:
        shown: How many items the target was shown.
        fooled: The names of those that fooled it.
        first_fooled: How many of them would have fooled the first model.
        verified: How many fooled and were confirmed.
    """

    shown: int
    fooled: list[str]
    first_fooled: int
    verified: int
    train: int
    dev: int
    test: int
    held_out: int
    labels: dict[str, int]


class RoundDrawn(_Kept):
    """A round of the control arm.

    Attributes:
        fooled: How many of the items shown would have fooled the control's model.
        train: As many as the adversarial arm has.
        shared: How many of them the adversarial arm learns from too.
    """

    fooled: int
    train: int
    shared: int
    labels: dict[str, int]


class SetScored(_Kept):
    """A scored set: for each item its context's number, for each model which are right.

    Attributes:
        right: A text of 0 and 1 per model, those of the arm in the order of training.
    """

    name: str
    kind: SetKind
    contexts: list[int]
    right: list[str]


class ArmPlayed(_Kept):
    """One arm of one seed, with everything needed to compare it to the other."""

    study: str
    seed: int
    arm: Arm
    rounds: list[RoundPlayed | RoundDrawn]
    sets: list[SetScored]
    input_only: float | None
    majority: float


class RoundNumbers(_Kept):
    """A round of both arms; `*_fooled` count what would have fooled whom of all shown."""

    shown: int
    fooled: int
    first_fooled: int
    control_fooled: int
    verified: int
    train: int
    dev: int
    test: int
    held_out: int
    shared_with_control: int
    labels: dict[Arm, dict[str, int]]


class Paired(_Kept):
    """Adversarial minus control, item by item and clustered by context."""

    difference: float
    low: float | None
    high: float | None
    p_value: float | None


class SetNumbers(_Kept):
    """A set's accuracies after 0, 1, … rounds, from 0 to 1; None where it holds nothing."""

    name: str
    kind: SetKind
    items: int
    contexts: int
    accuracy: dict[Arm, list[float | None]]
    paired: Paired | None


class SeedNumbers(_Kept):
    """What one seed says."""

    seed: int
    rounds: list[RoundNumbers]
    sets: list[SetNumbers]
    input_only: dict[Arm, float] | None
    majority: float


class Counts(_Kept):
    """How large the material is."""

    base: int
    pool: int
    pool_contexts: int
    pool_voted: int
    pool_found_wrong: int
    left_out: dict[str, int]


class StudyNumbers(_Kept):
    """All seeds of one loop."""

    study: str
    title: str
    settings: dict[str, str | int | bool]
    data: str
    counts: Counts
    seeds: list[SeedNumbers]
