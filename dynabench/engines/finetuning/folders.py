"""Checkpoints on this machine: folders below the one that the operator names."""

import hashlib
import json
from pathlib import Path

from dynabench.engines.finetuning.errors import CheckpointError
from dynabench.engines.runners.weights import weights_problem

_CONFIG_FILE = "config.json"
_LARGEST_JSON = 16 * 1024 * 1024
_DEEPEST = 2


def list_checkpoints(root: Path | None) -> list[str]:
    """Return the names of the checkpoints below the operator's folder, `a` or `a/b` each."""
    if root is None or not root.is_dir():
        return []
    found = [
        path.parent.relative_to(root).as_posix()
        for depth in range(1, _DEEPEST + 1)
        for path in root.glob("/".join(["*"] * depth + [_CONFIG_FILE]))
        if _is_below(path.parent, root)
    ]
    return sorted(found)


def find_checkpoint(name: str, *, root: Path | None) -> Path | None:
    """Return the folder of a name below the operator's folder; None where it has none.

    Raises:
        CheckpointError: If the name leads out of that folder.
    """
    parts = Path(name).parts
    if not name.strip() or Path(name).is_absolute() or ".." in parts or "\\" in name:
        raise CheckpointError(
            f"“{name[:80]}” is no checkpoint: name a folder below DYNABENCH_CHECKPOINTS_FOLDER, "
            "without a slash at its beginning or “..”, or a model's id on the hub."
        )
    if root is None or not (root / name).is_dir():
        return None
    if not _is_below(root / name, root):
        raise CheckpointError(
            f"“{name[:80]}” leads out of DYNABENCH_CHECKPOINTS_FOLDER. Put the folder itself there."
        )
    return (root / name).resolve()


def require_checkpoint(folder: Path, *, name: str) -> None:
    """Refuse a folder that holds no model as `save_pretrained` writes it.

    Raises:
        CheckpointError: With what is missing or cannot be trusted.
    """
    config = folder / _CONFIG_FILE
    if not config.is_file():
        raise CheckpointError(f"“{name}” is no model: it has no {_CONFIG_FILE}.")
    try:
        with config.open("rb") as file:
            told = json.loads(file.read(_LARGEST_JSON))
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"“{name}” is no model: its {_CONFIG_FILE} is not JSON.") from error
    if not isinstance(told, dict) or not isinstance(told.get("model_type"), str):
        raise CheckpointError(f"“{name}” is no model: its {_CONFIG_FILE} names no model_type.")
    problem = weights_problem([path.name for path in folder.iterdir() if path.is_file()])
    if problem is not None:
        raise CheckpointError(f"“{name}” cannot be used. {problem}")


def checkpoint_digest(folder: Path) -> str:
    """Return the SHA-256 over the names and contents of a checkpoint's files."""
    total = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{path.name}\0{content}\n".encode())
    return total.hexdigest()


def _is_below(folder: Path, root: Path) -> bool:
    return folder.resolve().is_relative_to(root.resolve())
