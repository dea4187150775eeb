"""Calls about archives: one file for a dataset version, whose download goes on where it broke."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias

from dynabench.client.addresses import DatasetRef, Id
from dynabench.client.calls import get, path, post
from dynabench.client.errors import ArchiveDamagedError, ArchiveNotMadeError, ServerUnreachableError
from dynabench.client.failures import error_of
from dynabench.client.files import OnProgress
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Answer, NoAnswer, Pause, Request, Steps
from dynabench.loop.datasets.archives.schemas import ArchiveRead
from dynabench.loop.datasets.archives.values import ArchiveState
from dynabench.loop.datasets.schemas import DatasetVersionRead

OnArchive: TypeAlias = Callable[[ArchiveRead], None]

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 3.0
_HASHED_BYTES = 1 << 20
# A line that breaks this often without a single byte is not there.
_MOST_BREAKS = 6
_MAY_PASS = frozenset({429, 502, 503, 504})


class ArchiveCalls(Calls[FaceT]):
    """Dataset versions as one file."""

    @Endpoint
    def archive(self, dataset: DatasetRef) -> Steps[ArchiveRead]:
        """Tell how far a version's archive is, and what is in it."""
        return get(_where(dataset, "state"), ArchiveRead)

    @Endpoint
    def make_archive(self, dataset: DatasetRef) -> Steps[ArchiveRead]:
        """Have a version's archive made, unless it is there or on its way."""
        return post(_where(dataset), ArchiveRead)

    @Endpoint
    def wait_for_archive(
        self, dataset: DatasetRef, *, on_progress: OnArchive | None = None
    ) -> Steps[ArchiveRead]:
        """Return a version's archive once it is made; it is asked for first where it is not there.

        Args:
            dataset: The version.
            on_progress: Told each time how far it is.

        Raises:
            ArchiveNotMadeError: If the server could not make it.
        """
        return _made(dataset, on_progress)

    @Endpoint
    def download(
        self,
        dataset: DatasetRef,
        to: str | Path | None = None,
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[Path]:
        """Write a version as one zip: Parquet, JSON lines, pictures and sounds, card, metadata.

        What was received before a line broke, or before this program was stopped, is not sent
        again: it waits beside the file, in one that ends in `.part`. The file appears under its
        name when it is whole and its digest is right.

        Args:
            dataset: The version.
            to: A path, or a folder in which the file gets the server's name for it; by default
                the folder of this process.
            on_progress: Told the bytes received, and of how many.

        Returns:
            Where the file is.

        Raises:
            ArchiveNotMadeError: If the server could not make it.
            ArchiveDamagedError: If what came is not what was announced.
        """
        return _download(dataset, Path(to or "."), on_progress)

    @Endpoint
    def open_test(self, dataset: DatasetRef) -> Steps[DatasetVersionRead]:
        """Give out the right answers of a version for good (owners)."""
        return post(path("dataset-versions", dataset, "open-test"), DatasetVersionRead)


def _where(version_id: Id, *more: str) -> str:
    return path("dataset-versions", version_id, "archive", *more)


@dataclass
class _PartSink:
    """Writes what follows to what is there, or begins anew where the whole is sent."""

    file: BinaryIO
    total: int
    on_progress: OnProgress | None
    there: int

    def start(self, total: int | None, *, is_part: bool = False) -> None:
        del total
        if not is_part:
            self.there = 0
        self.file.seek(self.there)
        self.file.truncate()
        self._tell()

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self.there += len(data)
        self._tell()

    def _tell(self) -> None:
        if self.on_progress is not None:
            self.on_progress(self.there, self.total)


def _download(version_id: Id, to: Path, on_progress: OnProgress | None) -> Steps[Path]:
    archive = yield from _made(version_id)
    assert archive.digest is not None
    assert archive.size_bytes is not None
    whole = to / archive.file_name if to.is_dir() else to
    # Named by what it is a part of: another archive's part is of no use.
    part = whole.with_name(f"{whole.name}.{archive.digest[:12]}.part")
    part.touch()
    with part.open("r+b") as file:
        there = part.stat().st_size
        sink = _PartSink(file, archive.size_bytes, on_progress, there=there)
        yield from _receive(version_id, archive.digest, sink)
    if sink.there != archive.size_bytes or _digest(part) != archive.digest:
        part.unlink()
        raise ArchiveDamagedError(name=whole.name)
    part.replace(whole)
    return whole


def _made(version_id: Id, on_progress: OnArchive | None = None) -> Steps[ArchiveRead]:
    archive = yield from get(_where(version_id, "state"), ArchiveRead)
    if archive.state in {ArchiveState.MISSING, ArchiveState.FAILED}:
        archive = yield from post(_where(version_id), ArchiveRead)
    pauses = _pauses()
    while archive.state is ArchiveState.MAKING:
        if on_progress is not None:
            on_progress(archive)
        yield Pause(seconds=next(pauses))
        archive = yield from get(_where(version_id, "state"), ArchiveRead)
    if archive.state is not ArchiveState.READY:
        raise ArchiveNotMadeError(name=archive.file_name, reason=archive.error)
    return archive


def _receive(version_id: Id, digest: str, sink: _PartSink) -> Steps[None]:
    """Have the rest sent, again from where it broke as long as something comes."""
    breaks, pauses = 0, _pauses()
    while sink.there < sink.total:
        before = sink.there
        headers = {"range": f"bytes={before}-", "if-range": f'"{digest}"'} if before else {}
        reply = yield Request(
            method="GET", path=_where(version_id), headers=headers, sink=sink, is_repeatable=False
        )
        assert reply is not None
        if isinstance(reply, Answer) and reply.is_good:
            return
        if isinstance(reply, Answer) and reply.status not in _MAY_PASS:
            raise error_of(reply)
        breaks = 0 if sink.there > before else breaks + 1
        if breaks >= _MOST_BREAKS and isinstance(reply, NoAnswer):
            raise ServerUnreachableError(url=reply.url, reason=reply.reason)
        if breaks >= _MOST_BREAKS and isinstance(reply, Answer):
            raise error_of(reply)
        yield Pause(seconds=next(pauses))


def _digest(file: Path) -> str:
    found = hashlib.sha256()
    with file.open("rb") as opened:
        while piece := opened.read(_HASHED_BYTES):
            found.update(piece)
    return found.hexdigest()


def _pauses() -> Iterator[float]:
    pause = _FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)
