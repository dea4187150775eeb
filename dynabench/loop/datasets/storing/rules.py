"""Counting the items of a version while they go by."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import DatasetItem, Split

# Enough to tell contexts apart, and small enough to keep a million of.
_DIGEST_BYTES = 12


@dataclass
class Tally:
    """What a card says of the splits.

    Attributes:
        label_name: The gold field whose labels are counted.
    """

    label_name: str | None
    items: Counter[Split] = field(default_factory=Counter)
    _labels: dict[Split, Counter[str]] = field(
        default_factory=lambda: {one: Counter() for one in Split}
    )
    _contexts: dict[Split, set[bytes]] = field(
        default_factory=lambda: {one: set() for one in Split}
    )

    def add(self, items: Iterable[DatasetItem]) -> None:
        """Count the next items."""
        for item in items:
            self.items[item.split] += 1
            self._contexts[item.split].add(item.context_digest[:_DIGEST_BYTES])
            label = None if self.label_name is None else item.gold.get(self.label_name)
            if isinstance(label, str):
                self._labels[item.split][label] += 1

    def splits(self) -> Values:
        """Return the counts as a card holds them, of every split."""
        return {
            split.value: {
                "items": self.items[split],
                "contexts": len(self._contexts[split]),
                "labels": dict(sorted(self._labels[split].items())),
            }
            for split in Split
        }
