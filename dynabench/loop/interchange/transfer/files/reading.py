"""Reading a task's file, of which nothing is believed before it was looked at."""

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson
from pydantic import ValidationError

from dynabench.engines.sandbox.archives import ArchiveLimits, unpack_archive
from dynabench.engines.sandbox.errors import ArchiveError
from dynabench.loop.interchange.transfer.errors import NewerTaskFileError, TaskFileError
from dynabench.loop.interchange.transfer.schemas import TaskManifest
from dynabench.loop.interchange.transfer.values import (
    BLOBS_FOLDER,
    FORMAT,
    FORMAT_VERSION,
    MANIFEST,
    PARTS_FOLDER,
)

_MEBIBYTE = 2**20
LIMITS = ArchiveLimits(max_bytes=256 * 1024 * _MEBIBYTE, max_files=500_000, max_ratio=200)
_MAX_MANIFEST_BYTES = 64 * _MEBIBYTE
_MAX_LINE_BYTES = 16 * _MEBIBYTE
_CHUNK = _MEBIBYTE


class TaskFile:
    """A task's file, unpacked into a folder that nobody else writes to.

    Every file in it is one that the manifest names, with the digest that it says.
    """

    def __init__(self, folder: Path, manifest: TaskManifest, *, size: int) -> None:
        self._folder = folder
        self.manifest = manifest
        self.size = size

    @classmethod
    def unpack(cls, source: Path, into: Path, *, known: frozenset[str]) -> "TaskFile":
        """Unpack a file and check that it holds what its manifest says, and nothing else.

        Args:
            source: The file.
            into: A folder of the caller's, which removes it.
            known: The parts that are known here, all of which a file has.

        Raises:
            TaskFileError: If it is no such file, or not whole.
            NewerTaskFileError: If a later version wrote it.
        """
        try:
            # Never more than half of what is free: the rest of the machine writes there too.
            room = shutil.disk_usage(into.parent).free // 2
            limits = replace(LIMITS, max_bytes=min(LIMITS.max_bytes, room))
            unpack_archive(source, into, limits=limits)
        except ArchiveError as error:
            raise TaskFileError(error.message) from error
        manifest = _manifest(into / MANIFEST)
        if set(manifest.parts) != known:
            odd = min(set(manifest.parts) ^ known)
            says = "is not known here" if odd in manifest.parts else "is missing"
            raise TaskFileError(f"The part “{odd[:80]}” {says}.")
        file = cls(into, manifest, size=source.stat().st_size)
        file.require_whole()
        return file

    def require_whole(self) -> None:
        """Refuse files that the manifest does not name, and such as are not what it says."""
        named = {MANIFEST} | {f"{PARTS_FOLDER}/{name}.jsonl" for name in self.manifest.parts}
        named |= {f"{BLOBS_FOLDER}/{digest}" for digest in self.manifest.blobs}
        there = {
            one.relative_to(self._folder).as_posix()
            for one in self._folder.rglob("*")
            if not one.is_dir()
        }
        for name in sorted(there ^ named):
            says = "is not in its manifest" if name in there else "is missing"
            raise TaskFileError(f"The file “{name[:80]}” {says}.")
        for name, part in self.manifest.parts.items():
            if sha256_of(self._part(name)) != part.sha256:
                raise TaskFileError("It is not what the manifest says (SHA-256).", part=name)
        for digest in self.manifest.blobs:
            if sha256_of(self.blob(digest)) != digest:
                raise TaskFileError(f"The file {BLOBS_FOLDER}/{digest} is damaged (SHA-256).")

    def rows(self, part: str) -> Iterator[tuple[int, dict[str, object]]]:
        """Give the rows of a part with their lines, which count from 1."""
        line = 0
        with self._part(part).open("rb") as file:
            while text := file.readline(_MAX_LINE_BYTES + 1):
                line += 1
                if len(text) > _MAX_LINE_BYTES:
                    raise TaskFileError("It is longer than 16 MiB.", part=part, line=line)
                try:
                    row = orjson.loads(text)
                except orjson.JSONDecodeError as error:
                    raise TaskFileError(f"It is no JSON: {error}.", part=part, line=line) from None
                if not isinstance(row, dict):
                    raise TaskFileError("It is no JSON object.", part=part, line=line)
                yield line, row
        if line != self.manifest.parts[part].rows:
            told = self.manifest.parts[part].rows
            raise TaskFileError(f"It has {line:,} rows and not {told:,}.", part=part)

    def blob(self, digest: str) -> Path:
        """Return where a stored file lies."""
        return self._folder / BLOBS_FOLDER / digest

    def _part(self, name: str) -> Path:
        return self._folder / PARTS_FOLDER / f"{name}.jsonl"


def _manifest(path: Path) -> TaskManifest:
    if not path.is_file():
        raise TaskFileError(f"It has no {MANIFEST}. Export the task again.")
    if path.stat().st_size > _MAX_MANIFEST_BYTES:
        raise TaskFileError(f"Its {MANIFEST} is far too large.")
    try:
        found = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        raise TaskFileError(f"Its {MANIFEST} is no JSON: {error}.") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise TaskFileError(f"Its {MANIFEST} does not say “{FORMAT}”; it is no exported task.")
    version = found.get("format_version")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise NewerTaskFileError(version=version, known=FORMAT_VERSION)
    try:
        return TaskManifest.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(one) for one in first["loc"])
        raise TaskFileError(f"{MANIFEST}, {place}: {first['msg']}.") from None


def sha256_of(path: Path) -> str:
    """Return the digest of a file, however large it is."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            total.update(chunk)
    return total.hexdigest()
