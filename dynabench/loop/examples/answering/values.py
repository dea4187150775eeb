"""A draft before the model has answered, and the same after."""

from dataclasses import dataclass

from dynabench.kit.wire import Values
from dynabench.loop.examples.values import StoredPrediction


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDraft:
    """An attempt whose fields are checked, before any model has answered.

    `is_about_media` tells that the context shows a picture or a sound: then the same words
    about another context are another example.
    """

    inputs: Values
    answer: Values
    is_about_media: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredDraft:
    """A draft with the targets' answers; `fooled` takes the author's answer for the truth."""

    draft: ExampleDraft
    predictions: tuple[StoredPrediction, ...]
    fooled: bool | None
