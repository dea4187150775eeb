"""From a row of a file to an item of a dataset, and what is said of rows that are wrong."""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeGuard, cast

from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values
from dynabench.loop.contexts.rules import content_digest as context_digest
from dynabench.loop.datasets.uploads.cells.rules import labelled, value_of_cell, words_of_cell
from dynabench.loop.datasets.uploads.values import Columns
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.problems import (
    FieldValueError,
    UnusableValueError,
    list_names,
    nearest,
    quote,
)
from dynabench.science.task_config.schema import TaskConfig

MAX_ANSWERS = 100
MAX_TAGS = 50
MAX_TAG_LENGTH = 100
MAX_UID_LENGTH = 100

RESERVED = ("uid", "split", "tags")
_PARTS = ("context", "inputs", "gold")
# What a downloaded release says of each item beside the item itself.
_TOLD = ("annotator", "is_fooling", "is_verified", "canary")
_SETS = frozenset({"multilabel", "spans"})
_UID_LENGTH = 16

Problem = tuple[str | None, str]


class RowError(ValueError):
    """A row cannot become an item; each problem names the field and says what to do."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(" ".join(sentence for _, sentence in problems))
        self.problems = problems


def fields_of(config: TaskConfig) -> dict[str, Field]:
    """Return the fields that an item fills, by name: context, input and gold answer."""
    return {one.name: one for one in (*config.context, *config.input)}


def column_problems(config: TaskConfig, columns: Columns) -> dict[str, str]:
    """Return what is wrong with what is said about columns and labels, by field."""
    known = [*fields_of(config), *RESERVED]
    wrong: dict[str, str] = {}
    taken: dict[str, str] = {}
    for column, name in columns.fields.items():
        if name not in known:
            wrong[f"columns.{column}"] = f"There is no field {quote(name)}. {_hint(name, known)}"
        elif name in taken:
            wrong[f"columns.{column}"] = f"{quote(taken[name])} is {quote(name)} already."
        taken[name] = column
    for name, words in columns.labels.items():
        if name not in fields_of(config):
            wrong[f"labels.{name}"] = f"There is no field {quote(name)}. {_hint(name, known)}"
            continue
        labels = getattr(config.field(name).type, "labels", ())
        odd = next((one for one in words.values() if one not in labels), None)
        if odd is not None:
            listed = f" It can be {list_names(labels)}." if labels else " The field has no labels."
            wrong[f"labels.{name}"] = f"{quote(odd)} is no label of {quote(name)}.{listed}"
    return wrong


class ItemReader:
    """Turns rows into checked items of a task, one by one.

    A row names the fields side by side, or, as downloads do, within `context`, `inputs` and
    `gold`.

    Args:
        config: What is asked for.
        columns: How the file calls it.
        stand_in: Prepares values whose files are not fetched yet for the check.

    Attributes:
        passed_over: Columns of the file that nobody asked for, in their order.
    """

    def __init__(
        self, config: TaskConfig, columns: Columns, *, stand_in: Callable[[Values], Values]
    ) -> None:
        self._config = config
        self._columns = columns
        self._stand_in = stand_in
        self._fields = fields_of(config)
        self._parts = {
            "context": [one.name for one in config.context],
            "inputs": [one.name for one in config.written_fields],
            "gold": [*config.gold_names],
        }
        self.passed_over: dict[str, None] = {}

    def read(self, values: Mapping[str, object]) -> DatasetItem:
        """Return the item of a row; its position is for whoever counts.

        Raises:
            RowError: With everything that is wrong with the row.
        """
        parts, rest, problems = self._taken_apart(self._named(values))
        context, inputs, gold = self._checked(parts, problems)
        split = self._split(rest.get("split"), problems)
        tags = _tags(rest.get("tags"), problems, is_text=self._columns.is_text)
        uid = _uid(rest.get("uid"), problems)
        if problems:
            raise RowError(problems)
        assert split is not None, "what is no split is a problem"
        annotator, is_fooling = rest.get("annotator"), rest.get("is_fooling")
        return DatasetItem(
            uid=uid or made_uid(context, inputs, split),
            split=split,
            position=0,
            context=context,
            inputs=inputs,
            gold=gold,
            tags=tags,
            annotator=annotator[:MAX_TAG_LENGTH] if is_plain(annotator) else "",
            is_fooling=is_fooling if isinstance(is_fooling, bool) else None,
            is_verified=rest.get("is_verified") is True,
            # Items that share no context stand each for itself.
            context_digest=context_digest(context or inputs),
        )

    def _named(self, values: Mapping[str, object]) -> Values:
        """Return the row by the names of the task."""
        if not self._columns.fields:
            return dict(values)
        renamed = self._columns.fields
        self.passed_over |= dict.fromkeys(name for name in values if name not in renamed)
        return {renamed[name]: value for name, value in values.items() if name in renamed}

    def _taken_apart(self, named: Values) -> tuple[dict[str, Values], Values, list[Problem]]:
        """Return a row's parts, what else it says, and what it should not say."""
        is_nested = any(
            isinstance(named.get(part), Mapping) and part not in self._fields for part in _PARTS
        )
        if not is_nested:
            parts = {
                part: {name: self._value(name, named[name]) for name in names if name in named}
                for part, names in self._parts.items()
            }
            rest = {name: one for name, one in named.items() if name not in self._fields}
            return parts, rest, _unknown(rest, RESERVED, hints=[*self._fields, *RESERVED])
        problems: list[Problem] = []
        parts = {}
        for part in _PARTS:
            found = named.get(part)
            if found is not None and not isinstance(found, Mapping):
                problems.append((part, "It must be an object with the fields of this part."))
            given = found if isinstance(found, Mapping) else {}
            parts[part] = {str(name): self._value(str(name), one) for name, one in given.items()}
        rest = {name: one for name, one in named.items() if name not in _PARTS}
        known = (*RESERVED, *_TOLD)
        return parts, rest, problems + _unknown(rest, known, hints=[*_PARTS, *known])

    def _value(self, name: str, value: object) -> object:
        field = self._fields.get(name)
        if field is not None and self._columns.is_text and isinstance(value, str):
            value = value_of_cell(field, value)
        labels = self._columns.labels.get(name)
        return value if labels is None else labelled(value, labels)

    def _checked(
        self, parts: Mapping[str, Values], problems: list[Problem]
    ) -> tuple[Values, Values, Values]:
        config = self._config
        context = inputs = gold = dict[str, object]()
        try:
            context = config.check_context(self._stand_in(parts["context"]))
        except FieldValueError as error:
            problems += _problems_of(error)
        try:
            inputs = config.check_inputs(self._stand_in(parts["inputs"]), context=context)
        except FieldValueError as error:
            problems += _problems_of(error)
        if not problems:
            # Answers mark words in texts, and say nothing sensible of those that are wrong.
            gold = self._gold(parts["gold"], {**context, **inputs}, problems)
        return context, inputs, gold

    def _gold(self, given: Values, texts: Values, problems: list[Problem]) -> Values:
        """Return the acceptable answers of each field in their stored form."""
        found: Values = {}
        for field in self._config.gold_fields:
            value = given.get(field.name)
            if value is None:
                problems.append((field.name, "It is missing; every item needs the right answer."))
                continue
            try:
                found[field.name] = acceptable_answers(field, value, texts)
            except UnusableValueError as error:
                problems.append((field.name, error.sentence))
        names = [*self._config.gold_names]
        problems += _unknown(given, names, hints=names)
        return found

    def _split(self, value: object, problems: list[Problem]) -> Split | None:
        if value is None:
            if self._columns.split is None:
                sentence = "It is missing; say train, dev or test here, or one split for the file."
                problems.append(("split", sentence))
            return self._columns.split
        known = {"validation": Split.DEV, "valid": Split.DEV, **{one.value: one for one in Split}}
        split = known.get(value.strip().lower()) if isinstance(value, str) else None
        if split is None:
            problems.append(("split", "It must be train, dev or test."))
        return split


def acceptable_answers(field: Field, value: object, texts: Values) -> object:
    """Return one checked answer, or a list of those that are acceptable.

    Raises:
        UnusableValueError: If one of them is wrong.
    """
    is_list = isinstance(value, list)
    if field.type.type_name in _SETS:
        is_list = bool(value) and is_list and all(isinstance(one, list) for one in _items(value))
    if not is_list:
        return field.type.check(value, context=texts or None)
    answers = _items(value)
    if not answers:
        raise UnusableValueError("The list is empty; name at least one acceptable answer.")
    if len(answers) > MAX_ANSWERS:
        raise UnusableValueError(f"It lists {len(answers)} answers; {MAX_ANSWERS} may be.")
    return [field.type.check(one, context=texts or None) for one in answers]


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def made_uid(context: Values, inputs: Values, split: Split) -> str:
    """Return a name that the same item gets again.

    The right answer is no part of it: everybody reads uids, and could try out the answers.
    """
    # Checked values are JSON, and canonical_json refuses what is not.
    value = cast("JsonValue", [context, inputs, split.value])
    return hashlib.sha256(canonical_json(value)).hexdigest()[:_UID_LENGTH]


def _problems_of(error: FieldValueError) -> Iterable[Problem]:
    return ((name.partition(".")[2] or name, sentence) for name, sentence in error.fields.items())


def _unknown(values: Values, known: Sequence[str], *, hints: Sequence[str]) -> list[Problem]:
    return [
        (str(name)[:MAX_TAG_LENGTH], f"There is no such field. {_hint(str(name), hints)}")
        for name in values
        if name not in known
    ]


def _hint(name: str, known: Sequence[str]) -> str:
    close = nearest(name, known)
    return f"Did you mean {quote(close)}?" if close else f"Known are: {list_names(known)}."


def _uid(value: object, problems: list[Problem]) -> str | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not is_plain(value) or not 1 <= len(value) <= MAX_UID_LENGTH:
        sentence = f"It must be a text of 1 to {MAX_UID_LENGTH} characters without line breaks."
        problems.append(("uid", sentence))
        return None
    return value


def _tags(value: object, problems: list[Problem], *, is_text: bool) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        value = words_of_cell(value) if is_text else [value]
    if not isinstance(value, list) or not all(
        is_plain(tag) and 1 <= len(tag) <= MAX_TAG_LENGTH for tag in value
    ):
        sentence = f"It must be a list of texts of 1 to {MAX_TAG_LENGTH} characters."
        problems.append(("tags", sentence))
        return ()
    if len(value) > MAX_TAGS:
        problems.append(("tags", f"It lists {len(value)} tags; {MAX_TAGS} may be."))
    return tuple(dict.fromkeys(value))


def is_plain(value: object) -> TypeGuard[str]:
    """Tell whether a value is a line of text that can be kept."""
    if not isinstance(value, str) or "\n" in value or "\t" in value:
        return False
    return find_refused_character(value) is None
