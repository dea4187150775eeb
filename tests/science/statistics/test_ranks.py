"""Ranks as intervals, on models of which one knows how they stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.holm import holm_adjusted
from dynabench.science.statistics.influence import covariance, influence_of_means
from dynabench.science.statistics.pairs import exact_mcnemar, paired_difference
from dynabench.science.statistics.ranks import (
    RankInterval,
    RankIntervals,
    ranks_by_mcnemar,
    ranks_by_t,
)

_ITEMS, _MODELS = 300, 5


def scores_of(seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    random = np.random.default_rng(seed)
    hard = random.random(_ITEMS)
    skills = np.sort(random.uniform(0.2, 1.0, _MODELS))[:, None]
    return (hard[None, :] + random.normal(0, 0.2, (_MODELS, _ITEMS)) < skills).astype(float)


def pairs_of(found: RankIntervals) -> list[RankInterval]:
    return [found.of(place) for place in range(len(found.lows))]


@given(seed=st.integers(0, 10_000))
def test_all_pairs_at_once_are_the_pairs_one_by_one(seed: int) -> None:
    scores = scores_of(seed)
    groups = np.arange(_ITEMS) // 3
    pairs = [(i, j) for i in range(_MODELS) for j in range(i)]
    one_by_one = [paired_difference(scores[i], scores[j], groups.tolist()) for i, j in pairs]
    adjusted = holm_adjusted([one.p_value for one in one_by_one if one and one.p_value is not None])

    spread = covariance(influence_of_means(scores, groups))
    found = ranks_by_t(scores.mean(axis=1), spread, freedom=99, contexts=100)

    means = scores.mean(axis=1)
    for model in range(_MODELS):
        better = worse = 0
        for (i, j), p_value in zip(pairs, adjusted, strict=True):
            if model not in {i, j} or p_value > 0.05:
                continue
            other = j if model == i else i
            better += means[other] > means[model]
            worse += means[other] < means[model]
        assert found.of(model) == RankInterval(1 + better, _MODELS - worse)


@given(seed=st.integers(0, 10_000))
def test_mcnemar_of_all_pairs_is_that_of_each(seed: int) -> None:
    scores = scores_of(seed)
    pairs = [(i, j) for i in range(_MODELS) for j in range(i)]
    adjusted = holm_adjusted(
        [
            exact_mcnemar(
                only_first=int((scores[i] > scores[j]).sum()),
                only_second=int((scores[j] > scores[i]).sum()),
            ).p_value
            for i, j in pairs
        ]
    )

    found = pairs_of(ranks_by_mcnemar((scores @ scores.T).astype(int)))

    ties = sum(high - low for low, high in [(one.low, one.high) for one in found])
    assert ties == 2 * sum(p_value > 0.05 for p_value in adjusted)


def test_two_equal_models_share_their_rank_and_a_worse_one_is_last() -> None:
    same = (np.arange(300) % 3 > 0).astype(float)
    scores = np.stack([same, same, np.zeros(300)])

    spread = covariance(influence_of_means(scores, np.arange(300)))
    by_t = ranks_by_t(scores.mean(axis=1), spread, freedom=299, contexts=300)
    by_mcnemar = ranks_by_mcnemar((scores @ scores.T).astype(int))

    wanted = [RankInterval(1, 2), RankInterval(1, 2), RankInterval(3, 3)]
    assert pairs_of(by_t) == pairs_of(by_mcnemar) == wanted


def test_single_precision_gives_the_ranks_of_double() -> None:
    scores = scores_of(7)
    influence = influence_of_means(scores, np.arange(_ITEMS))

    double = ranks_by_t(
        scores.mean(axis=1), covariance(influence), freedom=_ITEMS - 1, contexts=_ITEMS
    )
    single = ranks_by_t(
        scores.mean(axis=1).astype(np.float32),
        covariance(influence.astype(np.float32)),
        freedom=_ITEMS - 1,
        contexts=_ITEMS,
    )

    assert pairs_of(double) == pairs_of(single)


def test_a_model_without_scores_is_surely_above_or_below_nobody() -> None:
    spread = np.array([[0.01, 0.0, np.nan], [0.0, 0.01, np.nan], [np.nan, np.nan, np.nan]])

    found = ranks_by_t(np.array([9.0, 1.0, 5.0]), spread, freedom=100, contexts=101)

    assert pairs_of(found) == [RankInterval(1, 2), RankInterval(2, 3), RankInterval(1, 3)]


def test_one_cluster_has_no_covariance() -> None:
    with pytest.raises(ValueError, match="One cluster"):
        influence_of_means(np.ones((2, 3)), np.zeros(3, dtype=np.int64))


def test_equal_differences_in_all_contexts_order_nobody() -> None:
    # The second is right once more in each context: nothing tells how much that varies.
    first = np.tile([1.0, 0.0, 0.0], 40)
    scores = np.stack([first, np.tile([1.0, 1.0, 0.0], 40), first])
    spread = covariance(influence_of_means(scores, np.arange(120) // 3))

    for kind in (np.float64, np.float32):
        found = ranks_by_t(
            scores.mean(axis=1).astype(kind), spread.astype(kind), freedom=39, contexts=40
        )
        assert pairs_of(found) == [RankInterval(1, 3)] * 3


@pytest.mark.parametrize(("contexts", "is_told"), [(6, False), (7, True), (30, True)])
def test_no_order_is_surer_than_all_contexts_together(contexts: int, *, is_told: bool) -> None:
    # Three pairs of hardly any variance: Holm's first step wants p <= 0.05 / 3 > 2^-6.
    spread = np.diag([1e-6, 1e-6, 1e-6])

    found = ranks_by_t(np.array([1.0, 2.0, 3.0]), spread, freedom=contexts - 1, contexts=contexts)

    assert (found.of(2) == RankInterval(1, 1)) is is_told
