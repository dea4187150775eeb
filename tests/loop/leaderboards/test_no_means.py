"""Boards of metrics that are no mean of their items, such as macro F1."""

from dataclasses import replace

import numpy as np
import pytest

from dynabench.loop.leaderboards.figures.values import Figures
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.ranking.values import Doubt
from dynabench.science.statistics.rates import Z_95
from tools.board_coverage import Field, equal_models, ranking_of

FIELD = Field(2, contexts=60)


def almost_alike(*, metric: str, apart: float) -> Figures:
    """Return two models that answer alike but for a few items, so many points apart.

    Items of a rare label set what is no mean: each value is known to five points.
    """
    figures = equal_models(np.random.default_rng(3), FIELD)
    (version,) = figures.versions
    found = figures.item_scores[version]
    scores = np.repeat(found.scores[:1], 2, axis=0)
    scores[0, :6], scores[1, :6] = 1.0, 0.0
    values, lows, highs = figures.values.copy(), figures.lows.copy(), figures.highs.copy()
    values[0, :, 0] = (60 + apart, 60)
    lows[0, :, 0], highs[0, :, 0] = values[0, :, 0] - 5, values[0, :, 0] + 5
    return replace(
        figures,
        metrics=[metric, *figures.metrics[1:]],
        values=values,
        lows=lows,
        highs=highs,
        item_scores={version: replace(found, scores=scores)},
    )


def test_how_items_go_together_says_nothing_of_what_is_no_mean() -> None:
    figures = almost_alike(metric="macro_f1", apart=6)

    spread = prepare(figures).covariances[0]
    ranks = ranking_of(figures).performance.ranks

    assert spread == pytest.approx(np.diag([(5 / Z_95) ** 2] * 2), rel=1e-4)
    assert ranks is not None
    assert (ranks.lows.tolist(), ranks.highs.tolist()) == ([1, 1], [2, 2])


def test_a_score_without_an_interval_orders_nobody_and_says_so() -> None:
    figures = almost_alike(metric="macro_f1", apart=20)
    figures.lows[0, 0, 0] = figures.highs[0, 0, 0] = np.nan

    found = ranking_of(figures)

    assert found.performance.ranks is not None
    assert (found.performance.ranks.lows.tolist(), found.performance.ranks.highs.tolist()) == (
        [1, 1],
        [2, 2],
    )
    assert Doubt.NO_INTERVAL in found.doubts
    assert Doubt.NO_INTERVAL not in ranking_of(almost_alike(metric="macro_f1", apart=20)).doubts


def test_what_is_no_mean_still_orders_models_far_apart() -> None:
    ranks = ranking_of(almost_alike(metric="macro_f1", apart=20)).performance.ranks

    assert ranks is not None
    assert (ranks.lows.tolist(), ranks.highs.tolist()) == ([1, 2], [1, 2])


def test_means_are_told_apart_by_the_items_on_which_they_differ() -> None:
    figures = almost_alike(metric="accuracy", apart=0)

    spread = prepare(figures).covariances[0]

    assert spread[0, 1] > 0.9 * spread[0, 0]
