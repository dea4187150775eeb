"""What fine-tuning is told, as the learning process's order says it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType

from dynabench.engines.baselines.options import OptionKind, RecipeOption

CLASSIFICATION = "text-classification"
QUESTION_ANSWERING = "question-answering"

CLASSES: Mapping[str, str] = MappingProxyType(
    {
        CLASSIFICATION: "AutoModelForSequenceClassification",
        QUESTION_ANSWERING: "AutoModelForQuestionAnswering",
    }
)
"""How the library calls what each kind of answer needs."""

OPTIONS = (
    RecipeOption(
        name="checkpoint",
        title="Checkpoint",
        description="What to start from: a folder of the operator's checkpoints, or a model's id "
        "on the hub, organisation/name.",
        kind=OptionKind.TEXT,
        is_needed=True,
    ),
    RecipeOption(
        name="revision",
        title="Revision",
        description="Which branch, tag or commit of a model on the hub; empty is its newest.",
        kind=OptionKind.TEXT,
    ),
    RecipeOption(
        name="epochs",
        title="Epochs",
        description="How many times everything is learned from.",
        kind=OptionKind.WHOLE_NUMBER,
        default=3,
        lowest=1,
        highest=100,
    ),
    RecipeOption(
        name="batch_size",
        title="Batch size",
        description="How many examples make one step.",
        kind=OptionKind.WHOLE_NUMBER,
        default=16,
        lowest=1,
        highest=512,
    ),
    RecipeOption(
        name="learning_rate",
        title="Learning rate",
        description="The size of a step at its largest; it warms up, and falls to 0.",
        kind=OptionKind.NUMBER,
        default=2e-5,
        lowest=1e-7,
        highest=0.1,
    ),
    RecipeOption(
        name="max_length",
        title="Longest text",
        description="Where texts are cut, in tokens; a long passage is read in windows.",
        kind=OptionKind.WHOLE_NUMBER,
        default=128,
        lowest=16,
        highest=4096,
    ),
)
"""What can be set of the recipe `transformers`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FineTuningOrder:
    """Everything that decides what comes of fine-tuning, but for the items and the checkpoint.

    Attributes:
        pipeline: `CLASSIFICATION` or `QUESTION_ANSWERING`.
        inputs: The one or two fields that the model reads, in its order; a passage last.
        answer: The field of the gold answer.
        labels: The answers that there are, in the task's order; none for a span.
    """

    pipeline: str
    inputs: tuple[str, ...]
    answer: str
    labels: tuple[str, ...]
    epochs: int
    batch_size: int
    learning_rate: float
    max_length: int
    seed: int

    def to_json(self) -> dict[str, object]:
        """Return the order as JSON values."""
        return asdict(self)

    @classmethod
    def of_json(cls, told: Mapping[str, object]) -> "FineTuningOrder":
        """Read what `to_json` wrote."""
        return cls(
            pipeline=str(told["pipeline"]),
            inputs=_texts(told["inputs"]),
            answer=str(told["answer"]),
            labels=_texts(told["labels"]),
            epochs=int(str(told["epochs"])),
            batch_size=int(str(told["batch_size"])),
            learning_rate=float(str(told["learning_rate"])),
            max_length=int(str(told["max_length"])),
            seed=int(str(told["seed"])),
        )


def _texts(told: object) -> tuple[str, ...]:
    assert isinstance(told, list | tuple)
    return tuple(str(one) for one in told)
