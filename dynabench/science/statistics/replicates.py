"""The mean of a few repetitions, such as the seeds of a study."""

from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from dynabench.science.statistics.rates import Interval

_HIGH = 0.975
_PAIR = 2
_ROUNDING = 64 * np.finfo(np.float64).eps


def mean_of_replicates(values: Sequence[float]) -> Interval | None:
    """Return the 95 % interval of a mean by Student's t; None where nothing tells how it varies.

    mean ± t(n - 1) · s / √n (Student 1908), s with n - 1 below the line. Of paired
    repetitions take the differences. It tells how far the mean moves with what the
    repetitions draw anew, and nothing of what they all have in common. One value has no
    interval, nor have values that are all the same but for rounding.

    Example:
        >>> found = mean_of_replicates([1.0, 2.0, 3.0])
        >>> round(found.low, 3), round(found.high, 3)
        (-0.484, 4.484)
    """
    if len(values) < _PAIR:
        return None
    array = np.asarray(values, dtype=np.float64)
    error = float(array.std(ddof=1)) / np.sqrt(len(array))
    if error <= _ROUNDING * float(np.abs(array).max()):
        return None
    reach = float(stdtrit(len(array) - 1, _HIGH)) * float(error)
    mean = float(array.mean())
    return Interval(mean - reach, mean + reach, "replicates_t")
