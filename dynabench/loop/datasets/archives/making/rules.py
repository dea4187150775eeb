"""Writing an archive: rows as they come into one open file, nothing else kept in memory."""

from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

from dynabench.engines.row_files.cells import CellType
from dynabench.engines.row_files.packing import PackedFile, Packing
from dynabench.engines.row_files.parquet_writing import ParquetWriting
from dynabench.kit.wire import Values
from dynabench.loop.datasets.archives.columns.types.rules import loaded_as
from dynabench.loop.datasets.archives.making.values import Subject
from dynabench.loop.datasets.archives.media.rules import LIST
from dynabench.loop.datasets.archives.rules import SPLIT_NAMES
from dynabench.loop.datasets.archives.values import ArchivedFile
from dynabench.loop.datasets.rules import told_card
from dynabench.loop.datasets.values import Split

Cells = Mapping[str, Sequence[object]]


class SplitWriting:
    """One split on its way: its lines go straight into the archive, its table waits aside.

    Args:
        packing: The archive; nothing else is added to it meanwhile.
        split: Which.
        columns: What each column of the table holds.
        aside: An empty file for the table.
    """

    def __init__(
        self,
        packing: Packing,
        split: Split,
        *,
        columns: Mapping[str, CellType],
        aside: BinaryIO,
    ) -> None:
        self._packing = packing
        self._name = f"data/{SPLIT_NAMES[split]}"
        self._aside = aside
        self._items = 0
        self._table = ParquetWriting(aside, columns)
        self._lines = packing.begin(f"{self._name}.jsonl")

    def write(self, lines: bytes, cells: Cells, *, items: int) -> None:
        """Write the next items."""
        self._lines.write(lines)
        self._table.add(cells)
        self._items += items

    def end(self) -> tuple[ArchivedFile, ArchivedFile]:
        """End both files; returns what is known of the lines and of the table."""
        lines = self._lines.end()
        self._table.end()
        self._aside.seek(0)
        table = self._packing.copy(f"{self._name}.parquet", self._aside, is_packed=True)
        return archived(lines, items=self._items), archived(table, items=self._items)

    def abandon(self) -> None:
        """Let go of both files; the archive is of no use then."""
        self._lines.abandon()
        self._table.abandon()


def archived(file: PackedFile, *, items: int | None = None) -> ArchivedFile:
    """Return what is told of a file in an archive."""
    return ArchivedFile(name=file.name, sha256=file.sha256, size_bytes=file.size_bytes, items=items)


def add_texts(packing: Packing, texts: Mapping[str, Callable[[], bytes]]) -> list[ArchivedFile]:
    """Add small files and end the archive."""
    told = [archived(packing.add(name, text())) for name, text in texts.items()]
    packing.end()
    return told


def features(subject: Subject) -> list[Values]:
    """Return what each column holds, as programs that load datasets write it."""
    return [{"name": one.name, **loaded_as(one.held)} for one in subject.columns]


def card_for_programs(subject: Subject) -> Values:
    """Return everything that is said of a version, for programs."""
    version = subject.version
    opened = version.test_opened_at
    return {
        "name": version.name,
        "version": version.version,
        "task": subject.task_slug,
        "digest": version.digest,
        "licence": version.licence,
        "language": subject.language,
        "created_at": version.created_at.isoformat(),
        "withheld": [SPLIT_NAMES[split] for split in subject.withheld],
        "test_opened_at": None if opened is None else opened.isoformat(),
        "columns": {one.name: one.description for one in subject.columns},
        "features": features(subject),
        "media": _media_for_programs(subject),
        "files": [
            {"name": one.name, "sha256": one.sha256, "bytes": one.size_bytes, "items": one.items}
            for one in subject.files
        ],
        "card": told_card(version),
    }


def _media_for_programs(subject: Subject) -> Values | None:
    media = subject.media
    if media is None:
        return None
    return {
        "files": media.files,
        "bytes": media.size_bytes,
        "types": media.types,
        "are_included": media.are_included,
        "listed_in": LIST,
    }
