"""Writing a task's file: the same rows give the same bytes."""

import hashlib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO, Self

import orjson

from dynabench.loop.interchange.transfer.schemas import PartRead, TaskManifest
from dynabench.loop.interchange.transfer.values import BLOBS_FOLDER, MANIFEST, PARTS_FOLDER

# The first day that a zip knows; a file does not tell when it was written.
_NO_DAY = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16
_UNIX = 3
_CHUNK = 256 * 1024
_ORDER = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


class TaskFileWriter:
    """Writes a task's file aside; only `finish` puts it where it was asked for.

    Args:
        target: The file.
        require_room: Called before each piece; raises where there is no room for more.
    """

    def __init__(self, target: Path, *, require_room: Callable[[], None] = lambda: None) -> None:
        self._target = target
        self._require_room = require_room
        self._aside = target.with_name(f".{target.name}.unfinished")
        self._zip = zipfile.ZipFile(self._aside, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.parts: dict[str, PartRead] = {}
        self.blobs: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()
        self._aside.unlink(missing_ok=True)

    @contextmanager
    def part(self, name: str) -> Iterator["PartWriter"]:
        """Open a part, which is closed with its block; one part is open at a time."""
        with self._open(f"{PARTS_FOLDER}/{name}.jsonl", zipfile.ZIP_DEFLATED) as file:
            writer = PartWriter(file, require_room=self._require_room)
            yield writer
        self.parts[name] = writer.told()

    def add_blob(self, digest: str, source: BinaryIO) -> None:
        """Add a stored file, which is packed already or will hardly shrink."""
        size = 0
        with self._open(f"{BLOBS_FOLDER}/{digest}", zipfile.ZIP_STORED) as file:
            while chunk := source.read(_CHUNK):
                self._require_room()
                file.write(chunk)
                size += len(chunk)
        self.blobs[digest] = size

    def finish(self, manifest: TaskManifest) -> int:
        """Add the manifest and put the file in its place; returns its size."""
        text = orjson.dumps(manifest.model_dump(mode="json"), option=_ORDER | orjson.OPT_INDENT_2)
        with self._open(MANIFEST, zipfile.ZIP_DEFLATED) as file:
            file.write(text)
        self._zip.close()
        size = self._aside.stat().st_size
        self._aside.replace(self._target)
        return size

    @contextmanager
    def _open(self, name: str, compression: int) -> Iterator[IO[bytes]]:
        entry = zipfile.ZipInfo(name, date_time=_NO_DAY)
        entry.compress_type = compression
        entry.external_attr = _PLAIN_FILE
        entry.create_system = _UNIX
        with self._zip.open(entry, "w", force_zip64=True) as file:
            yield file


class PartWriter:
    """Writes the rows of one part, a canonical line each."""

    def __init__(self, file: IO[bytes], *, require_room: Callable[[], None]) -> None:
        self._file = file
        self._require_room = require_room
        self._sum = hashlib.sha256()
        self._rows = 0
        self._bytes = 0

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Write the next rows."""
        lines = [orjson.dumps(row, option=_ORDER) for row in rows]
        text = b"".join(lines)
        self._require_room()
        self._file.write(text)
        self._sum.update(text)
        self._rows += len(lines)
        self._bytes += len(text)

    def told(self) -> PartRead:
        """Return what the manifest says of the part."""
        return PartRead(rows=self._rows, bytes=self._bytes, sha256=self._sum.hexdigest())
