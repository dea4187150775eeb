"""Which items a comparison is about."""

from collections.abc import Mapping

from dynabench.loop.datasets.values import Split


def compared_split(sizes: Mapping[Split, int]) -> Split:
    """Return the split that models are compared on: test, or dev where there is no test item.

    Example:
        >>> compared_split({Split.TEST: 0, Split.DEV: 3}).value
        'dev'
    """
    return Split.TEST if sizes.get(Split.TEST) or not sizes.get(Split.DEV) else Split.DEV
