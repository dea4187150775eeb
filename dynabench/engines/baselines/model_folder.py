"""A trained baseline on disk: `model.json`, `weights.npz` and the handler's `model.py`.

No pickle: reading a model never runs code from its files. The same weights give the same
bytes, so the folder's digest names the model.
"""

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.errors import ModelFolderError

FORMAT_VERSION = 1
_WEIGHTS = "weights.npz"
_DESCRIPTION = "model.json"
_HANDLER = "model.py"
_HANDLER_SOURCE = '''"""Serves this folder's model through the handler protocol."""

from pathlib import Path

from dynabench.engines.baselines.loading import load as load_baseline

_loaded = {}


def load(path):
    """Read the weights beside this file."""
    _loaded["model"] = load_baseline(Path(path))


def predict(batch):
    """Answer a list of inputs."""
    return _loaded["model"].predict(batch)
'''

Weights = Mapping[str, NDArray[np.generic]]


def write_model_folder(
    folder: Path, *, recipe: str, description: Mapping[str, object], weights: Weights
) -> None:
    """Write a model; files of an earlier one are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"format_version": FORMAT_VERSION, "recipe": recipe, **description}
    text = json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False)
    (folder / _DESCRIPTION).write_text(text + "\n", encoding="utf-8")
    (folder / _HANDLER).write_text(_HANDLER_SOURCE, encoding="utf-8")
    # Not np.savez: we fix the order and the time stamps, so that equal weights are equal bytes.
    with zipfile.ZipFile(folder / _WEIGHTS, "w") as archive:
        for name in sorted(weights):
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as file:
                np.lib.format.write_array(file, np.asarray(weights[name]), allow_pickle=False)


def read_model_folder(folder: Path) -> tuple[dict[str, object], dict[str, NDArray[np.float64]]]:
    """Return the description and the weights, as float64 or the integers they were."""
    try:
        description = json.loads((folder / _DESCRIPTION).read_text(encoding="utf-8"))
        with np.load(folder / _WEIGHTS, allow_pickle=False) as archive:
            weights = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise ModelFolderError(folder=folder.name, reason=f"{error}.") from error
    if not isinstance(description, dict) or description.get("format_version") != FORMAT_VERSION:
        reason = f"its format is not version {FORMAT_VERSION}; train it again."
        raise ModelFolderError(folder=folder.name, reason=reason)
    return description, weights


def digest(folder: Path) -> str:
    """Return the SHA-256 over the folder's file names and contents, in order of name."""
    total = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if "__pycache__" in name:
            continue
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{name}\0{content}\n".encode())
    return total.hexdigest()
