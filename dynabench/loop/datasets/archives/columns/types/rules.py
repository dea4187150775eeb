"""From a field's type to what its cells hold, and that in words and as loaders write it."""

from collections.abc import Mapping

from dynabench.engines.row_files.cells import TEXTS, CellType, ListOf, Plain, Record
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.values import Form
from dynabench.science.task_config.fields.protocol import FieldType
from dynabench.science.task_config.fields.rating import RatingType
from dynabench.science.task_config.fields.spans import SpansType

_PLACE: tuple[tuple[str, CellType], ...] = (
    ("text", Plain.TEXT),
    ("start", Plain.COUNT),
    ("end", Plain.COUNT),
)
_FILE: tuple[tuple[str, CellType], ...] = (
    ("digest", Plain.TEXT),
    ("path", Plain.TEXT),
    ("media_type", Plain.TEXT),
)
PICTURE = Record((*_FILE, ("alt", Plain.TEXT)))
SOUND = Record(_FILE)
_REPLY = Record((("model", Plain.TEXT), ("text", Plain.TEXT), ("rating", Plain.COUNT)))
_TURN = Record(
    (
        ("text", Plain.TEXT),
        ("candidates", ListOf(_REPLY)),
        ("choice", Plain.TEXT),
        ("model_ids", TEXTS),
    )
)
_HELD: Mapping[str, CellType] = {
    "string": Plain.TEXT,
    "multiclass": Plain.TEXT,
    "multilabel": TEXTS,
    "number": Plain.NUMBER,
    "rating": Plain.NUMBER,
    "context_string_selection": Record(_PLACE),
    "spans": ListOf(Record(_PLACE)),
    "chat": ListOf(_TURN),
    "image": PICTURE,
    "audio": SOUND,
}
_MEDIA = frozenset({"image", "audio"})
_LOADED: Mapping[Plain, str] = {
    Plain.TEXT: "string",
    Plain.NUMBER: "float64",
    Plain.COUNT: "int64",
    Plain.TRUTH: "bool",
}
_WORDS: Mapping[Plain, str] = {
    Plain.TEXT: "text",
    Plain.NUMBER: "number",
    Plain.COUNT: "whole number",
    Plain.TRUTH: "true or false",
}


def cell_of(field_type: FieldType, *, has_several: bool) -> tuple[CellType, Form]:
    """Return what a field's cells hold, and how a stored value becomes one.

    What has no one shape is JSON in a text: a rating that may be a word, and types that
    others bring.

    Args:
        field_type: The field's type.
        has_several: Whether some item has more than one acceptable answer there.
    """
    held = _held(field_type)
    if held is None:
        return Plain.TEXT, Form.JSON
    if field_type.type_name in _MEDIA:
        return held, Form.MEDIA
    if not has_several:
        return held, Form.AS_IS
    return ListOf(held), Form.LISTS if isinstance(held, ListOf) else Form.ANSWERS


def loaded_as(held: CellType) -> Values:
    """Return a type as the front matter of a card has it, by which programs load columns.

    Example:
        >>> loaded_as(ListOf(Record((("text", Plain.TEXT),))))
        {'list': [{'name': 'text', 'dtype': 'string'}]}
    """
    if isinstance(held, Plain):
        return {"dtype": _LOADED[held]}
    if isinstance(held, Record):
        return {"struct": [{"name": name, **loaded_as(part)} for name, part in held.parts]}
    inner = loaded_as(held.of)
    # A list of a list is the one that is not shortened.
    return {"list": inner.get("dtype") or inner.get("struct") or inner}


def in_words(held: CellType) -> str:
    """Return a type for people.

    Example:
        >>> in_words(ListOf(Record((("text", Plain.TEXT), ("start", Plain.COUNT)))))
        'list of (text, start)'
    """
    if isinstance(held, Plain):
        return _WORDS[held]
    if isinstance(held, ListOf):
        return f"list of {in_words(held.of)}"
    return f"({', '.join(name for name, _ in held.parts)})"


def _held(field_type: FieldType) -> CellType | None:
    if isinstance(field_type, RatingType) and field_type.not_applicable:
        return None
    if isinstance(field_type, SpansType) and field_type.labels:
        return ListOf(Record((*_PLACE, ("label", Plain.TEXT))))
    return _HELD.get(field_type.type_name)
