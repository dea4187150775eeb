"""What a stored folder consists of: a JSON list of names and digests, itself a stored file."""

import json
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from dynabench.engines.storage.errors import FolderRefusedError
from dynabench.engines.storage.store import Digest, parse_digest
from dynabench.kit.canonical_json import canonical_json

_FORMAT = "dynabench-folder-1"


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
    """Read the list; None if the bytes are no such list."""
    try:
        found = json.loads(data)
    except (json.JSONDecodeError, UnicodeDecodeError):
        return None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        return None
    return {name: parse_digest(digest) for name, digest in found["files"].items()}
