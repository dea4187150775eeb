"""The learners that ship with the package, by name."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.extractive_reader_training import train_extractive_reader
from dynabench.engines.baselines.learner_options import options_of
from dynabench.engines.baselines.majority import train_majority
from dynabench.engines.baselines.options import OptionValues, read_recipe_options
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
    repeated,
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
        options: OptionValues,
    ) -> TrainedModel:
        """Train."""
        ...


class PlainLearner(Protocol):
    """A learner of which nothing can be set, and that takes each item as often as it is there."""

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


def _plain(learner: PlainLearner) -> Learner:
    """Give a learner without options each item as many times as its weight says."""

    def learn(
        items: Sequence[TrainingItem],
        *,
        config: ConfigSummary,
        seed: int,
        progress: Progress,
        options: OptionValues,
    ) -> TrainedModel:
        assert not options, "nothing can be set of this recipe"
        return learner(repeated(items), config=config, seed=seed, progress=progress)

    return learn


RECIPES: Mapping[str, Learner] = MappingProxyType(
    {
        "majority": _plain(train_majority),
        "extractive-reader": train_extractive_reader,
        "picture-answerer": _plain(train_picture_answerer),
        "sound-transcriber": _plain(train_sound_transcriber),
        "span-tagger": _plain(train_span_tagger),
        "text-classifier": train_text_classifier,
        "translator": _plain(train_translator),
    }
)


def train(
    recipe: str,
    items: Sequence[TrainingItem],
    *,
    config: ConfigSummary,
    seed: int = 0,
    progress: Callable[[float, str], None] | None = None,
    options: Mapping[str, object] = MappingProxyType({}),
) -> TrainedModel:
    """Train a recipe (`RECIPES`) on a task's items; `save` and `digest` the result.

    Raises:
        TrainingDataError: The recipe is unknown, or the items do not suffice.
        RecipeOptionsError: An option is not one of the recipe's, or out of its bounds.
    """
    learner = RECIPES.get(recipe)
    if learner is None:
        known = ", ".join(RECIPES)
        raise TrainingDataError(reason=f"there is no recipe {recipe!r}; known are {known}.")
    return learner(
        items,
        config=config,
        seed=seed,
        progress=progress or ignore_progress,
        options=read_recipe_options(options_of(recipe), options),
    )
