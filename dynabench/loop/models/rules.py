"""Decisions about models: what one is asked, which version comes next, whether it may be used."""

from collections.abc import Mapping
from dataclasses import replace

from dynabench.engines.inference.protocol import TargetSpec
from dynabench.loop.models.errors import ModelNotReadyError
from dynabench.loop.models.trials.values import trial_picture, trial_sound
from dynabench.loop.models.values import (
    CODE_KINDS,
    Model,
    ModelIsolation,
    ModelKind,
    ModelPurpose,
    ModelStatus,
)
from dynabench.science.task_config.conversations import Role
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.audio import AudioType
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.image import ImageType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.prob import ProbType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.spans import SpansType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.schema import TaskConfig

SPEC = "spec"
"""Where in a model's source its `TargetSpec` stands."""

_ISOLATION = {
    ModelKind.CONTAINER: ModelIsolation.CONTAINER,
    ModelKind.ENDPOINT: ModelIsolation.REMOTE,
    ModelKind.OPENAI: ModelIsolation.REMOTE,
    ModelKind.PREDICTIONS: ModelIsolation.NO_CODE,
    ModelKind.RECORDED: ModelIsolation.NO_CODE,
}
_TRIAL_TEXT = (
    "After three days of rain the river stood high, so the ferry stayed in the harbour and "
    "the children walked to school over the old bridge."
)


def spec_for(
    config: TaskConfig,
    *,
    kind: ModelKind,
    name: str,
    options: Mapping[str, object],
    digest: str = "",
) -> TargetSpec:
    """Return how a model of this task is asked: what it sees and what it must answer.

    The gold answer is never among what it sees.
    """
    outputs = {field.name: field.type for field in config.output}
    probability = config.probability_field
    chat = config.chat_field
    labels = {
        field_name: field_type.labels
        for field_name, field_type in outputs.items()
        if isinstance(field_type, MulticlassType | MultilabelType)
    }
    return TargetSpec(
        kind=kind.value,
        name=name,
        input_names=config.model_input_names,
        output_names=config.model_output_names,
        labels=labels,
        multilabel_names=tuple(
            field_name
            for field_name, field_type in outputs.items()
            if isinstance(field_type, MultilabelType)
        ),
        list_names=tuple(
            field_name
            for field_name, field_type in outputs.items()
            if isinstance(field_type, MultilabelType | SpansType)
        ),
        probability_name=None if probability is None else probability.name,
        probability_of=_labels_of_probability(probability, first=next(iter(labels), None)),
        chat_name=None if chat is None else chat.name,
        reply_name=reply_name_of(config),
        digest=digest,
        options=dict(options),
    )


def _labels_of_probability(probability: Field | None, *, first: str | None) -> str | None:
    """Return which field the probabilities are about, where it is not the first with labels."""
    kind = None if probability is None else probability.type
    about = kind.reference_name if isinstance(kind, ProbType) else None
    return None if about == first else about


def reply_name_of(config: TaskConfig) -> str | None:
    """Return the output that is the next reply of the task's conversation, if it has one."""
    kind = None if config.chat_field is None else config.chat_field.type
    return kind.reply_name if isinstance(kind, ChatType) else None


def trial_input(config: TaskConfig) -> dict[str, object]:
    """Return an input as annotators might write it, made from the task's fields."""
    values: dict[str, object] = {}
    for field in (*config.context, *config.written_fields):
        values[field.name] = _trial_value(field, values)
    return values


def trial_answer(config: TaskConfig) -> dict[str, object]:
    """Return an answer as a target might give it: texts alone, enough for a judge to read."""
    outputs = {one.name: one.type for one in config.output}
    return {
        name: kind.labels[0] if isinstance(kind, MulticlassType) else _TRIAL_TEXT
        for name, kind in outputs.items()
        if isinstance(kind, MulticlassType | StringType)
    }


def isolation_of(kind: ModelKind) -> ModelIsolation:
    """Return what stands between a model and the server where the installation brings it."""
    return _ISOLATION.get(kind, ModelIsolation.BUILT_IN)


def stored_spec(model: Model) -> TargetSpec:
    """Return how a model is reached, but for the folder of its code.

    What code runs here is told how to be kept apart from the server.
    """
    stored = model.source[SPEC]
    assert isinstance(stored, dict)
    spec = TargetSpec.from_json(stored)
    if model.kind not in {*CODE_KINDS, ModelKind.CONTAINER}:
        return spec
    return replace(spec, options={**spec.options, "isolation": model.isolation.value})


def require_usable(model: Model) -> None:
    """Refuse a model that cannot be a target: not ready, a judge, or only answers.

    Raises:
        ModelNotReadyError: With its state.
    """
    if model.deleted_at is not None:
        raise ModelNotReadyError(name=model.name, status="deleted")
    if model.kind is ModelKind.PREDICTIONS:
        raise ModelNotReadyError(name=model.name, status="files of predictions")
    if model.kind is ModelKind.RECORDED:
        raise ModelNotReadyError(name=model.name, status="a record of answers")
    if model.purpose is ModelPurpose.JUDGE:
        raise ModelNotReadyError(name=model.name, status="a judge")
    if model.status is not ModelStatus.READY:
        raise ModelNotReadyError(name=model.name, status=model.status)


def _trial_value(field: Field, values: Mapping[str, object]) -> object:
    value: object
    match field.type:
        case MulticlassType(labels=labels):
            value = labels[0]
        case MultilabelType() | SpansType():
            value = []
        case NumberType(min=low, max=high) | RatingType(min=low, max=high):
            value = min(0, high or 0) if low is None else low
        case ImageType():
            value = trial_picture()
        case AudioType():
            value = trial_sound()
        case ChatType():
            value = [{"role": Role.USER.value, "text": "Hello! What can you help me with?"}]
        case SelectionType(reference_name=name):
            word = str(values.get(name, _TRIAL_TEXT)).split(maxsplit=1)[0]
            value = {"text": word, "start": 0, "end": len(word)}
        case StringType(min_length=low, max_length=high):
            value = _trial_text(low, high)
        case _:
            message = f"Nobody writes a value of type {field.type.type_name}."
            raise ValueError(message)
    return value


def _trial_text(low: int, high: int) -> str:
    text = _TRIAL_TEXT
    while len(text) < low:
        text = f"{text} {_TRIAL_TEXT}"
    return text[: max(low, min(high, len(_TRIAL_TEXT)))].strip().ljust(low, ".")
