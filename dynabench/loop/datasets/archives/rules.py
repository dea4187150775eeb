"""What an archive is made from, and what it is called."""

import re
import unicodedata

from dynabench.kit.canonical_json import digest_of
from dynabench.loop.datasets.rules import withheld_splits
from dynabench.loop.datasets.values import DatasetVersion, Split

# Another layout of the same content is another archive.
_LAYOUT = "dynabench-archive-5"
_NO_WORD = re.compile(r"[^a-z0-9]+")

SPLIT_NAMES = {Split.TRAIN: "train", Split.DEV: "validation", Split.TEST: "test"}
"""What programs that load datasets call the splits."""


def made_from(version: DatasetVersion) -> str:
    """Return a digest of all that a version's archive is made from and that can change.

    The items cannot; the version's own digest stands for them.
    """
    opened = version.test_opened_at
    return digest_of(
        {
            "layout": _LAYOUT,
            "name": version.name,
            "version": version.version,
            "digest": version.digest,
            "licence": version.licence,
            # A card comes from the database as JSON.
            "card": version.card,  # type: ignore[dict-item]
            "withheld": [one.value for one in withheld_splits(version)],
            "opened_at": None if opened is None else opened.isoformat(),
        }
    )


def slug_of(text: str) -> str:
    """Return a text as a file's name has it.

    Example:
        >>> slug_of("Round 3 – Ñandú"), slug_of("本")
        ('round-3-nandu', 'dataset')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _NO_WORD.sub("-", plain).strip("-")[:60].strip("-") or "dataset"


def file_name(version: DatasetVersion, *, task_slug: str) -> str:
    """Return what a version's archive is called where it is saved."""
    return f"{slug_of(task_slug)}-{slug_of(version.name)}-v{version.version}.zip"
