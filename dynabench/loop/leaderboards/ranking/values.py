"""What is prepared of figures once, and what one reader's weights make of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.figures.values import Figures, Numbers, Small
from dynabench.loop.leaderboards.values import RatesFrom
from dynabench.science.dynascore.scores import NoScore
from dynabench.science.statistics.ranks import RankIntervals


@dataclass(frozen=True, slots=True)
class Averages:
    """Metrics by models: averages over the weighted datasets; NaN where a part is missing."""

    values: Numbers
    lows: Numbers
    highs: Numbers


@dataclass(frozen=True, slots=True)
class Performance:
    """How surely models stand by performance alone, and its clustered standard errors.

    Ranks and covariance are None where too few contexts say how they vary; McNemar's ranks
    also with scores other than 0 and 1, and on large boards.
    """

    ranks: RankIntervals | None
    mcnemar_ranks: RankIntervals | None
    standard_errors: Numbers
    covariance: NDArray[np.floating] | None = None
    freedom: float = 0.0
    contexts: float = 0.0


@dataclass(frozen=True, slots=True)
class Sureness:
    """How surely models stand by the Dynascore, its exchange rates taken as they are.

    Ranks are None where too few contexts say how performance varies; the ends are NaN of models
    with a metric of which nobody knows how it does.
    """

    ranks: RankIntervals | None
    lows: Numbers
    highs: Numbers


@dataclass(frozen=True, slots=True)
class Shared:
    """How versions hang together by the contexts that they share.

    Attributes:
        overlaps: Versions by versions: about how much two scores can have in common, 0 to 1
            (`influence.overlap`).
        pairs: The places of every two versions that share a context, two columns.
        covariances: By these pairs, models by models: what sharing adds to the covariance of
            the sum of both, in squared points. None where they would take too much memory, and
            of metrics that are no mean of their items.
    """

    overlaps: Numbers
    pairs: NDArray[np.int64]
    covariances: Small | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """Figures with all that weights do not change; arrays by version first, NaN is no data.

    Attributes:
        figures: What it was made of.
        places: Each model's row.
        covariances: Versions by models by models, in squared points.
        shared: What versions have in common.
        together: Items that two models both got right, by versions; None with scores other
            than 0 and 1, and on large boards.
        freedom: Degrees of freedom of each version's errors; 0 where there is one context or
            nothing.
        contexts: How many contexts each version has in effect, unequal ones counting as fewer;
            0 where freedom is.
        cells: Of models that were shown, by row: the JSON of their figures per column, which
            no weights change.
        averages: What weights of datasets gave lately, by these and the models.
        performances: The same of the ranked models.
    """

    figures: Figures
    places: Mapping[UUID, int]
    covariances: Small
    shared: Shared
    together: NDArray[np.int64] | None
    freedom: Numbers
    contexts: Numbers
    cells: dict[int, bytes] = field(default_factory=dict)
    averages: dict[bytes, Averages] = field(default_factory=dict)
    performances: dict[bytes, Performance] = field(default_factory=dict)

    @property
    def memory_bytes(self) -> int:
        """About how much memory it takes."""
        crossed = self.shared.covariances
        return self.covariances.nbytes + (0 if crossed is None else crossed.nbytes)


class Doubt(StrEnum):
    """What a reader must know of a board beyond its numbers."""

    NO_SPREAD = "no_spread"
    NO_INTERVAL = "no_interval"
    FIXED_RATES = "fixed_rates"


@dataclass(frozen=True, slots=True)
class FrozenRates:
    """Exchange rates of a snapshot, by metric."""

    amrs: Mapping[str, float]
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """A board by one reader's weights; `order` holds the ranked models, best first.

    Every other array has a place per ranked model, in another order: what a page shows is
    picked, and what only a page needs is computed of the models on it.

    Attributes:
        order: Places in the other arrays, best first.
        models: The models' rows in the figures.
        values: Every metric's average over the datasets: metrics by models.
        lows: The lower ends of their intervals.
        highs: The upper ends.
        goods: Models by the metrics that count, performance first; more is better.
        is_weighted: Which of these have a weight.
        dynascore: None where there is nothing to exchange by; `no_score` says why.
        sureness: Ranks and intervals of these; None where nothing tells of them.
        without_each: Factors of the goods without each model; None where rates are not of
            this board.
        average_z: The weighted mean of z-scores.
        performance: How surely the models stand by performance.
        rates_from: Where the exchange rates come from.
        noise: Metrics that are not exchanged as their differences may be noise.
        beyond: Metrics that are not exchanged as they would outweigh performance.
        amrs: Exchange rates by metric.
        shares: What each metric makes up of the Dynascore.
        pairs: Neighbours that the rates come from.
        pairs_skipped: Neighbours too close to each other.
        doubts: What a reader must know.
    """

    order: NDArray[np.int64]
    models: NDArray[np.int64]
    values: Numbers
    lows: Numbers
    highs: Numbers
    goods: Numbers
    is_weighted: NDArray[np.bool_]
    dynascore: Numbers | None
    no_score: NoScore | None
    sureness: Sureness | None
    without_each: Numbers | None
    average_z: Numbers
    performance: Performance
    rates_from: RatesFrom
    noise: frozenset[str]
    beyond: frozenset[str]
    amrs: Mapping[str, float]
    shares: Mapping[str, float]
    pairs: int
    pairs_skipped: int
    doubts: Sequence[Doubt]
