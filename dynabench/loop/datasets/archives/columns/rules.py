"""From items to lines of JSON and cells of columns, some thousand at a time."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias, cast

import orjson
from pydantic import JsonValue

from dynabench.engines.row_files.cells import TEXTS, CellType, Plain
from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.types.rules import cell_of
from dynabench.loop.datasets.archives.columns.values import Column, Form, ItemRow, Part
from dynabench.loop.datasets.archives.media.values import PlacedFile
from dynabench.science.task_config.elements import Field
from dynabench.science.task_config.schema import TaskConfig

Media: TypeAlias = Mapping[str, PlacedFile]
Converted: TypeAlias = tuple[bytes, dict[str, list[object]]]

NO_MEDIA: Media = MappingProxyType({})
UID = "uid"
_TAGS = "tags"
_CANARY = "canary"
_VARIED = ("original_uid", "transform")
_ITEM: Mapping[str, tuple[CellType, str]] = {
    UID: (Plain.TEXT, "The item's name in this dataset."),
    _TAGS: (TEXTS, "What kind of item it is."),
    "annotator": (Plain.TEXT, "A pseudonym of who wrote it, within this dataset."),
    "is_fooling": (Plain.TRUTH, "Whether it fooled the models it was written against."),
    "is_verified": (Plain.TRUTH, "Whether other people confirmed its answer."),
    "original_uid": (Plain.TEXT, "The item of the original set that this one varies."),
    "transform": (Plain.TEXT, "How it was varied."),
    _CANARY: (Plain.TEXT, "A text to search training data for; it is the same in every row."),
}
_PARTS: Mapping[Part, str] = {
    Part.CONTEXT: "Part of what the annotator read.",
    Part.INPUTS: "Written by the annotator.",
    Part.GOLD: "The right answer.",
}


def columns_of(
    config: TaskConfig, *, several: Collection[str], is_varied: bool, has_canary: bool = False
) -> tuple[Column, ...]:
    """Return the columns of a task's items, each with cells of its field's type.

    Args:
        config: The task's config.
        several: The gold fields of which some item has more than one acceptable answer.
        is_varied: Whether the set varies another one.
        has_canary: Whether its card names a canary.
    """
    own = [
        Column(name=name, part=Part.ITEM, key=name, held=held, form=Form.AS_IS, description=about)
        for name, (held, about) in _ITEM.items()
        if (is_varied or name not in _VARIED) and (has_canary or name != _CANARY)
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
    held, form = cell_of(field.type, has_several=has_several)
    description = _PARTS[part]
    if part is Part.GOLD and has_several:
        description = "The acceptable answers, of which any is right."
    label = "" if field.display_name is None else config.text(field.display_name)
    told = f"{label}. {description}" if label else description
    return Column(
        name=name,
        part=part,
        key=field.name,
        held=held,
        form=form,
        description=f"{told} As JSON." if form is Form.JSON else told,
    )


class ItemTable:
    """Turns rows into lines of JSON and cells of columns.

    Args:
        columns: The table's columns.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self._columns = columns
        self._media = tuple(one for one in columns if one.form is Form.MEDIA)

    @property
    def held(self) -> dict[str, CellType]:
        """What each column holds."""
        return {one.name: one.held for one in self._columns}

    def mentions(self, rows: Iterable[ItemRow]) -> set[str]:
        """Return the digests of the files that rows name."""
        parts = {one.part for one in self._media}
        digests: set[str] = set()
        for row in rows:
            values = {part: orjson.loads(getattr(row, part.value)) for part in parts}
            named = (values[one.part].get(one.key) for one in self._media)
            digests.update(value["media"] for value in named if value is not None)
        return digests

    def convert(
        self, rows: Sequence[ItemRow], *, with_gold: bool, media: Media = NO_MEDIA
    ) -> Converted:
        """Return rows as canonical JSON lines and as columns.

        Args:
            rows: The items.
            with_gold: Whether the right answers are told; ones kept back are null in both.
            media: Where each file is that the rows name, by its digest.
        """
        contexts = [orjson.loads(row.context) for row in rows]
        inputs = [orjson.loads(row.inputs) for row in rows]
        gold = [orjson.loads(row.gold) if with_gold else None for row in rows]
        tags = [orjson.loads(row.tags) for row in rows]
        values = {Part.CONTEXT: contexts, Part.INPUTS: inputs, Part.GOLD: gold}
        cells: dict[str, list[object]] = {}
        for column in self._columns:
            if column.part is not Part.ITEM:
                cells[column.name] = _cells(column, values[column.part], media)
            elif column.key == _TAGS:
                cells[column.name] = tags
            else:
                cells[column.name] = [getattr(row, column.key) for row in rows]
        paths = self._paths(cells, rows=len(rows))
        lines = b"".join(
            _line(row, *parts)
            for row, *parts in zip(rows, contexts, inputs, gold, tags, paths, strict=True)
        )
        return lines, cells

    def _paths(self, cells: Mapping[str, list[object]], *, rows: int) -> Iterable[Values | None]:
        """Return where each row's files are, by column; None where items name none."""
        if not self._media:
            return [None] * rows
        told = [[_path(cell) for cell in cells[one.name]] for one in self._media]
        names = [one.name for one in self._media]
        return [dict(zip(names, some, strict=True)) for some in zip(*told, strict=True)]


def _line(
    row: ItemRow,
    context: Values,
    inputs: Values,
    gold: Values | None,
    tags: list[str],
    paths: Values | None,
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
    if paths is not None:
        line["media"] = paths
    if row.canary is not None:
        line["canary"] = row.canary
    # Stored values are JSON, and canonical_json refuses what is not.
    return canonical_json(cast("dict[str, JsonValue]", line)) + b"\n"


def _cells(column: Column, parts: Iterable[Values | None], media: Media) -> list[object]:
    key = column.key
    found = [None if part is None else part.get(key) for part in parts]
    match column.form:
        case Form.JSON:
            return [None if one is None else _json(one) for one in found]
        case Form.MEDIA:
            return [None if one is None else _file(one, media) for one in found]
        case Form.ANSWERS:
            return [one if one is None or isinstance(one, list) else [one] for one in found]
        case Form.LISTS:
            return [one if one is None or _are_several(one) else [one] for one in found]
    return found


def _are_several(answer: object) -> bool:
    """Tell whether a list holds lists: several answers, each of which is one."""
    return isinstance(answer, list) and bool(answer) and isinstance(answer[0], list)


def _file(value: object, media: Media) -> Values:
    # The values of such a field are checked before they are stored.
    named = cast("Mapping[str, str]", value)
    placed = media[named["media"]]
    told: Values = {
        "digest": placed.digest,
        "path": placed.path,
        "media_type": placed.media_type,
    }
    return {**told, "alt": named["alt"]} if "alt" in named else told


def _path(cell: object) -> object:
    return cell["path"] if isinstance(cell, dict) else None


def _json(value: object) -> str:
    # As `_line` says.
    return canonical_json(cast("JsonValue", value)).decode()
