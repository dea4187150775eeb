"""Which recipes fit a task, and what a learner must know of it."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from dynabench.engines.baselines.learner_options import options_of
from dynabench.engines.baselines.values import ConfigSummary
from dynabench.engines.finetuning.values import OPTIONS as FINE_TUNING_OPTIONS
from dynabench.engines.practice.assistant import PracticeAssistant
from dynabench.engines.practice.values import Variant
from dynabench.loop.training.errors import (
    NoTrainingDataError,
    RecipeUnknownError,
    TrainingSourceError,
)
from dynabench.loop.training.values import MOST_WEIGHT, Recipe, RecipeName, Source
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.schema import TaskConfig

_TEXT_CLASSIFIER = Recipe(
    RecipeName.TEXT_CLASSIFIER,
    "Text classifier",
    "Logistic regression over words and character n-grams; seconds on a laptop.",
)
_MAJORITY = Recipe(
    RecipeName.MAJORITY,
    "Most frequent answer",
    "Answers the same always: what any model must beat.",
)
_EXTRACTIVE_READER = Recipe(
    RecipeName.EXTRACTIVE_READER,
    "Extractive reader",
    "Ranks the short spans of the passage by how well they fit the question.",
)
_SPAN_TAGGER = Recipe(
    RecipeName.SPAN_TAGGER,
    "Span tagger",
    "Logistic regression over each word and what stands around it; seconds on a laptop.",
)
_TRANSLATOR = Recipe(
    RecipeName.TRANSLATOR,
    "Translator",
    "Aligns words, learns phrases from pairs of texts and searches their likeliest order.",
)
_PICTURE_ANSWERER = Recipe(
    RecipeName.PICTURE_ANSWERER,
    "Answerer about pictures",
    "Finds coloured forms in the pixels, learns their names and what questions ask of them.",
)
_SOUND_TRANSCRIBER = Recipe(
    RecipeName.SOUND_TRANSCRIBER,
    "Transcriber of sounds",
    "Cuts a sound at its pauses and learns which of the words seen in training each part is.",
)


_TRANSFORMERS = Recipe(
    RecipeName.TRANSFORMERS,
    "Fine-tuned transformer",
    "Goes on training a checkpoint of the transformers library; minutes to hours.",
    FINE_TUNING_OPTIONS,
)
_MOST_TEXTS = 2


def fitting_recipes(config: TaskConfig) -> tuple[Recipe, ...]:
    """Return the recipes for a task, the default first; none where no learner fits."""
    if len(config.gold_fields) != 1:
        return ()
    return tuple(
        replace(recipe, options=recipe.options or options_of(recipe.name))
        for recipe in _fitting(config)
    )


def _fitting(config: TaskConfig) -> tuple[Recipe, ...]:
    kind = config.gold_fields[0].type
    if isinstance(kind, MulticlassType):
        return (_TEXT_CLASSIFIER, _MAJORITY, *_fine_tuned(config))
    if isinstance(kind, SelectionType):
        return (_EXTRACTIVE_READER, *_fine_tuned(config))
    if isinstance(kind, SpansType):
        return (_SPAN_TAGGER,)
    if isinstance(kind, MultilabelType | NumberType | RatingType):
        return (_MAJORITY,)
    return _recipes_that_write(config) if isinstance(kind, StringType) else ()


def _fine_tuned(config: TaskConfig) -> tuple[Recipe, ...]:
    """Return the recipe that reads one text or two, where the task shows no more and no others."""
    kinds = [field.type for field in _read_fields(config)]
    fits = len(kinds) <= _MOST_TEXTS and all(isinstance(kind, StringType) for kind in kinds)
    return (_TRANSFORMERS,) if fits and kinds else ()


def _recipes_that_write(config: TaskConfig) -> tuple[Recipe, ...]:
    """Return what writes a text, by what it reads."""
    kinds = {one.type_name for one in (field.type for field in _read_fields(config))}
    asks = any(isinstance(field.type, StringType) for field in _shown(config.written_fields))
    if kinds == {StringType.type_name}:
        return (_TRANSLATOR,)
    if kinds == {StringType.type_name, ImageType.type_name} and asks:
        return (_PICTURE_ANSWERER,)
    return (_SOUND_TRANSCRIBER,) if AudioType.type_name in kinds else ()


def _read_fields(config: TaskConfig) -> tuple[Field, ...]:
    """Return what a model reads, what a person wrote or brought before the context."""
    return (*_shown(config.written_fields), *_shown(config.context))


def _shown(fields: Sequence[Field]) -> tuple[Field, ...]:
    return tuple(field for field in fields if field.is_shown_to_model)


def choose_recipe(config: TaskConfig, name: str | None) -> RecipeName:
    """Return the name of a task's recipe; see `find_recipe`."""
    return find_recipe(config, name).name


def find_recipe(config: TaskConfig, name: str | None) -> Recipe:
    """Return the recipe of a name, or the task's default.

    Raises:
        RecipeUnknownError: If none of the task's recipes is called so, or it has none.
    """
    fitting = fitting_recipes(config)
    for recipe in fitting:
        if name is None or recipe.name == name:
            return recipe
    raise RecipeUnknownError(recipe=name or "", known=[recipe.name.value for recipe in fitting])


def summarise(config: TaskConfig) -> ConfigSummary:
    """Return what a learner must know of a task that has a fitting recipe."""
    gold = config.gold_fields[0]
    probability = config.probability_field
    return ConfigSummary(
        context_names=tuple(
            one.name for one in _shown(config.context) if isinstance(one.type, StringType)
        ),
        input_names=tuple(
            one.name for one in _shown(config.written_fields) if isinstance(one.type, StringType)
        ),
        answer_name=gold.name,
        labels=gold.type.labels if isinstance(gold.type, MulticlassType | SpansType) else (),
        reference_name=(
            gold.type.reference_name if isinstance(gold.type, SelectionType | SpansType) else None
        ),
        probability_name=None if probability is None else probability.name,
        media_names=tuple(
            one.name for one in _read_fields(config) if isinstance(one.type, ImageType | AudioType)
        ),
    )


def practice_assistant(config: TaskConfig, variant: Variant) -> PracticeAssistant:
    """Return a practice model that knows where a task's conversation and reply stand."""
    chat = config.chat_field
    reply = chat.type.reply_name if chat is not None and isinstance(chat.type, ChatType) else None
    return PracticeAssistant(
        variant=variant,
        chat_name=None if chat is None else chat.name,
        reply_name=reply or config.output[0].name,
    )


def require_learnable(*, items: int, answers: Collection[str], config: ConfigSummary) -> None:
    """Refuse data that holds nothing to learn.

    Args:
        items: How many there are.
        answers: The different answers among them.
        config: What the learner knows of the task.

    Raises:
        NoTrainingDataError: If there are no items, or all have the same label.
    """
    if not items:
        raise NoTrainingDataError(reason="the chosen data has no train items.")
    if config.labels and len(answers) == 1:
        (only,) = answers
        raise NoTrainingDataError(reason=f"every item has the answer “{only}”.")


def require_weight(weight: int, *, field: str, name: str) -> None:
    """Refuse a weight that no training gives.

    Raises:
        TrainingSourceError: Naming the field, the set and the bounds.
    """
    if 1 <= weight <= MOST_WEIGHT:
        return
    raise TrainingSourceError(
        {
            field: f"A weight is a whole number from 1 to {MOST_WEIGHT}: each item of {name} "
            f"cannot count {weight:,} times."
        }
    )


def combine_sources(sources: Sequence[Source], version_ids: Sequence[UUID]) -> tuple[Source, ...]:
    """Return what was chosen with weights, and then what was chosen without, once each.

    Raises:
        TrainingSourceError: If one set was chosen twice with weights.
    """
    chosen: dict[UUID, Source] = {}
    for place, source in enumerate(sources):
        if source.dataset_version_id in chosen:
            sentence = "This set is chosen twice. Choose it once, with a larger weight."
            raise TrainingSourceError({f"sources.{place}.dataset_version_id": sentence})
        chosen[source.dataset_version_id] = source
    for version_id in version_ids:
        chosen.setdefault(version_id, Source(dataset_version_id=version_id))
    return tuple(chosen.values())
