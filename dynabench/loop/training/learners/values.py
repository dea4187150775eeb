"""What goes into the learning process and what comes back."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from dynabench.engines.baselines.options import OptionValue
from dynabench.engines.baselines.values import ConfigSummary
from dynabench.engines.finetuning.values import FineTuningOrder
from dynabench.loop.training.values import RecipeName

ITEMS_FILE = "items.tsv"
ORDER_FILE = "order.json"
RESULT_FILE = "result.json"
MODEL_FOLDER = "model"
CHECKPOINT_FOLDER = "checkpoint"
STATES_FOLDER = "states"
SUCCESS, REFUSED = 0, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningOrder:
    """What a learning process is to do with the items in its folder.

    Attributes:
        recipe: How to learn.
        config: What it must know of the task.
        seed: The seed of everything random.
        options: What was set of the recipe.
        fine_tuning: What else the recipe `transformers` needs to know.
        checkpoint: The folder that it starts from.
    """

    recipe: RecipeName
    config: ConfigSummary
    seed: int
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    fine_tuning: FineTuningOrder | None = None
    checkpoint: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the order as JSON values."""
        tuning = self.fine_tuning
        return {
            "recipe": self.recipe.value,
            "config": self.config.to_json(),
            "seed": self.seed,
            "options": dict(self.options),
            "fine_tuning": None if tuning is None else tuning.to_json(),
            "checkpoint": self.checkpoint,
        }

    @classmethod
    def of_json(cls, told: Mapping[str, object]) -> "LearningOrder":
        """Read what `to_json` wrote."""
        config, options, tuning = told["config"], told["options"], told["fine_tuning"]
        assert isinstance(config, dict)
        assert isinstance(options, dict)
        checkpoint = told["checkpoint"]
        return cls(
            recipe=RecipeName(str(told["recipe"])),
            config=ConfigSummary.from_json(config),
            seed=int(str(told["seed"])),
            options=options,
            fine_tuning=FineTuningOrder.of_json(tuning) if isinstance(tuning, dict) else None,
            checkpoint=None if checkpoint is None else str(checkpoint),
        )


@dataclass(frozen=True, slots=True)
class ToldLine:
    """One line that the process writes: how far it is, or why it refuses."""

    share: float
    doing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What a learning process says of the model that it wrote.

    Attributes:
        items_digest: The SHA-256 of the items in their own order, equal ones as one.
        examples: How many examples that were, each counted as often as its weight says.
        seconds: How long it took, from reading the items to the last file of the model.
        environment: The interpreter, the libraries that learned and the kind of processor.
    """

    items_digest: str
    examples: int
    seconds: float
    environment: Mapping[str, JsonValue]

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        return {
            "items_digest": self.items_digest,
            "examples": self.examples,
            "seconds": self.seconds,
            "environment": dict(self.environment),
        }

    @classmethod
    def of_json(cls, told: Mapping[str, JsonValue]) -> "Learnt":
        """Read what `to_json` wrote."""
        environment = told["environment"]
        assert isinstance(environment, dict)
        return cls(
            items_digest=str(told["items_digest"]),
            examples=int(str(told["examples"])),
            seconds=float(str(told["seconds"])),
            environment=environment,
        )
