"""A draft before the model has answered, and the same after."""

from dataclasses import dataclass

from dynabench.kit.wire import Values
from dynabench.loop.examples.values import StoredPrediction
from dynabench.science.task_config.schema import TaskConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDraft:
    """An attempt whose fields are checked by its task's config, before any model has answered."""

    inputs: Values
    answer: Values
    config: TaskConfig

    @property
    def seen(self) -> Values:
        """The inputs that models are sent, by which attempts are compared."""
        return self.config.seen_by_model(self.inputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredDraft:
    """A draft with the targets' answers; `fooled` takes the author's answer for the truth."""

    draft: ExampleDraft
    predictions: tuple[StoredPrediction, ...]
    fooled: bool | None
