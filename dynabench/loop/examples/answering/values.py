"""A draft before the model has answered, and the same after."""

from dataclasses import dataclass

from dynabench.kit.wire import Values
from dynabench.loop.examples.values import StoredPrediction


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDraft:
    """An attempt whose fields are checked, before any model has answered."""

    inputs: Values
    answer: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredDraft:
    """A draft with the targets' answers; `fooled` takes the author's answer for the truth."""

    draft: ExampleDraft
    predictions: tuple[StoredPrediction, ...]
    fooled: bool | None
