"""Which items a comparison is about."""

from collections.abc import Mapping, Sequence

from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.comparisons.values import PairedScore


def compared_split(sizes: Mapping[Split, int]) -> Split:
    """Return the split that models are compared on: test, or dev where there is no test item."""
    return Split.TEST if sizes.get(Split.TEST) or not sizes.get(Split.DEV) else Split.DEV


def by_tag(pairs: Sequence[PairedScore]) -> list[tuple[str, list[PairedScore]]]:
    """Return the items of each tag, the tag with most items first.

    Example:
        >>> by_tag([])
        []
    """
    found: dict[str, list[PairedScore]] = {}
    for pair in pairs:
        for tag in pair.tags:
            found.setdefault(tag, []).append(pair)
    return sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0]))
