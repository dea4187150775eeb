"""From items to lines of JSON and cells of columns, some thousand at a time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

import orjson
from pydantic import JsonValue

from dynabench.engines.row_files.parquet_writing import ColumnKind
from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.values import Column, ItemRow, Part
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.schema import TaskConfig

UID = "uid"
_TAGS = "tags"
_VARIED = ("original_uid", "transform")
_ITEM: Mapping[str, tuple[ColumnKind, str]] = {
    UID: (ColumnKind.TEXT, "The item's name in this dataset."),
    _TAGS: (ColumnKind.TEXTS, "What kind of item it is."),
    "annotator": (ColumnKind.TEXT, "A pseudonym of who wrote it, within this dataset."),
    "is_fooling": (ColumnKind.TRUTH, "Whether it fooled the models it was written against."),
    "is_verified": (ColumnKind.TRUTH, "Whether other people confirmed its answer."),
    "original_uid": (ColumnKind.TEXT, "The item of the original set that this one varies."),
    "transform": (ColumnKind.TEXT, "How it was varied."),
}
_KINDS: Mapping[str, ColumnKind] = {
    "string": ColumnKind.TEXT,
    "multiclass": ColumnKind.TEXT,
    "multilabel": ColumnKind.TEXTS,
    "number": ColumnKind.NUMBER,
    "rating": ColumnKind.NUMBER,
}
_PARTS: Mapping[Part, str] = {
    Part.CONTEXT: "Part of what the annotator read.",
    Part.INPUTS: "Written by the annotator.",
    Part.GOLD: "The right answer.",
}


def columns_of(
    config: TaskConfig, *, several: Collection[str], is_varied: bool
) -> tuple[Column, ...]:
    """Return the columns of a task's items: plain cells where the field is simple.

    Args:
        config: The task's config.
        several: The gold fields of which some item has more than one acceptable answer.
        is_varied: Whether the set varies another one.
    """
    own = [
        Column(name=name, part=Part.ITEM, key=name, kind=kind, is_json=False, description=about)
        for name, (kind, about) in _ITEM.items()
        if is_varied or name not in _VARIED
    ]
    taken = set(_ITEM)
    named = []
    parts = (
        (Part.CONTEXT, config.context),
        (Part.INPUTS, config.written_fields),
        (Part.GOLD, config.gold_fields),
    )
    for part, fields in parts:
        for field in fields:
            name = field.name if field.name not in taken else f"{part.value}_{field.name}"
            taken.add(name)
            named.append(_column(name, part, field, config, has_several=field.name in several))
    # What people look for stands before what is known of it.
    return (own[0], *named, *own[1:])


def _column(
    name: str, part: Part, field: Field, config: TaskConfig, *, has_several: bool
) -> Column:
    kind = _KINDS.get(field.type.type_name)
    is_json = kind is None
    description = _PARTS[part]
    if part is Part.GOLD and has_several:
        description = "The acceptable answers, of which any is right."
        # Several texts are a list; several lists, or numbers, are told as JSON.
        is_json = kind is not ColumnKind.TEXT
        kind = ColumnKind.TEXT if is_json else ColumnKind.TEXTS
    label = "" if field.display_name is None else config.text(field.display_name)
    told = f"{label}. {description}" if label else description
    return Column(
        name=name,
        part=part,
        key=field.name,
        kind=kind or ColumnKind.TEXT,
        is_json=is_json,
        description=f"{told} As JSON." if is_json else told,
    )


class ItemTable:
    """Turns rows into lines of JSON and cells of columns.

    Args:
        columns: The table's columns.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns

    def convert(
        self, rows: Sequence[ItemRow], *, with_gold: bool
    ) -> tuple[bytes, dict[str, list[object]]]:
        """Return rows as canonical JSON lines and as columns; a gold kept back is null in both."""
        contexts = [orjson.loads(row.context) for row in rows]
        inputs = [orjson.loads(row.inputs) for row in rows]
        gold = [orjson.loads(row.gold) if with_gold else None for row in rows]
        tags = [orjson.loads(row.tags) for row in rows]
        lines = b"".join(
            _line(row, *parts)
            for row, *parts in zip(rows, contexts, inputs, gold, tags, strict=True)
        )
        values = {Part.CONTEXT: contexts, Part.INPUTS: inputs, Part.GOLD: gold}
        cells: dict[str, list[object]] = {}
        for column in self._columns:
            if column.part is not Part.ITEM:
                cells[column.name] = _cells(column, values[column.part])
            elif column.key == _TAGS:
                cells[column.name] = tags
            else:
                cells[column.name] = [getattr(row, column.key) for row in rows]
        return lines, cells


def _line(
    row: ItemRow, context: Values, inputs: Values, gold: Values | None, tags: list[str]
) -> bytes:
    line: Values = {
        "annotator": row.annotator,
        "context": context,
        "gold": gold,
        "inputs": inputs,
        "is_fooling": row.is_fooling,
        "is_verified": row.is_verified,
        "tags": tags,
        "uid": row.uid,
    }
    if row.original_uid is not None:
        line["original_uid"] = row.original_uid
        line["transform"] = row.transform
    # Stored values are JSON, and canonical_json refuses what is not.
    return canonical_json(cast("dict[str, JsonValue]", line)) + b"\n"


def _cells(column: Column, parts: Iterable[Values | None]) -> list[object]:
    key = column.key
    found = [None if part is None else part.get(key) for part in parts]
    if column.is_json:
        return [None if one is None else _json(one) for one in found]
    if column.kind is ColumnKind.TEXTS and column.part is Part.GOLD:
        return [[one] if isinstance(one, str) else one for one in found]
    return found


def _json(value: object) -> str:
    # As above.
    return canonical_json(cast("JsonValue", value)).decode()
