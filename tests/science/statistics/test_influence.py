"""What clusters add to a score gives the errors and intervals known otherwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.clusters import reduced_error
from dynabench.science.statistics.influence import (
    combine_intervals,
    covariance,
    influence_of_means,
    overlap,
    shared_covariance,
    spread_of_sum,
)

_ITEMS = 60


@given(seed=st.integers(0, 10_000), clusters=st.integers(2, _ITEMS))
def test_the_diagonal_is_the_square_of_the_clustered_error(seed: int, clusters: int) -> None:
    random = np.random.default_rng(seed)
    groups = np.concatenate(
        [np.arange(clusters), random.integers(0, clusters, _ITEMS - clusters)]
    ).astype(np.int64)
    scores = random.random((3, _ITEMS))

    found = np.sqrt(np.diag(covariance(influence_of_means(scores, groups))))

    wanted = [reduced_error(row, groups) for row in scores]
    assert found == pytest.approx(wanted)


def test_one_part_keeps_its_interval_and_two_equal_ones_halve_its_square() -> None:
    value, low, high = np.array([70.0]), np.array([66.0]), np.array([72.0])

    alone = combine_intervals([value], [low], [high], np.array([1.0]))
    both = combine_intervals([value] * 2, [low] * 2, [high] * 2, np.array([0.5, 0.5]))

    assert [float(one[0]) for one in alone] == [70.0, 66.0, 72.0]
    assert [float(one[0]) for one in both] == pytest.approx([70, 70 - 4 / 2**0.5, 70 + 2**0.5])


def test_parts_on_the_same_clusters_say_no_more_than_one_of_them() -> None:
    value, low, high = np.array([70.0]), np.array([66.0]), np.array([72.0])
    same = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])

    both = combine_intervals([value] * 2, [low] * 2, [high] * 2, np.full(2, 0.5), same[:2, :2])
    three = spread_of_sum(np.array([3.0, 1.0, 2.0]), same)

    assert [float(one[0]) for one in both] == pytest.approx([70, 66, 72])
    assert float(three) == pytest.approx(4**2 + 2**2)


def test_the_sum_of_a_score_with_itself_varies_four_times_as_much() -> None:
    random = np.random.default_rng(3)
    influence = influence_of_means(random.random((4, _ITEMS)), np.arange(_ITEMS) // 3)

    added = 2 * covariance(influence) + shared_covariance(influence, influence)

    assert added == pytest.approx(4 * covariance(influence))


def test_an_overlap_is_1_of_the_same_clusters_and_0_of_none() -> None:
    parts, every, none = np.array([0.5, 0.3, 0.2]), np.arange(3), np.arange(0)

    assert overlap(parts, parts, (every, every)) == pytest.approx(1)
    assert overlap(parts, parts, (none, none)) == 0
    # A large context that is shared makes up more of the variance than of the items.
    assert overlap(parts, parts, (every[:1], every[:1])) == pytest.approx(0.25 / 0.38)


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
