"""The learners that ship with the package, by name."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.extractive_reader_training import train_extractive_reader
from dynabench.engines.baselines.majority import train_majority
from dynabench.engines.baselines.picture_answerer_training import train_picture_answerer
from dynabench.engines.baselines.sound_transcriber_training import train_sound_transcriber
from dynabench.engines.baselines.span_tagger_training import train_span_tagger
from dynabench.engines.baselines.text_classifier_training import train_text_classifier
from dynabench.engines.baselines.translator_training import train_translator
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
    ignore_progress,
)


class Learner(Protocol):
    """Turns items into a model; the same items, config and seed give the same model."""

    def __call__(
        self,
        items: Sequence[TrainingItem],
        *,
        config: ConfigSummary,
        seed: int,
        progress: Progress,
    ) -> TrainedModel:
        """Train."""
        ...


RECIPES: Mapping[str, Learner] = MappingProxyType(
    {
        "majority": train_majority,
        "extractive-reader": train_extractive_reader,
        "picture-answerer": train_picture_answerer,
        "sound-transcriber": train_sound_transcriber,
        "span-tagger": train_span_tagger,
        "text-classifier": train_text_classifier,
        "translator": train_translator,
    }
)


def train(
    recipe: str,
    items: Sequence[TrainingItem],
    *,
    config: ConfigSummary,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
) -> TrainedModel:
    """Train a recipe (`RECIPES`) on a task's items; `save` and `digest` the result.

    Raises:
        TrainingDataError: The recipe is unknown, or the items do not suffice.
    """
    learner = RECIPES.get(recipe)
    if learner is None:
        known = ", ".join(RECIPES)
        raise TrainingDataError(reason=f"there is no recipe {recipe!r}; known are {known}.")
    return learner(items, config=config, seed=seed, progress=progress or ignore_progress)
