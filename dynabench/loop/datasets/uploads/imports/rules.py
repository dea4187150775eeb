"""Going through a file's rows: what is an item waits aside, what is wrong is told."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import BinaryIO

import orjson

from dynabench.engines.row_files.reading import next_rows
from dynabench.engines.row_files.values import Row, RowProblem
from dynabench.kit.wire import Values
from dynabench.loop.contexts.rules import content_digest as context_digest
from dynabench.loop.datasets.uploads.duplicates.rules import Duplicates, Sameness
from dynabench.loop.datasets.uploads.rules import ItemReader, RowError, made_uid
from dynabench.loop.datasets.uploads.values import MAX_ITEMS, PROBLEMS_TOLD, ItemProblem
from dynabench.loop.datasets.values import DatasetItem, Split

_ROWS_AT_ONCE = 500


class FileReading:
    """One file on its way: its items are put aside on the disk, so that few are in memory.

    Args:
        rows: The rows of the file.
        reader: Makes items of them.
        aside: An open file that takes the items.
        media_names: The fields that hold a picture or a sound.
    """

    def __init__(
        self,
        rows: Iterator[Row | RowProblem],
        *,
        reader: ItemReader,
        aside: BinaryIO,
        media_names: frozenset[str] = frozenset(),
    ) -> None:
        self._rows = rows
        self._reader = reader
        self._aside = aside
        self._media_names = media_names
        self.problems: list[ItemProblem] = []
        self.more_problems = 0
        self.sizes: Counter[Split] = Counter()
        self.duplicates = Duplicates()
        # Of each item in order: what it holds for the fields of media, and its line.
        self.media: list[tuple[Values, int]] = []

    @property
    def items(self) -> int:
        """How many items were put aside."""
        return self.sizes.total()

    @property
    def passed_over(self) -> list[str]:
        """The columns of the file that nobody asked for."""
        return [*self._reader.passed_over]

    def step(self) -> bool:
        """Read the next rows; tells whether more follow."""
        rows = next_rows(self._rows, most_rows=_ROWS_AT_ONCE)
        for row in rows:
            if isinstance(row, RowProblem):
                self.note(row.line, row.column, row.sentence)
            else:
                self._take(row)
        if self.items > MAX_ITEMS:
            self.note(None, None, f"The file has more than {MAX_ITEMS:,} items; split it up.")
            return False
        if rows:
            return True
        if not self.items and not self.problems:
            self.note(None, None, "The file holds no item; write one row an item.")
        return False

    def note(self, line: int | None, field: str | None, message: str) -> None:
        """Keep a problem, or count it where enough are told."""
        if len(self.problems) < PROBLEMS_TOLD:
            self.problems.append(ItemProblem(line, field, message))
        else:
            self.more_problems += 1

    def _take(self, row: Row) -> None:
        try:
            item = self._reader.read(row.values)
        except RowError as error:
            for field, message in error.problems:
                self.note(row.line, field, message)
            return
        sameness, line = self.duplicates.take(item, line=row.line)
        if sameness is Sameness.UID_TAKEN and item.uid == made_uid(
            item.context, item.inputs, item.split
        ):
            item = self.duplicates.numbered(item)
            sameness, line = self.duplicates.take(item, line=row.line)
        if sameness is Sameness.UID_TAKEN:
            self.note(row.line, "uid", f"It stands in line {line} already, for another item.")
        if sameness is not Sameness.NEW:
            return
        self._aside.write(written_item(replace(item, position=self.sizes[item.split])))
        self.sizes[item.split] += 1
        if self._media_names:
            values = {**item.context, **item.inputs}
            held = {name: values[name] for name in self._media_names if name in values}
            self.media.append((held, row.line))


def next_items(aside: BinaryIO, limit: int) -> list[DatasetItem]:
    """Return the next of the items that were put aside."""
    return [_item_of(line) for line in islice(aside, limit)]


def with_media(item: DatasetItem, media: Values) -> DatasetItem:
    """Return an item with the files' own digests in place of what stood for them."""
    context, inputs = (
        {name: media.get(name, value) for name, value in part.items()}
        for part in (item.context, item.inputs)
    )
    digest = context_digest(context or inputs)
    return replace(item, context=context, inputs=inputs, context_digest=digest)


def written_item(item: DatasetItem) -> bytes:
    """Return the line that an item waits in until it is stored."""
    values = {
        "uid": item.uid,
        "split": item.split,
        "position": item.position,
        "context": item.context,
        "inputs": item.inputs,
        "gold": item.gold,
        "tags": item.tags,
        "annotator": item.annotator,
        "is_fooling": item.is_fooling,
        "is_verified": item.is_verified,
        "context_digest": item.context_digest.hex(),
        "original_uid": item.original_uid,
        "transform": item.transform,
    }
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def _item_of(line: bytes) -> DatasetItem:
    values = orjson.loads(line)
    values["split"] = Split(values["split"])
    values["tags"] = tuple(values["tags"])
    values["context_digest"] = bytes.fromhex(values["context_digest"])
    return DatasetItem(**values)
