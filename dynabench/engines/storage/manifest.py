"""What a stored folder consists of: a JSON list of names and digests, itself a stored file."""

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from dynabench.engines.storage.errors import (
    BlobDamagedError,
    BlobNotFoundError,
    FolderRefusedError,
)
from dynabench.engines.storage.store import Digest, parse_digest
from dynabench.kit.canonical_json import canonical_json

_FORMAT = "dynabench-folder-1"
# Of 10,000 files, which is what an archive may hold, with the longest names there may be.
_MOST_BYTES = 24_000_000


def plain_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Walk a folder; give each file's name below it (with `/`) and where it is.

    Raises:
        FolderRefusedError: At a link or a special file.
    """
    for path in sorted(folder.iterdir()):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            for name, inner in plain_files(path):
                yield f"{path.name}/{name}", inner
        elif stat.S_ISREG(mode):
            yield path.name, path
        else:
            raise FolderRefusedError(path=path.name)


def write_manifest(files: Mapping[str, Digest]) -> bytes:
    """Write the list; the same files give the same bytes."""
    return canonical_json({"format": _FORMAT, "files": {**files}})


def read_manifest(data: bytes) -> dict[str, Digest] | None:
    """Read the list; None if the bytes are no such list, whatever else they are."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        return None
    files = found.get("files")
    if not isinstance(files, dict) or not all(map(_is_below, files)):
        return None
    try:
        return {name: parse_digest(str(digest)) for name, digest in files.items()}
    except ValueError:
        return None


def read_files(digest: Digest, stored: BinaryIO) -> dict[str, Digest]:
    """Read what is stored under a digest as such a list, a few megabytes of it at most.

    Raises:
        BlobNotFoundError: If it is no such list.
        BlobDamagedError: If it has another digest.
    """
    data = stored.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise BlobNotFoundError(digest)
    if hashlib.sha256(data).hexdigest() != digest:
        raise BlobDamagedError(digest)
    files = read_manifest(data)
    if files is None:
        raise BlobNotFoundError(digest)
    return files


def _is_below(name: str) -> bool:
    path = PurePosixPath(name)
    return name != "" and not path.is_absolute() and ".." not in path.parts
