"""Names and digests of datasets: the same items give the same ones everywhere."""

import hashlib
from collections.abc import Iterable
from typing import cast
from uuid import UUID

from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import DatasetItem, Split

_UID_LENGTH = 16


def uid_of(example_id: UUID) -> str:
    """Return an example's name in datasets; it says nothing of its author or time.

    Example:
        >>> len(uid_of(UUID(int=0)))
        16
    """
    return hashlib.sha256(example_id.bytes).hexdigest()[:_UID_LENGTH]


def item_line(item: DatasetItem, *, with_gold: bool = True, with_split: bool = False) -> bytes:
    """Return an item as one canonical JSON line of a file."""
    line: Values = {
        "uid": item.uid,
        "context": item.context,
        "inputs": item.inputs,
        "tags": list(item.tags),
        "annotator": item.annotator,
        "is_fooling": item.is_fooling,
        "is_verified": item.is_verified,
    }
    if with_gold:
        line["gold"] = item.gold
    if with_split:
        line["split"] = item.split.value
    # Stored values are JSON, and canonical_json refuses what is not.
    return canonical_json(cast("dict[str, JsonValue]", line)) + b"\n"


def is_gold_withheld(split: Split) -> bool:
    """Tell whether a split is given out without its gold answers."""
    return split is Split.TEST


def content_digest(items: Iterable[DatasetItem]) -> str:
    """Return the SHA-256 over the items as canonical JSON lines, sorted by uid.

    Each line names its split, so that the same examples split otherwise are another set.
    """
    digest = hashlib.sha256()
    for item in sorted(items, key=lambda one: one.uid):
        digest.update(item_line(item, with_split=True))
    return digest.hexdigest()
