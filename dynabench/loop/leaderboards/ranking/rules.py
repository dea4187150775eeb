"""From prepared figures and a reader's weights to a board; nothing here reads or waits."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.columns.values import MEMORY, Columns, MetricColumn, Unit, Weights
from dynabench.loop.leaderboards.figures.values import Numbers
from dynabench.loop.leaderboards.ranking.values import (
    Averages,
    Doubt,
    FrozenRates,
    Performance,
    Prepared,
    Ranking,
)
from dynabench.loop.leaderboards.values import DYNASCORE
from dynabench.science.dynascore.fragility import factors_without_each, scores_of_draws
from dynabench.science.dynascore.scores import (
    Dynascores,
    ExchangeRates,
    average_z,
    dynascores,
    exchange_rates,
    exchanged,
    shares_of,
)
from dynabench.science.statistics.influence import combine_intervals
from dynabench.science.statistics.ranks import ranks_by_mcnemar, ranks_by_t
from dynabench.science.statistics.rates import Z_95

_POINTS = 100.0
_PAIR = 2
_MOST_REMEMBERED = 16
Places = NDArray[np.int64]


def version_shares(columns: Columns, weights: Weights) -> Numbers:
    """Return each version's part of every average; sub-tasks share their column's."""
    parts: list[float] = []
    total = sum(weights.datasets.values())
    for column in columns.datasets:
        share = weights.datasets[column.key] / total if total else 0.0
        parts += [share / len(column.versions)] * len(column.versions)
    return np.array(parts)


def metric_shares(columns: Columns, shares: Numbers) -> Numbers:
    """Return each version's part of each metric's average, metrics by versions.

    What a version cannot have is averaged over the others; of no version at all it stays.
    """
    found = np.tile(shares, (len(columns.metrics), 1))
    for row, metric in enumerate(columns.metrics):
        is_there = [
            (metric.name, version) not in columns.absent for version in columns.version_ids()
        ]
        kept = np.where(is_there, shares, 0.0)
        if kept.any():
            found[row] = kept * (shares.sum() / kept.sum())
    return found


def needed_metrics(columns: Columns, weights: Weights) -> list[int]:
    """Return the places of the metrics that a ranked model has: performance and weighted ones."""
    return [
        place
        for place, one in enumerate(columns.metrics)
        if one.is_principal or weights.metrics[one.name] > 0
    ]


def rank_models(
    prepared: Prepared,
    columns: Columns,
    weights: Weights,
    *,
    members: Places,
    sort: str = DYNASCORE,
    rates: FrozenRates | None = None,
) -> Ranking:
    """Rank those of some models that have everything the weights ask for.

    Args:
        prepared: Of the columns' versions and metrics, in their order.
        columns: What there is.
        weights: What counts.
        members: The rows of the models that may be ranked.
        sort: `dynascore`, or the metric that the order is by.
        rates: Used in place of the board's own.
    """
    shares, needed = version_shares(columns, weights), needed_metrics(columns, weights)
    everyone = _averages(prepared, members, metric_shares(columns, shares))
    is_ranked = np.asarray(np.isfinite(everyone.values[needed]).all(axis=0) & bool(shares.any()))
    members, averages = members[is_ranked], _of(everyone, is_ranked)
    goods = _goods(columns, weights, needed, averages)
    wanted = np.array([weights.metrics[columns.metrics[place].name] for place in needed])
    performance = _performance(prepared, members, goods[:, 0], shares)
    names = [columns.metrics[place].name for place in needed]
    own = _thaw(rates, names) if rates else exchange_rates(goods)
    found = dynascores(goods, wanted, own)
    drawn = _drawn(prepared, columns, needed, averages, members, goods)
    return Ranking(
        order=_order(found, averages, goods, columns, sort),
        models=members,
        values=averages.values,
        lows=averages.lows,
        highs=averages.highs,
        goods=goods,
        is_weighted=wanted > 0,
        dynascore=found.values,
        no_score=found.reason,
        draws=_scored(drawn, wanted, own, found, is_frozen=bool(rates)),
        without_each=None if rates is not None else factors_without_each(goods, wanted),
        average_z=_z(goods, wanted),
        performance=performance,
        amrs=_by_name(names, own.amrs),
        shares=_by_name(names, found.shares),
        pairs=own.pairs,
        pairs_skipped=own.skipped,
        doubts=[Doubt.NO_SPREAD] if performance.ranks is None and len(members) else [],
    )


def _averages(prepared: Prepared, members: Places, shares: Numbers) -> Averages:
    """Average over datasets; while only metrics are weighed anew this is the same.

    Args:
        prepared: What there is.
        members: The rows of the models.
        shares: Each version's part, metrics by versions; performance, the first, has all.
    """
    key = shares.tobytes() + members.tobytes()
    found = prepared.averages.get(key)
    if found is None:
        if len(prepared.averages) >= _MOST_REMEMBERED:
            prepared.averages.clear()
        found = prepared.averages[key] = _average(prepared, members, shares)
    return found


def _average(prepared: Prepared, members: Places, shares: Numbers) -> Averages:
    figures, whole = prepared.figures, shares[0]
    used = np.flatnonzero(whole > 0)
    if not len(used):
        nothing = np.full((len(figures.metrics), len(members)), np.nan)
        return Averages(nothing, nothing, nothing, None)
    parts = [
        # What has no part in an average is no gap in it.
        [np.where(shares[:, place, None] > 0, array[:, members, place], 0.0) for place in used]
        for array in (figures.values, figures.lows, figures.highs)
    ]
    draws = None
    if (prepared.freedom[used] > 0).all():
        chosen = prepared.draws if len(used) == len(whole) else prepared.draws[used]
        draws = np.tensordot(whole[used].astype(np.float32), chosen, axes=1)[:, members]
    return Averages(
        *combine_intervals(parts[0], parts[1], parts[2], shares.T[used][:, :, None]), draws
    )


def _of(averages: Averages, chosen: NDArray[np.bool_]) -> Averages:
    if chosen.all():
        return averages
    draws = averages.draws
    return Averages(
        averages.values[:, chosen],
        averages.lows[:, chosen],
        averages.highs[:, chosen],
        None if draws is None else draws[:, chosen],
    )


def _goods(
    columns: Columns, weights: Weights, needed: Sequence[int], averages: Averages
) -> Numbers:
    """Return models by the metrics that count, each so that more is better."""
    return np.stack(
        [_good(columns.metrics[place], averages.values[place], weights) for place in needed], axis=1
    )


def _good(column: MetricColumn, values: Numbers, weights: Weights) -> Numbers:
    """Return a metric so that more is better."""
    if column.name == MEMORY:
        return np.asarray(weights.budget_gib - values)
    return np.maximum(_POINTS - values, 0.0) if column.is_lower_better else values


def _by_name(names: Sequence[str], values: Numbers) -> dict[str, float]:
    return dict(zip(names, map(float, values), strict=True))


def _thaw(rates: FrozenRates, names: Sequence[str]) -> ExchangeRates:
    return ExchangeRates(np.array([rates.amrs.get(name, 0.0) for name in names]), rates.pairs)


def _order(
    found: Dynascores, averages: Averages, goods: Numbers, columns: Columns, sort: str
) -> Places:
    """Return the best first; without a Dynascore performance counts, and no data comes last."""
    by = {one.name: place for place, one in enumerate(columns.metrics)}.get(sort)
    if by is not None:
        values = averages.values[by]
        key = -values if columns.metrics[by].is_lower_better else values
    else:
        key = goods[:, 0] if found.values is None else found.values
    return np.lexsort((-goods[:, 0], np.where(np.isnan(key), np.inf, -key)))


def _drawn(
    prepared: Prepared,
    columns: Columns,
    needed: Sequence[int],
    averages: Averages,
    members: Places,
    goods: Numbers,
) -> list[NDArray[np.floating]] | None:
    """Return each metric's goods, draws by models where they vary; None where nothing does.

    Performance is drawn over contexts, the same for all models; other metrics of items vary
    by the error of their intervals, and what is measured of a machine stays.
    """
    if averages.draws is None or not len(members):
        return None
    found = [averages.draws]
    for row, place in enumerate(needed[1:], start=1):
        good = goods[:, row].astype(np.float32)
        if columns.metrics[place].unit is Unit.POINTS:
            errors = (averages.highs[place] - averages.lows[place]) / (2 * Z_95)
            errors = np.where(np.isnan(errors), 0.0, errors).astype(np.float32)
            good = good + prepared.noise[place][:, members] * errors
        found.append(good)
    return found


def _scored(
    drawn: list[NDArray[np.floating]] | None,
    wanted: Numbers,
    own: ExchangeRates,
    found: Dynascores,
    *,
    is_frozen: bool,
) -> NDArray[np.floating] | None:
    """Return the Dynascores of draws."""
    if drawn is None or found.values is None:
        return None
    if is_frozen:
        factors = exchanged(shares_of(wanted, own.amrs), own.amrs)
        return np.asarray(sum(factor * one for factor, one in zip(factors, drawn, strict=True)))
    return scores_of_draws(drawn, wanted)


def _performance(
    prepared: Prepared, members: Places, goods: Numbers, shares: Numbers
) -> Performance:
    """Rank by performance; while only other metrics are weighed anew this is the same."""
    key = shares.tobytes() + members.tobytes()
    found = prepared.performances.get(key)
    if found is not None:
        return found
    used = np.flatnonzero(shares > 0)
    if not len(members) or not (prepared.freedom[used] > 0).all():
        return Performance(None, None, np.full(len(members), np.nan))
    covariance = _covariance(prepared, members, shares, used)
    # Datasets may have few contexts and many; the fewest decide.
    freedom = int(prepared.freedom[used].min())
    mcnemar_ranks = None
    if prepared.together is not None and len(members) >= _PAIR:
        # The items of all weighted datasets are pooled, whatever these weigh.
        pooled = prepared.together[used].sum(axis=0)
        mcnemar_ranks = ranks_by_mcnemar(pooled[np.ix_(members, members)])
    found = Performance(
        ranks_by_t(goods.astype(np.float32), covariance, freedom=freedom),
        mcnemar_ranks,
        np.sqrt(np.diag(covariance).astype(np.float64)),
    )
    if len(prepared.performances) >= _MOST_REMEMBERED:
        prepared.performances.clear()
    prepared.performances[key] = found
    return found


def _covariance(
    prepared: Prepared, members: Places, shares: Numbers, used: Places
) -> NDArray[np.floating]:
    """Return the covariance of the averages: datasets are drawn independently of each other."""
    everything = prepared.covariances
    chosen = everything if len(used) == len(shares) else everything[used]
    mixed = np.tensordot(np.square(shares[used]).astype(np.float32), chosen, axes=1)
    return np.asarray(mixed if len(members) == len(mixed) else mixed[np.ix_(members, members)])


def _z(goods: Numbers, wanted: Numbers) -> Numbers:
    if len(goods) < _PAIR or not wanted.any():
        return np.full(len(goods), np.nan)
    return average_z(goods, wanted)
