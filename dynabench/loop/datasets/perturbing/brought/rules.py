"""From a row of an owner's file to the variant of an item."""

from collections.abc import Mapping
from dataclasses import replace

from dynabench.kit.wire import Values
from dynabench.loop.datasets.uploads.rules import (
    MAX_TAG_LENGTH,
    Problem,
    RowError,
    acceptable_answers,
    is_plain,
)
from dynabench.loop.datasets.values import DatasetItem
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.fields.selection import SelectionType
from dynabench.science.task_config.fields.string import StringType
from dynabench.science.task_config.problems import (
    FieldValueError,
    UnusableValueError,
    list_names,
    nearest,
    quote,
)
from dynabench.science.task_config.schema import TaskConfig

OWN_TRANSFORM = "own"

_ROW_KEYS = ("original_uid", "transform")
_PARTS = ("context", "inputs", "gold")


def original_named(row: Mapping[str, object]) -> str:
    """Return the uid of the item that a row varies.

    Raises:
        RowError: If it names none.
    """
    uid = row.get("original_uid")
    if not is_plain(uid) or not uid:
        sentence = "It is missing; name the uid of the item that this row varies."
        raise RowError([("original_uid", sentence)])
    return uid


def variant_of(
    row: Mapping[str, object], original: DatasetItem | None, config: TaskConfig
) -> DatasetItem:
    """Return the variant that a row says, its uid and position left to whoever counts.

    Texts that the row does not name stay; the right answer is the original's, its marked
    words looked up where they now stand, unless the row gives it.

    Raises:
        RowError: With everything that is wrong with the row.
    """
    if original is None:
        sentence = "There is no such item in test or dev of the varied set."
        raise RowError([("original_uid", sentence)])
    transform = row.get("transform", OWN_TRANSFORM)
    given, problems = _given(row, config)
    if not is_plain(transform) or not 1 <= len(transform) <= MAX_TAG_LENGTH:
        sentence = f"It must be a text of 1 to {MAX_TAG_LENGTH} characters."
        raise RowError([*problems, ("transform", sentence)])
    values = {**original.context, **original.inputs}
    texts = {name: one for name, one in given.items() if name not in config.gold_names}
    if not problems and all(values.get(name) == text for name, text in texts.items()):
        problems.append((None, "No text differs from the original's; change at least one."))
    if problems:
        raise RowError(problems)
    changed = {**values, **texts}
    try:
        context = config.check_context({name: changed[name] for name in original.context})
        inputs = config.check_inputs(
            {name: changed[name] for name in original.inputs}, context=context
        )
    except FieldValueError as error:
        wrong = error.fields.items()
        raise RowError([(name.partition(".")[2] or name, told) for name, told in wrong]) from error
    return replace(
        original,
        context=context,
        inputs=inputs,
        gold=_gold(config, original, given, {**context, **inputs}),
        original_uid=original.uid,
        transform=transform,
    )


def _given(row: Mapping[str, object], config: TaskConfig) -> tuple[Values, list[Problem]]:
    """Return what a row says for fields, be they side by side or in parts."""
    shown = (*config.context, *config.written_fields)
    texts = [one.name for one in shown if isinstance(one.type, StringType)]
    known = [*texts, *config.gold_names]
    flat: Values = {}
    for name, value in row.items():
        if name in _PARTS and isinstance(value, Mapping):
            flat |= {str(one): held for one, held in value.items()}
        elif name not in _ROW_KEYS:
            flat[name] = value
    problems: list[Problem] = []
    for name in flat:
        if name not in known:
            close = nearest(name, known)
            hint = f"Did you mean {quote(close)}?" if close else f"Known are: {list_names(known)}."
            problems.append((name[:MAX_TAG_LENGTH], f"There is no such text. {hint}"))
    return flat, problems


def _gold(config: TaskConfig, original: DatasetItem, given: Values, texts: Values) -> Values:
    """Return the right answer of a variant, checked against its texts."""
    found: Values = {}
    problems: list[Problem] = []
    for field in config.gold_fields:
        value = given.get(field.name)
        if value is None:
            value = _unplaced(field, original.gold.get(field.name))
        try:
            found[field.name] = acceptable_answers(field, value, texts)
        except UnusableValueError as error:
            problems.append((field.name, f"{error.sentence} Give the answer in this row."))
    if problems:
        raise RowError(problems)
    return found


def _unplaced(field: Field, value: object) -> object:
    """Return an answer without where its words stood, so that they are looked up anew."""
    if not isinstance(field.type, SelectionType):
        return value
    if isinstance(value, list):
        return [_unplaced(field, one) for one in value]
    return value["text"] if isinstance(value, Mapping) else value
