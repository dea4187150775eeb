"""Which inputs a model is tried with, and what is wrong with an answer. Pure."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from dynabench.engines.inference.protocol import Prediction
from dynabench.loop.models.checks.values import CheckProblem, TrialItem
from dynabench.loop.models.rules import trial_input
from dynabench.science.task_config.conversations import Role
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.fields.multiclass import MulticlassType
from dynabench.science.task_config.fields.multilabel import MultilabelType
from dynabench.science.task_config.fields.number import NumberType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

USUAL = "usual"
SHORTEST = "shortest"
LONGEST = "longest"
MANY_SCRIPTS = "many scripts"

MAX_PROBLEMS = 100
"""More problems than this are not told at once."""

# A text without a limit of its own is tried up to the length of a long page.
_LONGEST_TRIED = 4_000
_MOST_LABELS = 50
_TOLERANCE = 1e-3
_LONG = "The ferry came late, and whoever had waited since the morning was glad of the new bridge. "
_SCRIPTS = (
    "Žluťoučký kůň 🐎 – “naïve” cafe\u0301, 東京で雨が降る。 مرحبا بالعالم! שלום नमस्ते 👩‍👩‍👧 "
    "<b>&amp;</b> {x} \\n %s '; \U0001d54f\u200b\u00a0end"
)
# Every sentence about an answer names its field in this way (engines/inference/outputs.py).
_NAMED = re.compile(r"[Oo]utput field '([^']+)'")

MakeText = Callable[[StringType], str]


def trial_items(config: TaskConfig) -> tuple[TrialItem, ...]:
    """Return inputs as a task may ask them: a usual one, and those at the edges.

    They are the same each time. Each is one that the task's own checks let through.
    """
    usual = trial_input(config)
    items = [
        TrialItem(name=USUAL, inputs=usual),
        TrialItem(name=SHORTEST, inputs=_with_texts(config, usual, _shortest, is_long=False)),
        TrialItem(name=LONGEST, inputs=_with_texts(config, usual, _longest, is_long=True)),
        TrialItem(name=MANY_SCRIPTS, inputs=_with_texts(config, usual, _scripts, is_long=False)),
    ]
    for field in (*config.context, *config.written_fields):
        items += [
            TrialItem(name=f"{field.name} = {value}", inputs={**usual, field.name: value})
            for value in _edge_values(field)
            if value != usual[field.name]
        ]
    return tuple(items)


def problems_of(
    item: TrialItem, prediction: Prediction, config: TaskConfig
) -> Iterator[CheckProblem]:
    """Give what is wrong with an answer, by the task's config."""
    if prediction.error is not None:
        named = _NAMED.search(prediction.error)
        field = None if named is None else named[1]
        yield CheckProblem(item=item.name, field=field, problem=prediction.error)
        return
    try:
        config.check_prediction(prediction.outputs, context=item.inputs)
    except FieldValueError as error:
        for name, sentence in error.fields.items():
            field = name.removeprefix("outputs.")
            yield CheckProblem(item=item.name, field=field, problem=sentence)


def same_answer(one: Prediction, other: Prediction) -> bool:
    """Tell whether two answers are the same, numbers up to what arithmetic in batches changes."""
    return _is_close(one.outputs, other.outputs)


def distinct(problems: Iterable[CheckProblem]) -> tuple[CheckProblem, ...]:
    """Return problems once each, in their order, and not too many to read."""
    return tuple(dict.fromkeys(problems))[:MAX_PROBLEMS]


def _with_texts(
    config: TaskConfig, usual: Mapping[str, object], make: MakeText, *, is_long: bool
) -> dict[str, object]:
    values = dict(usual)
    for field in (*config.context, *config.written_fields):
        match field.type:
            case StringType():
                values[field.name] = make(field.type)
            case SelectionType(reference_name=name):
                word = str(values[name]).split(maxsplit=1)[0]
                values[field.name] = {"text": word, "start": 0, "end": len(word)}
            case ChatType(max_turns=turns):
                values[field.name] = _messages(make(StringType()), turns if is_long else 1)
    return values


def _messages(text: str, turns: int) -> list[dict[str, str]]:
    """Return a conversation that waits for the reply to its last turn."""
    user = {"role": Role.USER.value, "text": text}
    reply = {"role": Role.ASSISTANT.value, "text": text}
    return [*[user, reply] * (turns - 1), user]


def _edge_values(field: Field) -> tuple[object, ...]:
    match field.type:
        case MulticlassType(labels=labels):
            return labels[:_MOST_LABELS]
        case MultilabelType(labels=labels):
            return (list(labels),)
        case NumberType(min=low, max=high) | RatingType(min=low, max=high):
            return tuple(value for value in (low, high) if value is not None)
    return ()


def _shortest(kind: StringType) -> str:
    length = max(kind.min_length, 1)
    return "Yes"[:length].ljust(length, ".")


def _longest(kind: StringType) -> str:
    length = max(kind.min_length, min(kind.max_length, _LONGEST_TRIED))
    return _filled(_LONG, length)


def _scripts(kind: StringType) -> str:
    return _filled(_SCRIPTS, max(kind.min_length, min(kind.max_length, len(_SCRIPTS))))


def _filled(text: str, length: int) -> str:
    repeated = (text * (length // len(text) + 1))[:length]
    return repeated.rstrip().ljust(length, ".")


def _is_close(one: object, other: object) -> bool:
    if isinstance(one, float) or isinstance(other, float):
        if not isinstance(one, int | float) or not isinstance(other, int | float):
            return False
        return math.isclose(one, other, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_is_close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        pairs = zip(one, other, strict=False)
        return len(one) == len(other) and all(_is_close(left, right) for left, right in pairs)
    return one == other
