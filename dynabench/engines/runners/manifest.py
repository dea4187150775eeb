"""`dynabench.yaml` in a builder's folder: what is to be handed in, and for which task."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from dynabench.kit.errors import InvalidError

MANIFEST_FILE = "dynabench.yaml"
CARD_FILE = "card.yaml"
_KEYS = ("task", "kind", "name", "description", "options")
_LARGEST_BYTES = 256 * 1024


class ManifestError(InvalidError):
    """`dynabench.yaml` or `card.yaml` cannot be read as what it is."""

    code = "models.manifest_invalid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a builder wrote of a model; None where nothing is said."""

    task: str | None = None
    kind: str | None = None
    name: str | None = None
    description: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """Read a folder's manifest; one that has none says nothing.

    Raises:
        ManifestError: With the key that is wrong.
    """
    told = _read(folder / MANIFEST_FILE)
    for key in told:
        if key not in _KEYS:
            raise _wrong(MANIFEST_FILE, key, f"is not known; there are {', '.join(_KEYS)}.")
    options = told.pop("options", None) or {}
    if not isinstance(options, Mapping):
        raise _wrong(MANIFEST_FILE, "options", "must map names to values.")
    for key, value in told.items():
        if value is not None and not isinstance(value, str):
            raise _wrong(MANIFEST_FILE, key, "must be a text.")
    texts = {key: value for key, value in told.items() if isinstance(value, str) and value}
    return Manifest(
        task=texts.get("task"),
        kind=texts.get("kind"),
        name=texts.get("name"),
        description=texts.get("description"),
        options={str(key): value for key, value in options.items()},
    )


def read_card(folder: Path) -> dict[str, str] | None:
    """Read a folder's card; None where there is none, or one that says nothing.

    Raises:
        ManifestError: If a part of it is no text.
    """
    told = _read(folder / CARD_FILE)
    for key, value in told.items():
        if value is not None and not isinstance(value, str):
            raise _wrong(CARD_FILE, key, "must be a text.")
    return {key: str(value) for key, value in told.items() if value} or None


def _read(path: Path) -> dict[str, object]:
    if not path.is_file():
        return {}
    if path.stat().st_size > _LARGEST_BYTES:
        raise ManifestError(f"{path.name} is larger than {_LARGEST_BYTES // 1024} KiB.")
    try:
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ManifestError(f"{path.name} is not YAML: {reason}") from error
    if told is None:
        return {}
    if not isinstance(told, dict):
        raise ManifestError(f"{path.name} must map keys to values.")
    return {str(key): value for key, value in told.items()}


def _wrong(file: str, key: str, problem: str) -> ManifestError:
    sentence = f"{file}: {key[:80]} {problem}"
    return ManifestError(sentence, fields={key: sentence})
