"""What clusters add to a score gives the errors, draws and intervals known otherwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.influence import (
    combine_intervals,
    covariance,
    draw_scores,
    influence_of_means,
)
from dynabench.science.statistics.means import clustered_standard_error

_ITEMS = 60


@given(seed=st.integers(0, 10_000), clusters=st.integers(2, _ITEMS))
def test_the_diagonal_is_the_square_of_the_clustered_error(seed: int, clusters: int) -> None:
    random = np.random.default_rng(seed)
    groups = np.concatenate(
        [np.arange(clusters), random.integers(0, clusters, _ITEMS - clusters)]
    ).astype(np.int64)
    scores = random.random((3, _ITEMS))

    found = np.sqrt(np.diag(covariance(influence_of_means(scores, groups))))

    wanted = [clustered_standard_error(row, groups) for row in scores]
    assert found == pytest.approx(wanted)


def test_draws_spread_as_the_covariance_says_and_models_go_together() -> None:
    random = np.random.default_rng(3)
    first = random.random(500)
    scores = np.stack([first, first, random.random(500)])
    influence = influence_of_means(scores, np.arange(500) // 2)

    draws = draw_scores(scores.mean(axis=1), influence, draws=4000, seed=5)

    assert draws.mean(axis=0) == pytest.approx(scores.mean(axis=1), abs=0.002)
    assert np.cov(draws.T) == pytest.approx(covariance(influence), rel=0.15, abs=2e-5)
    assert (draws[:, 0] == draws[:, 1]).all()
    again = draw_scores(scores.mean(axis=1), influence, draws=4000, seed=5)
    assert (again == draws).all()


def test_one_part_keeps_its_interval_and_two_equal_ones_halve_its_square() -> None:
    value, low, high = np.array([70.0]), np.array([66.0]), np.array([72.0])

    alone = combine_intervals([value], [low], [high], np.array([1.0]))
    both = combine_intervals([value] * 2, [low] * 2, [high] * 2, np.array([0.5, 0.5]))

    assert [float(one[0]) for one in alone] == [70.0, 66.0, 72.0]
    assert [float(one[0]) for one in both] == pytest.approx([70, 70 - 4 / 2**0.5, 70 + 2**0.5])


def test_a_part_without_an_interval_leaves_the_whole_without_one() -> None:
    nothing = np.array([np.nan])

    value, low, high = combine_intervals(
        [np.array([1.0]), np.array([3.0])],
        [nothing, np.array([2.0])],
        [nothing, np.array([4.0])],
        np.array([0.5, 0.5]),
    )

    assert float(value[0]) == 2.0
    assert np.isnan(low[0])
    assert np.isnan(high[0])
