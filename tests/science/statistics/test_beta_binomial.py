"""The posterior of a rate over people against a fine grid, also where few people tried often."""

import numpy as np
import pytest
from scipy.special import gammaln

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import Rate

FEW = {
    "three alike": [Rate(301, 1000), Rate(295, 1000), Rate(311, 1000)],
    "three alike who tried often": [Rate(part, 10_000) for part in (3010, 2950, 3110)],
    "three who differ": [Rate(1000, 10_000), Rate(3000, 10_000), Rate(6000, 10_000)],
    "three at one edge": [Rate(10, 10_000), Rate(2, 10_000), Rate(30, 10_000)],
    "four of unlike numbers": [Rate(300, 1000), Rate(3200, 10_000), Rate(3, 12), Rate(60, 200)],
    "five alike": [Rate(part, 5000) for part in (1480, 1500, 1510, 1490, 1530)],
    "five exactly alike": [Rate(5000, 10_000)] * 5,
    "five who hardly differ": [Rate(part, 10_000) for part in (4700, 5050, 5200, 4900, 5300)],
    "thirty": [Rate(part, 20) for part in range(1, 16)] * 2,
}


def by_a_fine_grid(people: list[Rate]) -> tuple[float, float]:
    """Return the middle 95 % of the mean's posterior, from angles by logarithms of likeness."""
    angles = (np.arange(2000) + 0.5) * np.pi / 2 / 2000
    steps = np.linspace(np.log(1e-7), 0, 301)
    spread = np.exp((steps[:-1] + steps[1:]) / 2)
    size = (1 - spread) / spread
    mean = np.sin(angles)[:, None] ** 2
    # The likeness is even from 0 to 1, and its logarithm is stepped through here.
    found = np.broadcast_to(np.log(spread), (2000, 300)).copy()
    for one in people:
        found += gammaln(size) - gammaln(size + one.whole)
        for part, share in ((one.part, mean), (one.whole - one.part, 1 - mean)):
            found += gammaln(share * size + part) - gammaln(share * size)
    mass = np.exp(found - found.max()).sum(axis=1)
    below = np.concatenate([[0.0], np.cumsum(mass)]) / mass.sum()
    low, high = np.interp((0.025, 0.975), below, np.sin(np.linspace(0, np.pi / 2, 2001)) ** 2)
    return float(low), float(high)


@pytest.mark.parametrize("people", FEW.values(), ids=FEW.keys())
def test_the_interval_is_that_of_a_fine_grid(people: list[Rate]) -> None:
    low, high = by_a_fine_grid(people)

    found = clustered_interval(people)

    assert found is not None
    near = 0.02 * (high - low)
    assert abs(found.low - low) <= near
    assert abs(found.high - high) <= near
