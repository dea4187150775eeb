"""How well a set tells models apart, and whether other sets agree."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.influence import covariance, influence_of_means
from dynabench.science.statistics.pairs import paired_difference
from dynabench.science.statistics.ranks import pair_variances
from dynabench.science.statistics.rates import Rate
from dynabench.science.statistics.separability import (
    Agreement,
    agreement,
    apart_by_intervals,
    sure_signs,
    told_apart,
)


def test_paired_tests_tell_apart_what_intervals_do_not() -> None:
    random = np.random.default_rng(1)
    # The second is right wherever the first is, and on 6 % more; the third is like the second.
    base = random.random(500)
    scores = np.array([base < 0.70, base < 0.76, base < 0.76]).astype(float)
    groups = np.arange(500)
    spread = covariance(influence_of_means(scores, groups))
    errors = 1.96 * np.sqrt(np.diag(spread))
    means = scores.mean(axis=1)

    assert told_apart(means, spread, freedom=499, contexts=500) == Rate(2, 3)
    assert apart_by_intervals(means - errors, means + errors) == Rate(0, 3)
    one = paired_difference(list(scores[0]), list(scores[1]), list(groups))
    assert one is not None
    assert one.standard_error is not None
    assert np.isclose(np.sqrt(pair_variances(spread)[0, 1]), one.standard_error)


def test_agreement_counts_what_both_are_sure_of() -> None:
    means = np.array([0.9, 0.5, 0.1])
    small = np.full((3, 3), 0.0001)
    sure = sure_signs(means[:, None] - means[None, :], small, freedom=100)
    unsure = sure_signs(means[:, None] - means[None, :], small * 1e4, freedom=100)
    both = np.ones((3, 3), dtype=bool)

    assert agreement(sure, sure, both=both) == Agreement(3, 0, 3)
    assert agreement(sure, -sure, both=both).value == -1
    assert agreement(sure, unsure, both=both).value == 0
    assert agreement(sure, sure, both=np.eye(3, dtype=bool)).value is None


def test_of_equal_differences_in_all_contexts_nothing_is_sure() -> None:
    spread = pair_variances(np.full((2, 2), 0.01))

    assert not sure_signs(np.array([[0.0, 0.3], [-0.3, 0.0]]), spread, freedom=100).any()


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.3)), min_size=2, max_size=8))
def test_pairs_apart_are_counted_once(found: list[tuple[float, float]]) -> None:
    means, errors = (np.array(column) for column in zip(*found, strict=True))

    rate = apart_by_intervals(means - errors, means + errors)

    count = len(found)
    assert rate.whole == count * (count - 1) // 2
    assert rate.part <= rate.whole
