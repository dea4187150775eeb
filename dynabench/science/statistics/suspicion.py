"""Items that strong models get wrong and weak ones right: their gold answer may be wrong.

Rodriguez et al. 2021 found wrong and ambiguous items among those that discriminate negatively.
The sign of an item's slope is tested by its point-biserial correlation with θ, which is the
score test of that slope: r·√m is about N(0, 1) where the item tells nothing of θ.
"""

import numpy as np
from numpy.typing import NDArray

FEWEST_MODELS = 4
"""Fewer models than these say nothing of an item."""

_FEWEST_EACH = 2
_MOST_BY_CHANCE = -1.6449

Numbers = NDArray[np.float64]


def correlations(abilities: Numbers, right: NDArray[np.bool_]) -> Numbers:
    """Return each item's point-biserial correlation with θ; NaN where all models did alike.

    Args:
        abilities: Each model's θ.
        right: Models by items.

    Example:
        >>> correlations(np.array([-1.0, 0.0, 1.0]), np.array([[1], [0], [0]], bool)).round(2)
        array([-0.87])
    """
    centred = abilities - abilities.mean()
    share = right.mean(axis=0)
    spread = np.sqrt(share * (1 - share) * float(np.mean(centred**2)))
    moved = centred @ right / len(abilities)
    found = np.full(right.shape[1], np.nan)
    np.divide(moved, spread, out=found, where=spread > 0)
    return found


def are_suspected(abilities: Numbers, right: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which items strong models get wrong and weak ones right.

    The correlation is so low that an item which tells nothing of θ has it one time in twenty:
    r·√m ≤ -1.645, so that of 4 models it is -0.82 and of 20 models -0.37. At least two models
    are right and two wrong. It is a reason to look, and no verdict.
    """
    models = len(abilities)
    if models < FEWEST_MODELS:
        return np.zeros(right.shape[1], dtype=bool)
    found = np.nan_to_num(correlations(abilities, right))
    limit = _MOST_BY_CHANCE / np.sqrt(models)
    hits = right.sum(axis=0)
    is_mixed = (hits >= _FEWEST_EACH) & (models - hits >= _FEWEST_EACH)
    return np.asarray(is_mixed & (found <= limit))
