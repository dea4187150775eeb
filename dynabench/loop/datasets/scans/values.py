"""What a scan of a version gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.kit.wire import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemBlock:
    """Items of a split, field by field: entry n of each list belongs to item n.

    Attributes:
        position: The place of the last one in the split.
        uids: What predictions call them.
        values: Context and inputs together, as a model may see them.
        sizes: How long those values are, as JSON.
        gold: The right answers.
        tags: What kind of items they are.
        contexts: The digests of what they are written about.
    """

    position: int
    uids: Sequence[str]
    values: Sequence[Values]
    sizes: Sequence[int]
    gold: Sequence[Values]
    tags: Sequence[Sequence[str]]
    contexts: Sequence[bytes]

    def __len__(self) -> int:
        return len(self.uids)


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """An item of a perturbed set: which item it varies, how, and what that is written about."""

    uid: str
    original_uid: str
    transform: str
    context_digest: bytes
