"""Items that strong models get wrong and weak ones right: their gold answer may be wrong.

Rodriguez et al. 2021 found wrong and ambiguous items among those that discriminate negatively.
The sign of an item's slope is tested by the abilities of the models that are right on it, as by
chance any of the models could have been these: a permutation test.
"""

from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

FEWEST_MODELS = 6
"""Fewer models than these say nothing of an item: the worst order of five is one of ten."""

_FEWEST_EACH = 2
_LEVEL = 0.05
# So many ways to choose models are all looked at; of more as many orders are drawn as that.
_MOST_CHOICES = 20_000
_DRAWS = 9_999
_TOLERANCE = 1e-9

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


def are_suspected(
    abilities: Numbers, right: NDArray[np.bool_], *, seed: int = 0
) -> NDArray[np.bool_]:
    """Tell which items strong models get wrong and weak ones right.

    The abilities of the models that are right add up to so little that as many models chosen by
    chance have no more at most one time in twenty. Where these can be chosen in more than 20,000
    ways, 9,999 orders of the models are drawn. At least two models are right and two wrong. It
    is a reason to look, and no verdict.

    Args:
        abilities: Each model's θ.
        right: Models by items.
        seed: Of the orders that are drawn.
    """
    models = len(abilities)
    if models < FEWEST_MODELS:
        return np.zeros(right.shape[1], dtype=bool)
    centred = (abilities - abilities.mean()).astype(np.float64)
    hits = right.sum(axis=0)
    limits = np.full(models + 1, -np.inf)
    drawn = None
    for count in range(_FEWEST_EACH, models - _FEWEST_EACH + 1):
        ways = comb(models, count)
        if ways <= _MOST_CHOICES:
            sums = np.sort([sum(chosen) for chosen in combinations(centred.tolist(), count)])
            limits[count] = sums[int(_LEVEL * ways)]
            continue
        if drawn is None:
            drawn = _drawn_sums(centred, np.random.default_rng(seed))
        # What was found is one of the orders too, so that the test keeps its level.
        limits[count] = drawn[int(_LEVEL * (_DRAWS + 1)) - 1, count - 1]
    scale = float(np.abs(centred).sum())
    return np.asarray(centred @ right < limits[hits] - _TOLERANCE * scale)


def _drawn_sums(abilities: Numbers, chance: np.random.Generator) -> Numbers:
    """Return sums of the first so many abilities in drawn orders, sorted: draws by numbers."""
    orders = chance.permuted(np.tile(abilities, (_DRAWS, 1)), axis=1)
    return np.sort(orders.cumsum(axis=1), axis=0)
