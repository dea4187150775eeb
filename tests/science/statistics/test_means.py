"""The mean of scores, with items of one context taken together."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy import linalg, stats

from dynabench.science.statistics.clusters import freedom_of, parts_of, reduced_error
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.pairs import exact_mcnemar, paired_difference


def test_no_items_are_none() -> None:
    assert mean_with_interval([], []) is None
    assert paired_difference([], [], []) is None


def test_the_clustered_error_is_the_formula_worked_by_hand() -> None:
    # Two contexts: (1, 1) and (0, 1). Mean .75; the sums of deviations are .5 and -.5;
    # √(.25 + .25) / 4 · √2 = .25.
    found = mean_with_interval([1, 1, 0, 1], ["a", "a", "b", "b"])
    assert found is not None
    assert (found.mean, found.n, found.clusters) == (0.75, 4, 2)
    assert found.standard_error == pytest.approx(0.25)


def test_items_alone_have_the_hc2_error_of_statsmodels() -> None:
    scores = 10 * np.random.default_rng(1).random(50)
    fit = sm.OLS(scores, np.ones(50)).fit(cov_type="HC2")
    found = mean_with_interval(list(scores), range(50))

    assert found is not None
    assert found.standard_error == pytest.approx(float(fit.bse[0]))
    assert found.interval is not None
    assert found.interval.method == "clustered_cr2"
    reach = stats.t.ppf(0.975, 49) * float(fit.bse[0])
    assert found.interval.high - found.mean == pytest.approx(reach)


@given(seed=st.integers(0, 1000), count=st.integers(2, 8))
def test_error_and_freedom_are_those_of_the_matrices(seed: int, count: int) -> None:
    """Bell & McCaffrey: A_c = (I - H_cc)^-1/2, and freedom from the eigenvalues' sums."""
    random = np.random.default_rng(seed)
    groups = np.concatenate([np.arange(count), random.integers(0, count, 12)]).astype(np.int64)
    size = len(groups)
    scores = random.random(size)
    ones = np.ones(size) / size
    residual = np.eye(size) - np.outer(np.ones(size), ones)
    columns = []
    for one in range(count):
        mine = groups == one
        part = np.eye(mine.sum()) - np.full((mine.sum(), mine.sum()), 1 / size)
        columns.append(residual[mine].T @ linalg.inv(linalg.sqrtm(part)).real @ ones[mine])
    matrix = np.stack(columns)
    inner = matrix @ matrix.T

    assert reduced_error(scores, groups) == pytest.approx(np.linalg.norm(matrix @ scores))
    freedom = np.trace(inner) ** 2 / np.square(inner).sum()
    assert freedom_of(parts_of(groups)) == pytest.approx(freedom)


def test_few_binary_scores_get_a_posterior() -> None:
    found = mean_with_interval([1] * 7 + [0] * 2, range(9))
    assert found is not None
    assert found.interval is not None
    assert found.interval.method == "beta_binomial"
    wanted = stats.beta(7.5, 2.5).ppf([0.025, 0.975])
    assert (found.interval.low, found.interval.high) == pytest.approx(wanted, abs=2e-3)


def test_items_of_one_context_count_together_in_a_small_set() -> None:
    # Ten contexts of ten items, each all right or all wrong, say as much as ten items.
    scores = [float(number // 10 % 2) for number in range(100)]
    apart = mean_with_interval(scores, range(100))
    together = mean_with_interval(scores, [number // 10 for number in range(100)])

    assert apart is not None
    assert apart.interval is not None
    assert together is not None
    assert together.interval is not None
    width = together.interval.high - together.interval.low
    assert width > 2 * (apart.interval.high - apart.interval.low)


def test_many_items_of_few_contexts_are_a_small_set() -> None:
    found = mean_with_interval([1.0, 1.0, 0.0] * 200, [number % 20 for number in range(600)])

    assert found is not None
    assert found.interval is not None
    assert found.interval.method == "beta_binomial"


def test_a_perfect_score_is_not_certain() -> None:
    found = mean_with_interval([1] * 400, range(400))
    assert found is not None
    assert found.interval is not None
    assert found.interval.method == "beta_binomial"
    assert found.interval.low < 1


@given(
    scores=st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=30),
    contexts=st.integers(1, 5),
)
def test_the_interval_holds_its_mean(scores: list[float], contexts: int) -> None:
    found = mean_with_interval(scores, [number % contexts for number in range(len(scores))])
    assert found is not None
    if found.interval is not None:
        assert found.interval.low <= found.mean <= found.interval.high


def test_of_three_misses_the_interval_begins_at_nothing() -> None:
    found = mean_with_interval([0, 0, 0], range(3))
    assert found is not None
    assert found.interval is not None
    assert found.interval.low == 0
    assert found.interval.high == pytest.approx(stats.beta(0.5, 3.5).ppf(0.975), abs=2e-3)


def test_few_other_scores_get_a_reduced_error() -> None:
    # Equal contexts: CR2 is the usual error of the contexts' means, with C - 1 degrees.
    scores = [10.0, 50.0, 90.0, 40.0, 30.0, 30.0, 70.0, 80.0]
    found = mean_with_interval(scores, [number // 2 for number in range(8)])
    means = [30.0, 65.0, 30.0, 75.0]
    wanted = stats.t(3, loc=50.0, scale=stats.sem(means)).interval(0.95)
    assert found is not None
    assert found.interval is not None
    assert found.interval.method == "clustered_cr2"
    assert (found.interval.low, found.interval.high) == pytest.approx(wanted)


def test_shares_near_one_reach_further_down_than_up() -> None:
    # One share among hits must not make the interval one of t, which is alike to both sides.
    scores = [1.0] * 98 + [0.5, 0.0]
    found = mean_with_interval(scores, range(100))
    assert found is not None
    assert found.interval is not None
    assert found.interval.low < 0.95
    reach = 1.984 * (found.standard_error or 0)
    assert found.mean - found.interval.low > reach


def test_scores_that_are_all_the_same_have_no_interval_of_no_width() -> None:
    found = mean_with_interval([0.3] * 12, [number % 5 for number in range(12)])
    assert found is not None
    assert found.mean == pytest.approx(0.3)
    assert found.interval is None


def test_one_context_says_nothing_of_others() -> None:
    found = mean_with_interval([0.2, 0.4], ["a", "a"])
    assert found is not None
    assert found.standard_error is None
    assert found.interval is None
    hits = mean_with_interval([1, 1, 0], ["a"] * 3)
    assert hits is not None
    assert hits.interval is None


def test_each_item_has_one_cluster() -> None:
    with pytest.raises(ValueError, match="as many clusters"):
        mean_with_interval([1.0], [])


@pytest.mark.parametrize(("first", "second"), [(291, 217), (5, 0), (0, 0), (3, 3), (219, 216)])
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int) -> None:
    found = exact_mcnemar(only_first=first, only_second=second)
    differing = first + second
    expected = stats.binomtest(first, differing).pvalue if differing else 1.0
    assert found.p_value == pytest.approx(expected)


def test_two_models_are_compared_item_by_item() -> None:
    first, second = [1, 1, 0, 1, 1, 0], [0, 1, 1, 0, 0, 0]
    found = paired_difference(first, second, range(6))
    assert found is not None
    assert found.difference == pytest.approx(2 / 6)
    assert found.mcnemar == exact_mcnemar(only_first=3, only_second=1)
    reference = stats.ttest_rel(first, second)
    assert reference.pvalue > 2**-5
    assert found.p_value == pytest.approx(reference.pvalue)
    assert found.interval is not None
    low, high = reference.confidence_interval()
    # Of shares of items no difference is more than 1.
    assert (found.interval.low, found.interval.high) == pytest.approx((low, min(high, 1)))


def test_scores_that_are_not_hits_have_no_mcnemar() -> None:
    found = paired_difference([0.5, 1.0], [0.0, 0.5], ["a", "b"])
    assert found is not None
    assert found.mcnemar is None
    # Both contexts show the same difference, which tells nothing of others.
    assert (found.standard_error, found.interval, found.p_value) == (None, None, None)


def test_a_difference_of_equal_contexts_is_as_far_as_scores_go() -> None:
    found = paired_difference([1.0, 0.8, 0.9], [0.0, 0.1, 0.0], range(3))
    wide = paired_difference([1.0, 0.0], [0.0, 0.1], range(2))
    assert found is not None
    assert wide is not None
    # Three contexts that all favour the first: the sign test gives 2 / 2³.
    assert found.p_value == pytest.approx(0.25)
    assert wide.interval is not None
    assert (wide.interval.low, wide.interval.high) == (-1.0, 1.0)


def test_a_model_is_not_told_apart_from_itself() -> None:
    found = paired_difference([1, 0, 1], [1, 0, 1], range(3))
    assert found is not None
    assert (found.p_value, found.interval) == (1.0, None)


def test_one_context_compares_nothing() -> None:
    found = paired_difference([1, 0], [0, 0], ["a", "a"])
    assert found is not None
    assert (found.standard_error, found.interval, found.p_value) == (None, None, None)


def test_pairs_are_of_the_same_items() -> None:
    with pytest.raises(ValueError, match="same items"):
        paired_difference([1], [1, 0], ["a"])
