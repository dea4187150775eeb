"""The parts of a task config: fields and metrics, as they were read and linked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.mapping_reader import Text


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the context, the input or the output.

    `is_shown_to_model` is False where people alone see it: no model is sent its value.
    """

    name: str
    type: FieldType
    display_name: Text | None = None
    placeholder: Text | None = None
    is_shown_to_model: bool = True


class VoteCondition(StrEnum):
    """After which vote a validator is asked something."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    FLAGGED = "flagged"


@dataclass(frozen=True, slots=True)
class MetadataField:
    """Something that is asked beside the example; it is never required.

    `model_wrong` is about whether the model was fooled, `vote` about what the validator
    chose; None asks always.
    """

    field: Field
    model_wrong: bool | None = None
    vote: VoteCondition | None = None

    @property
    def name(self) -> str:
        """The field's name."""
        return self.field.name


class FoolingRule(StrEnum):
    """How it is decided that a model is wrong."""

    EXACT_MATCH = "exact_match"
    STRING_F1 = "string_f1"
    ASK_USER = "ask_user"
    RUBRIC = "rubric"


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that an answer must not break, as the judge and the author read it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ModelWrongMetric:
    """The rule for "fooled".

    `threshold` is set for `string_f1` alone, `judge` (the name of a model of the task) and
    `criteria` for `rubric` alone.
    """

    rule: FoolingRule
    reference_names: tuple[str, ...] = ()
    threshold: float | None = None
    judge: str | None = None
    criteria: tuple[Criterion, ...] = ()


@dataclass(frozen=True, slots=True)
class PerfMetric:
    """A performance metric over one output field, or over the choices in one chat."""

    name: str
    reference_name: str | None = None


@dataclass(frozen=True, slots=True)
class TrainFileMetric:
    """How models are trained on submitted examples: one for each seed.

    `labels` are those that are scored; None scores all that the test items have.
    """

    reference_name: str
    seeds: tuple[int, ...]
    labels: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DeltaMetric:
    """Fairness or robustness, and which texts are changed to measure it (none: all)."""

    name: str
    perturb_fields: tuple[str, ...] = ()
    transforms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AggregationMetric:
    """How the board combines metrics, and the weights it opens with."""

    name: str = "dynascore"
    default_weights: Mapping[str, float] = field(default_factory=dict)
