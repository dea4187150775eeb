"""What is prepared of figures once, and what one reader's weights make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.figures.values import Figures, Numbers, Small
from dynabench.science.dynascore.scores import NoScore
from dynabench.science.statistics.ranks import RankInterval


@dataclass(frozen=True, slots=True)
class Prepared:
    """Figures with all that weights do not change; arrays by version first, NaN is no data.

    Attributes:
        figures: What it was made of.
        places: Each model's row.
        covariances: Versions by models by models, in squared points.
        together: Items that two models both got right, by versions; None with scores other
            than 0 and 1, and on large boards.
        draws: Versions by draws by models: performance on contexts drawn again.
        noise: Metrics by draws by models: standard normal numbers.
        freedom: Contexts - 1 of each version; 0 where there is one context or nothing.
    """

    figures: Figures
    places: Mapping[UUID, int]
    covariances: Small
    together: NDArray[np.int64] | None
    draws: Small
    noise: Small
    freedom: NDArray[np.int64]


class Doubt(StrEnum):
    """What a reader must know of a board beyond its numbers."""

    NO_SPREAD = "no_spread"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class FrozenRates:
    """Exchange rates of a snapshot, by metric."""

    amrs: Mapping[str, float]
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A board by one reader's weights. Arrays have one place per ranked model, best first.

    Attributes:
        models: The ranked models' rows in the figures.
        values: Every metric's average over the datasets: metrics by models.
        lows: The lower ends of their intervals.
        highs: The upper ends.
        dynascore: None where there is nothing to exchange by; `no_score` says why.
        draws: Dynascores in the draws of the bootstrap; None where nothing was drawn.
        loo_low: The lower end of the range over leaving one other model out.
        loo_high: The upper end.
        average_z: The weighted mean of z-scores.
        performance_ranks: None where the items say nothing of how they vary.
        mcnemar_ranks: None where scores are not 0 and 1, and on large boards.
        standard_errors: Clustered standard errors of performance.
        is_on_front: Whether nobody beats the model in all weighted metrics.
        amrs: Exchange rates by metric.
        shares: What each metric makes up of the Dynascore.
        pairs: Neighbours that the rates come from.
        pairs_skipped: Neighbours too close to each other.
        doubts: What a reader must know.
    """

    models: NDArray[np.int64]
    values: Numbers
    lows: Numbers
    highs: Numbers
    dynascore: Numbers | None
    no_score: NoScore | None
    draws: NDArray[np.floating] | None
    loo_low: Numbers
    loo_high: Numbers
    average_z: Numbers
    performance_ranks: Sequence[RankInterval] | None
    mcnemar_ranks: Sequence[RankInterval] | None
    standard_errors: Numbers
    is_on_front: NDArray[np.bool_]
    amrs: Mapping[str, float]
    shares: Mapping[str, float]
    pairs: int
    pairs_skipped: int
    doubts: Sequence[Doubt]
