"""Unpacking what came from outside: zip and tar.gz, entry by entry, never more than allowed.

Nothing but plain files and folders is made, each new and below the target folder, so that no
entry can lead another one elsewhere. Sizes are counted while they are written: what an
archive says about itself is not believed.
"""

import errno
import gzip
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from dynabench.engines.sandbox.entries import Entries, EntryKind, shown
from dynabench.engines.sandbox.errors import ArchiveError

_MEBIBYTE = 2**20
_CHUNK = 256 * 1024
_ZIP_MAGIC, _EMPTY_ZIP_MAGIC, _GZIP_MAGIC = b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b"
_ENCRYPTED = 0x1
_END, _END_64, _LOCATOR = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_END_BYTES, _END_64_BYTES, _LOCATOR_BYTES, _COMMENT_BYTES = 22, 56, 20, 65_535
# An entry of the directory takes 46 bytes and its name; this is a generous mean of both.
_DIRECTORY_BYTES_PER_FILE = 1_024
# No header needs more at once; the library would read whatever a header asks for.
_MAX_HEADER_BYTES = _MEBIBYTE
_UNREADABLE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    struct.error,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    RecursionError,
    IndexError,
    KeyError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """What an archive may hold.

    Attributes:
        max_bytes: All files together, unpacked.
        max_files: Files and folders.
        max_ratio: Unpacked bytes per packed byte, once `ratio_from_bytes` are unpacked.
        ratio_from_bytes: Up to this a ratio is nobody's concern.
    """

    max_bytes: int = 8 * 1024 * _MEBIBYTE
    max_files: int = 10_000
    max_ratio: int = 200
    ratio_from_bytes: int = 64 * _MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """What came out of an archive."""

    files: int
    total_bytes: int


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def unpack_archive(source: Path, into: Path, *, limits: ArchiveLimits | None = None) -> Unpacked:
    """Unpack a zip or tar.gz into an empty folder, which every user may then read.

    What was unpacked before a problem was found stays there: the caller removes the folder.

    Raises:
        ArchiveError: If the archive is not taken, with the entry and the reason.
        OSError: If this machine cannot write it (a full disk), which is not the archive's fault.
    """
    limits = limits or ArchiveLimits()
    with source.open("rb") as file:
        magic = file.read(4)
    kinds = {_ZIP_MAGIC: _unpack_zip, _EMPTY_ZIP_MAGIC: _unpack_zip}
    unpack = kinds.get(magic) or (_unpack_tar if magic.startswith(_GZIP_MAGIC) else None)
    if unpack is None:
        raise ArchiveError(problem="The file is neither a zip nor a tar.gz archive.")
    into.mkdir(exist_ok=True)
    into.chmod(0o755)
    writer = _Writer(into, limits, packed_bytes=source.stat().st_size)
    unpack(source, writer, limits)
    if not writer.entries.files:
        raise ArchiveError(problem="The archive holds no file.")
    return Unpacked(files=writer.entries.files, total_bytes=writer.total_bytes)


class _Writer:
    """Writes entries below one folder and keeps count."""

    def __init__(self, into: Path, limits: ArchiveLimits, *, packed_bytes: int) -> None:
        self._into = into
        self._limits = limits
        self._packed_bytes = max(packed_bytes, 1)
        self.entries = Entries(max_files=limits.max_files)
        self.total_bytes = 0

    def add_folder(self, name: str) -> None:
        """Make a folder."""
        self._folder(self.entries.add(name, EntryKind.FOLDER))

    def add_file(self, name: str, content: _Readable) -> None:
        """Write a file, chunk by chunk."""
        path = self.entries.add(name, EntryKind.FILE)
        self._folder(path[:-1])
        target = self._into.joinpath(*path)
        with target.open("xb") as file:
            while chunk := _read(content, name):
                self._count(len(chunk), name)
                file.write(chunk)
        target.chmod(0o644)

    def _folder(self, path: tuple[str, ...]) -> None:
        place = self._into
        for part in path:
            place /= part
            if not place.is_dir():
                place.mkdir()
                place.chmod(0o755)

    def _count(self, size: int, name: str) -> None:
        self.total_bytes += size
        if self.total_bytes > self._limits.max_bytes:
            most = self._limits.max_bytes // _MEBIBYTE
            problem = f"The archive unpacks to more than {most} MiB."
            raise ArchiveError(problem=problem, entry=shown(name))
        ratio = self.total_bytes / self._packed_bytes
        if self.total_bytes > self._limits.ratio_from_bytes and ratio > self._limits.max_ratio:
            problem = (
                f"The archive unpacks to more than {self._limits.max_ratio} times its size, "
                "as no model does."
            )
            raise ArchiveError(problem=problem, entry=shown(name))


def _read(content: _Readable, name: str) -> bytes:
    """Read on; a broken archive is told apart from a disk that cannot be written."""
    try:
        return content.read(_CHUNK)
    except (*_UNREADABLE, OSError) as error:
        problem = f"The archive is damaged at '{shown(name)}': {error}."
        raise ArchiveError(problem=problem, entry=shown(name)) from error


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except _UNREADABLE as error:
        raise ArchiveError(problem=f"The archive cannot be read: {error}.") from error
    except OSError as error:
        # A place before the file's beginning, or gzip's own complaint; not a disk's.
        if error.errno not in {None, errno.EINVAL}:
            raise
        raise ArchiveError(problem=f"The archive cannot be read: {error}.") from error


def _unpack_zip(source: Path, writer: _Writer, limits: ArchiveLimits) -> None:
    with source.open("rb") as file, _readable():
        _check_directory(file, limits)
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                _check_zip_entry(entry)
                if entry.is_dir():
                    writer.add_folder(entry.filename)
                    continue
                with archive.open(entry) as content:
                    writer.add_file(entry.filename, content)


def _check_zip_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.filename
    if entry.flag_bits & _ENCRYPTED:
        problem = f"'{shown(name)}' is encrypted; pack it without a password."
        raise ArchiveError(problem=problem, entry=shown(name))
    # The upper half is the file's Unix mode, where the archive was made on such a system.
    kind = (entry.external_attr >> 16) & 0o170000
    if kind not in {0, 0o100000, 0o040000}:
        raise _odd_entry(name)


def _check_directory(file: BinaryIO, limits: ArchiveLimits) -> None:
    """Refuse a directory that alone would fill the memory, before the library reads it."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_BYTES - _COMMENT_BYTES))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_BYTES:
        raise ArchiveError(problem="The archive is cut short: its directory is missing.")
    count, length = struct.unpack_from("<HI", tail, place + 10)
    # The library believes the larger record only where its locator follows it.
    locator = place - _LOCATOR_BYTES
    before = locator - _END_64_BYTES
    if locator >= 0 and tail[locator : locator + 4] == _LOCATOR:
        if before < 0 or tail[before : before + 4] != _END_64:
            raise ArchiveError(problem="The archive cannot be read: its directory is not there.")
        count, length = struct.unpack_from("<QQ", tail, before + 32)
    if count > limits.max_files or length > limits.max_files * _DIRECTORY_BYTES_PER_FILE:
        raise ArchiveError(problem=f"The archive holds more than {limits.max_files:,} files.")
    file.seek(0)


class _Guarded:
    """A tar file's bytes, of which no header gets more than it needs and none is read twice."""

    def __init__(self, stream: gzip.GzipFile, *, max_bytes: int) -> None:
        self._stream = stream
        self._max_bytes = max_bytes

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= _MAX_HEADER_BYTES:
            raise ArchiveError(problem="The archive holds a header that is far too large.")
        found = self._stream.read(size)
        if self._stream.tell() > self._max_bytes:
            most = self._max_bytes // _MEBIBYTE
            raise ArchiveError(problem=f"The archive unpacks to more than {most} MiB.")
        return found

    def seek(self, place: int, whence: int = 0) -> int:
        if whence != 0 or place > self._max_bytes:
            raise ArchiveError(problem="The archive cannot be read: an entry has no end.")
        return self._stream.seek(place)

    def tell(self) -> int:
        return self._stream.tell()


def _unpack_tar(source: Path, writer: _Writer, limits: ArchiveLimits) -> None:
    # A header of its own and the rest of a block come with each file.
    most = limits.max_bytes + 4096 * limits.max_files
    with _readable(), gzip.open(source, "rb") as stream:
        guarded = _Guarded(stream, max_bytes=most)
        # It has what the library asks of a file that is read from its beginning.
        with tarfile.open(fileobj=guarded, mode="r:") as archive:  # type: ignore[call-overload]
            for entry in archive:
                _add_tar_entry(archive, entry, writer)


def _add_tar_entry(archive: tarfile.TarFile, entry: tarfile.TarInfo, writer: _Writer) -> None:
    if entry.isdir():
        writer.add_folder(entry.name)
        return
    if not entry.isreg() or entry.issparse():
        raise _odd_entry(entry.name)
    content = archive.extractfile(entry)
    assert content is not None
    writer.add_file(entry.name, content)


def _odd_entry(name: str) -> ArchiveError:
    problem = f"'{shown(name)}' is a link or a device; pack the file itself."
    return ArchiveError(problem=problem, entry=shown(name))
