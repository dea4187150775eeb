"""Names and digests of datasets: the same items give the same ones everywhere."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import cast
from uuid import UUID

from pydantic import JsonValue

from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import (
    DatasetAccess,
    DatasetItem,
    DatasetOrigin,
    DatasetVersion,
    Split,
)

_UID_LENGTH = 16


def uid_of(example_id: UUID) -> str:
    """Return an example's name in datasets; it says nothing of its author or time.

    Example:
        >>> len(uid_of(UUID(int=0)))
        16
    """
    return hashlib.sha256(example_id.bytes).hexdigest()[:_UID_LENGTH]


def item_line(
    item: DatasetItem,
    *,
    with_gold: bool = True,
    with_fooling: bool = True,
    with_split: bool = False,
    canary: str | None = None,
) -> bytes:
    """Return an item as one canonical JSON line of a file.

    The canary stands in lines that are given out, never in those that make a digest.
    """
    line: Values = {
        "uid": item.uid,
        "context": item.context,
        "inputs": item.inputs,
        "tags": list(item.tags),
        "annotator": item.annotator,
        "is_fooling": item.is_fooling if with_fooling else None,
        "is_verified": item.is_verified,
    }
    if with_gold:
        line["gold"] = item.gold
    if item.original_uid is not None:
        line["original_uid"] = item.original_uid
        line["transform"] = item.transform
    if with_split:
        line["split"] = item.split.value
    if canary is not None:
        line["canary"] = canary
    # Stored values are JSON, and canonical_json refuses what is not.
    return canonical_json(cast("dict[str, JsonValue]", line)) + b"\n"


def canary_in(card: Values) -> str | None:
    """Return the canary that a card names; uploaded sets have none."""
    found = card.get("canary")
    return found if isinstance(found, str) else None


def is_gold_withheld(version: DatasetVersion, split: Split) -> bool:
    """Tell whether a split is given out without its gold answers.

    Of a set for the board they are hidden: in a release those of test alone, as its card
    says, elsewhere those of dev too. A hidden set is for owners, who see all on its page, but
    its files lie about like any other. What an owner opened is withheld no more.
    """
    if version.access is DatasetAccess.STANDARD or version.test_opened_at is not None:
        return False
    if version.origin is DatasetOrigin.RELEASE:
        return split is Split.TEST
    return split is not Split.TRAIN


def is_fooling_withheld(version: DatasetVersion, split: Split) -> bool:
    """Tell whether a split is given out without saying which items fooled a model.

    What that model answers anybody can ask, and with it whether the answer was right tells
    the right one.
    """
    return is_gold_withheld(version, split)


def withheld_splits(version: DatasetVersion) -> tuple[Split, ...]:
    """Return the splits that are given out without their right answers."""
    return tuple(one for one in Split if version.sizes[one] and is_gold_withheld(version, one))


def told_card(version: DatasetVersion, *, to_owner: bool = False) -> Values:
    """Return a version's card as it holds now, without what gives away withheld answers.

    How often each label is right gives away all of them where there is one label, and a new
    item's where two versions differ by it (docs/decisions/0014). How right the most frequent
    label is counts that label, and so does the length of the file that the items came in.
    Owners see the answers anyway.
    """
    withheld, splits = withheld_splits(version), version.card.get("splits")
    assert isinstance(splits, dict), "every card counts its splits"
    kept_back = {
        one.value: {**splits[one.value], "labels": None}
        for one in withheld
        if not to_owner and splits[one.value].get("labels")
    }
    card = {**version.card, "splits": {**splits, **kept_back}}
    if withheld and not to_owner and isinstance(found := card.get("artifacts"), dict):
        card["artifacts"] = {**found, "majority_accuracy": None}
    if not to_owner and isinstance(file := card.get("file"), dict):
        # Who can guess the answers could try them on its digest, and on its length.
        unsaid = {"digest", "bytes"} if withheld else {"digest"}
        card["file"] = {name: told for name, told in file.items() if name not in unsaid}
    if "test_gold_withheld" in card:
        card["test_gold_withheld"] = Split.TEST in withheld
    return card


def is_more_open(access: DatasetAccess, *, than: DatasetAccess) -> bool:
    """Tell whether an access shows more than another one.

    Example:
        >>> is_more_open(DatasetAccess.STANDARD, than=DatasetAccess.SCORING)
        True
    """
    order = (DatasetAccess.HIDDEN, DatasetAccess.SCORING, DatasetAccess.STANDARD)
    return order.index(access) > order.index(than)


def content_digest(items: Iterable[DatasetItem]) -> str:
    """Return the SHA-256 over the items as canonical JSON lines, sorted by uid.

    Each line names its split, so that the same examples split otherwise are another set.
    """
    digest = ContentDigest()
    digest.add(sorted(items, key=lambda one: one.uid))
    return digest.hexdigest()


class ContentDigest:
    """The digest of `content_digest`, over items that come by uid and a few at a time.

    Args:
        perturbs: The digest of the set that these items vary, which stands before them: the
            same variants of another version are another set.
    """

    def __init__(self, *, perturbs: str | None = None) -> None:
        self._sum = hashlib.sha256()
        if perturbs is not None:
            self._sum.update(canonical_json({"perturbs": perturbs}) + b"\n")

    def add(self, items: Iterable[DatasetItem]) -> None:
        """Take the next items, which follow those before them by uid."""
        for item in items:
            self._sum.update(item_line(item, with_split=True))

    def hexdigest(self) -> str:
        """Return the digest of the items so far."""
        return self._sum.hexdigest()


def newest_versions(versions: Sequence[DatasetVersion]) -> list[DatasetVersion]:
    """Return the newest version of each dataset, in the order of the versions given.

    Of perturbed sets that is the newest of each set that they vary, so that every version of
    a dataset keeps its own.
    """
    newest: dict[tuple[UUID, UUID | None], DatasetVersion] = {}
    for one in sorted(versions, key=lambda version: version.version):
        newest[one.dataset_id, one.perturbs_id] = one
    kept = {one.id for one in newest.values()}
    return [one for one in versions if one.id in kept]
