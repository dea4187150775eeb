"""Many tests at once: Holm's correction, on p-values and on many statistics of one kind.

Holm 1979, "A simple sequentially rejective multiple test procedure".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

ALPHA = 0.05
"""The chance of even one wrong rejection among all tests."""

Numbers = NDArray[np.float64]


def holm_adjusted(p_values: Sequence[float]) -> list[float]:
    """Return adjusted p-values: a test is rejected at a level if its value is at most that.

    The k-th smallest of m becomes max over j <= k of min(1, (m - j + 1) · p(j)).

    Example:
        >>> [round(one, 3) for one in holm_adjusted([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    scaled = values[order] * np.arange(len(values), 0, -1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return [float(one) for one in adjusted]


def holm_rejects(p_values: Numbers, *, alpha: float = ALPHA) -> NDArray[np.bool_]:
    """Tell which of many tests Holm rejects, without sorting them.

    Whatever is below alpha / m is rejected first; then what is below alpha / (m - rejected),
    until nothing is added: the very steps that a sorted list takes.

    Example:
        >>> holm_rejects(np.array([0.01, 0.04, 0.03])).tolist()
        [True, False, False]
    """
    count, rejected = p_values.size, 0
    hits = np.zeros(p_values.shape, dtype=bool)
    while rejected < count:
        hits = p_values <= alpha / (count - rejected)
        found = int(hits.sum())
        if found == rejected:
            break
        rejected = found
    return hits


def holm_rejects_t(
    squares: NDArray[np.floating], *, freedom: float, tests: int, alpha: float = ALPHA
) -> NDArray[np.bool_]:
    """Tell which t-tests Holm rejects that have one number of degrees of freedom.

    As `holm_rejects`, but compares squares with critical values in place of computing half a
    million p-values.

    Args:
        squares: The squares of t; each test may stand in it twice, as in a symmetric matrix
            of all pairs.
        freedom: Degrees of freedom.
        tests: How many tests there are.
        alpha: The chance of even one wrong rejection.
    """
    times = 1 if squares.size <= tests else 2
    hits = np.zeros(squares.shape, dtype=bool)
    rejected = 0
    while rejected < tests:
        critical = float(stdtrit(freedom, 1 - alpha / (2 * (tests - rejected))))
        hits = squares >= critical**2
        found = int(np.count_nonzero(hits)) // times
        if found == rejected:
            break
        rejected = found
    return hits
