"""Files on their way to and from the server, piece by piece."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeAlias

from dynabench.client.calls import Query, exchange, written
from dynabench.client.steps import Request, Steps

_PIECE_BYTES = 64 * 1024

OnProgress: TypeAlias = Callable[[int, int | None], None]
"""Told how many bytes have moved, and of how many where that is known."""

Rows: TypeAlias = Iterable[Mapping[str, object]]


def _ignore(moved: int, total: int | None) -> None:
    del moved, total


@dataclass
class FileSink:
    """Writes an answer to a file; a broken attempt is written over by the next one."""

    file: BinaryIO
    on_progress: OnProgress
    written: int = 0
    total: int | None = None
    beginning: int | None = field(default=None)

    def start(self, total: int | None, *, is_part: bool = False) -> None:
        """Go back to where the file stood before the first attempt."""
        del is_part
        if self.file.seekable():
            if self.beginning is None:
                self.beginning = self.file.tell()
            self.file.seek(self.beginning)
            self.file.truncate()
        self.written, self.total = 0, total
        self.on_progress(0, total)

    def write(self, data: bytes) -> None:
        """Write the next piece."""
        self.file.write(data)
        self.written += len(data)
        self.on_progress(self.written, self.total)


def download(
    where: str,
    to: str | Path | BinaryIO,
    *,
    query: Query | None = None,
    on_progress: OnProgress | None = None,
) -> Steps[int]:
    """Write what the server sends to a file; return its size in bytes.

    A file named by its path appears under its name only when it is whole.
    """
    if not isinstance(to, str | Path):
        return (yield from _receive(where, to, query, on_progress or _ignore))
    whole = Path(to)
    part = whole.with_name(f"{whole.name}.part")
    try:
        with part.open("wb") as file:
            size = yield from _receive(where, file, query, on_progress or _ignore)
        part.replace(whole)
    finally:
        part.unlink(missing_ok=True)
    return size


def _receive(
    where: str, file: BinaryIO, query: Query | None, on_progress: OnProgress
) -> Steps[int]:
    sink = FileSink(file, on_progress)
    # What went into a pipe cannot be taken back, so there it is sent once.
    yield from exchange(
        Request(
            method="GET",
            path=where,
            parameters=written(query),
            sink=sink,
            is_repeatable=file.seekable(),
        )
    )
    return sink.written


def upload_lines(
    where: str,
    source: str | Path | Rows,
    *,
    method: str = "POST",
    on_progress: OnProgress | None = None,
) -> Request:
    """Return the request that sends JSON lines from a file, or one line for each row."""
    tell = on_progress or _ignore
    headers = {"content-type": "application/x-ndjson"}
    if isinstance(source, str | Path):
        file = Path(source)
        size = file.stat().st_size
        return Request(
            method=method,
            path=where,
            headers=headers,
            body=lambda: _counted(_pieces(file), total=size, on_progress=tell),
            length=size,
            is_repeatable=True,
        )
    return Request(
        method=method,
        path=where,
        headers=headers,
        body=lambda: _counted(_lines(source), total=None, on_progress=tell),
        # An iterator can be gone through only once.
        is_repeatable=not isinstance(source, Iterator),
    )


def upload_file(
    where: str, source: str | Path, *, method: str = "POST", on_progress: OnProgress | None = None
) -> Request:
    """Return the request that sends a file as it is."""
    file, tell = Path(source), on_progress or _ignore
    size = file.stat().st_size
    return Request(
        method=method,
        path=where,
        headers={"content-type": "application/octet-stream"},
        body=lambda: _counted(_pieces(file), total=size, on_progress=tell),
        length=size,
        is_repeatable=True,
    )


def _pieces(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE_BYTES):
            yield piece


def _lines(rows: Rows) -> Iterator[bytes]:
    """Write rows as lines, many to a piece; ASCII, so that any text survives."""
    gathered = bytearray()
    for row in rows:
        gathered += json.dumps(row, allow_nan=False).encode() + b"\n"
        if len(gathered) >= _PIECE_BYTES:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _counted(
    pieces: Iterator[bytes], *, total: int | None, on_progress: OnProgress
) -> Iterator[bytes]:
    sent = 0
    on_progress(0, total)
    for piece in pieces:
        yield piece
        sent += len(piece)
        on_progress(sent, total)
