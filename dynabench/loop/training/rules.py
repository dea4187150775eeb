"""Which recipes fit a task, and what a learner must know of it."""

from collections.abc import Sequence

from dynabench.engines.baselines.values import ConfigSummary
from dynabench.engines.practice.assistant import PracticeAssistant
from dynabench.engines.practice.values import Variant
from dynabench.loop.training.errors import NoTrainingDataError, RecipeUnknownError
from dynabench.loop.training.values import LabelledItem, Recipe, RecipeName
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


def fitting_recipes(config: TaskConfig) -> tuple[Recipe, ...]:
    """Return the recipes for a task, the default first; none where no learner fits."""
    if len(config.gold_fields) != 1:
        return ()
    kind = config.gold_fields[0].type
    if isinstance(kind, MulticlassType):
        return (_TEXT_CLASSIFIER, _MAJORITY)
    if isinstance(kind, SelectionType):
        return (_EXTRACTIVE_READER,)
    if isinstance(kind, SpansType):
        return (_SPAN_TAGGER,)
    if isinstance(kind, MultilabelType | NumberType | RatingType):
        return (_MAJORITY,)
    return _recipes_that_write(config) if isinstance(kind, StringType) else ()


def _recipes_that_write(config: TaskConfig) -> tuple[Recipe, ...]:
    """Return what writes a text, by what it reads."""
    kinds = {one.type_name for one in (field.type for field in _read_fields(config))}
    asks = any(isinstance(field.type, StringType) for field in config.written_fields)
    if kinds == {StringType.type_name}:
        return (_TRANSLATOR,)
    if kinds == {StringType.type_name, ImageType.type_name} and asks:
        return (_PICTURE_ANSWERER,)
    return (_SOUND_TRANSCRIBER,) if AudioType.type_name in kinds else ()


def _read_fields(config: TaskConfig) -> tuple[Field, ...]:
    """Return what a model reads, what a person wrote or brought before the context."""
    return (*config.written_fields, *config.context)


def choose_recipe(config: TaskConfig, name: str | None) -> RecipeName:
    """Return the recipe of a name, or the task's default.

    Raises:
        RecipeUnknownError: If none of the task's recipes is called so, or it has none.
    """
    fitting = fitting_recipes(config)
    for recipe in fitting:
        if name is None or recipe.name == name:
            return recipe.name
    raise RecipeUnknownError(recipe=name or "", known=[recipe.name.value for recipe in fitting])


def summarise(config: TaskConfig) -> ConfigSummary:
    """Return what a learner must know of a task that has a fitting recipe."""
    gold = config.gold_fields[0]
    probability = config.probability_field
    return ConfigSummary(
        context_names=tuple(one.name for one in config.context if isinstance(one.type, StringType)),
        input_names=tuple(
            one.name for one in config.written_fields if isinstance(one.type, StringType)
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


def require_learnable(items: Sequence[LabelledItem], config: ConfigSummary) -> None:
    """Refuse data that holds nothing to learn.

    Raises:
        NoTrainingDataError: If there are no items, or all have the same label.
    """
    if not items:
        raise NoTrainingDataError(reason="the chosen data has no train items.")
    labels = {str(item.answer.get(config.answer_name)) for item in items}
    if config.labels and len(labels) == 1:
        raise NoTrainingDataError(reason=f"every item has the answer “{labels.pop()}”.")
