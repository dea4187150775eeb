"""What a backup's `manifest.json` says: its versions, its rows, and each file with its digest."""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dynabench.app.backups.errors import BackupDamagedError, BackupIncompleteError
from dynabench.kit.canonical_json import digest_of

MANIFEST = "manifest.json"
DUMP = "database.dump"
HOME = "home"
BLOBS = "blobs"
HOME_FILES = ("signing-key.pem", "address-key", "admin-password")
"""What lies beside the database and is needed again: keys, and the first password."""

Tell: TypeAlias = Callable[[float, str], None]
"""Takes how much is done (0 to 1), and what is being done."""

_CHUNK_BYTES = 1 << 20
_DIGEST = r"[0-9a-f]{64}"
_BLOB = re.compile(r"blobs/([0-9a-f]{2})/([0-9a-f]{62})")
_PATHS = frozenset({DUMP, *(f"{HOME}/{name}" for name in HOME_FILES)})


class KeptFile(BaseModel):
    """A file of a backup.

    Attributes:
        path: Below the backup's folder, with `/`.
        sha256: Of its content.
        bytes: Its size.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    sha256: str = Field(pattern=f"^{_DIGEST}$")
    bytes: int = Field(ge=0)

    @field_validator("path")
    @classmethod
    def _is_of_a_backup(cls, value: str) -> str:
        if value not in _PATHS and _BLOB.fullmatch(value) is None:
            msg = "it is no file of a backup"
            raise ValueError(msg)
        return value

    @property
    def blob(self) -> str | None:
        """The digest that a stored file lies under; None for another file."""
        found = _BLOB.fullmatch(self.path)
        return None if found is None else found[1] + found[2]


class Manifest(BaseModel):
    """A whole backup.

    Attributes:
        format: This form of a backup.
        made_at: The moment that it holds.
        version: Of Dynabench.
        revision: Of the database's schema.
        postgres: The major version of the server.
        tables: How many rows each table had.
        files: Everything in the folder but this file.
        damaged: Digests of stored files that were damaged already, and so are not in it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["dynabench-backup-1"] = "dynabench-backup-1"
    made_at: datetime
    version: str
    revision: str
    postgres: int
    tables: dict[str, int]
    files: tuple[KeptFile, ...]
    damaged: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """The size of everything together."""
        return sum(file.bytes for file in self.files)


def blob_path(digest: str) -> str:
    """Return where a stored file lies in a backup."""
    return f"{BLOBS}/{digest[:2]}/{digest[2:]}"


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest, with a digest of what it says."""
    content = manifest.model_dump(mode="json")
    written = json.dumps({**content, "digest": digest_of(content)}, indent=1)
    (folder / MANIFEST).write_text(written, encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a backup.

    Raises:
        BackupIncompleteError: If there is none.
        BackupDamagedError: If it is not as it was written.
    """
    try:
        content = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise BackupIncompleteError(folder) from None
    except ValueError:
        raise BackupDamagedError(file=MANIFEST, why="cannot be read") from None
    digest = content.pop("digest", None) if isinstance(content, dict) else None
    try:
        manifest = Manifest.model_validate(content)
    except ValidationError:
        raise BackupDamagedError(file=MANIFEST, why="is of no form that is known") from None
    if digest != digest_of(content):
        raise BackupDamagedError(file=MANIFEST, why="was changed")
    return manifest


def verify_files(folder: Path, manifest: Manifest, *, tell: Tell) -> None:
    """Read every file of a backup, and compare it with the manifest.

    Raises:
        BackupDamagedError: At the first that is missing or differs.
    """
    done, total = 0, max(manifest.bytes, 1)
    for file in manifest.files:
        path = folder / file.path
        if path.is_symlink() or not path.is_file():
            raise BackupDamagedError(file=file.path, why="is missing")
        hasher, size = hashlib.sha256(), 0
        with path.open("rb") as source:
            while chunk := source.read(_CHUNK_BYTES):
                hasher.update(chunk)
                size += len(chunk)
                tell((done + size) / total, "verifying the backup")
        done += size
        if (hasher.hexdigest(), size) != (file.sha256, file.bytes):
            raise BackupDamagedError(file=file.path, why="was changed")
        if file.blob not in {None, file.sha256}:
            raise BackupDamagedError(file=file.path, why="has the name of another file")
