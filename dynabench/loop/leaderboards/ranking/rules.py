"""From prepared figures and a reader's weights to a board; nothing here reads or waits."""

from collections.abc import Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.columns.rules import metric_shares, needed_metrics, version_shares
from dynabench.loop.leaderboards.columns.values import MEMORY, Columns, MetricColumn, Unit, Weights
from dynabench.loop.leaderboards.figures.values import Numbers
from dynabench.loop.leaderboards.ranking.values import (
    Averages,
    Doubt,
    FrozenRates,
    Performance,
    Prepared,
    Ranking,
    Sureness,
)
from dynabench.loop.leaderboards.values import DYNASCORE, RatesFrom
from dynabench.science.dynascore.choosing import (
    FEWEST_MODELS,
    fixed_rate,
    is_beyond,
    is_close,
    is_noise,
    without,
)
from dynabench.science.dynascore.fragility import factors_without_each
from dynabench.science.dynascore.scores import (
    Dynascores,
    ExchangeRates,
    average_z,
    dynascores,
    exchange_rates,
    exchanged,
)
from dynabench.science.statistics.clusters import are_enough
from dynabench.science.statistics.influence import (
    combine_intervals,
    covariance_of_sum,
    most_covariance_of_sum,
)
from dynabench.science.statistics.ranks import ranks_by_mcnemar, ranks_by_t
from dynabench.science.statistics.rates import Z_95

_POINTS = 100.0
_PAIR = 2
_MOST_REMEMBERED = 16
Places = NDArray[np.int64]


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
        members: The models' rows.
        sort: `dynascore`, or the metric that the order is by.
        rates: Used in place of the board's own.
    """
    shares, needed, names, wanted = _counted(columns, weights)
    members, averages = _complete(prepared, members, metric_shares(columns, shares), needed)
    goods, lows, highs = _goods(columns, weights, needed, averages)
    performance = _performance(prepared, members, goods[:, 0], shares)
    errors = _errors(columns, needed, averages)
    left_out = _left_out(columns, needed, averages, errors, goods) & (rates is None)
    source, own = _rates(goods, names, left_out[0] | left_out[1], rates)
    found = dynascores(goods, wanted, own)
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
        sureness=_sureness(found, own, errors, performance, (goods, lows, highs)),
        without_each=_without_each(goods, wanted, left_out[0] | left_out[1], source),
        average_z=_z(goods, wanted),
        performance=performance,
        rates_from=source,
        noise=frozenset(compress(names, left_out[0])),
        beyond=frozenset(compress(names, left_out[1])),
        amrs=_by_name(names, own.amrs),
        shares=_by_name(names, found.shares),
        pairs=own.pairs,
        pairs_skipped=own.skipped,
        doubts=_doubts(performance, source),
    )


def _complete(
    prepared: Prepared, members: Places, shares: Numbers, needed: Sequence[int]
) -> tuple[Places, Averages]:
    """Return those of some models that have everything that counts, and their averages."""
    everyone = _averages(prepared, members, shares)
    is_there = np.isfinite(everyone.values[needed]).all(axis=0) & bool(shares[0].any())
    return members[is_there], _of(everyone, np.asarray(is_there))


def _without_each(
    goods: Numbers, wanted: Numbers, is_left_out: NDArray[np.bool_], source: RatesFrom
) -> Numbers | None:
    """Return the factors without each model; rates of elsewhere depend on nobody."""
    is_own = source is RatesFrom.OBSERVED
    return factors_without_each(goods, wanted, is_left_out, is_held=True) if is_own else None


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
        return Averages(nothing, nothing, nothing)
    parts = [
        # What has no part in an average is no gap in it.
        [np.where(shares[:, place, None] > 0, array[:, members, place], 0.0) for place in used]
        for array in (figures.values, figures.lows, figures.highs)
    ]
    overlaps = prepared.shared.overlaps[np.ix_(used, used)]
    by_part = shares.T[used][:, :, None]
    return Averages(*combine_intervals(parts[0], parts[1], parts[2], by_part, overlaps))


def _of(averages: Averages, chosen: NDArray[np.bool_]) -> Averages:
    if chosen.all():
        return averages
    return Averages(averages.values[:, chosen], averages.lows[:, chosen], averages.highs[:, chosen])


def _goods(
    columns: Columns, weights: Weights, needed: Sequence[int], averages: Averages
) -> tuple[Numbers, Numbers, Numbers]:
    """Return models by the metrics that count, each so that more is better, and both ends.

    What is measured of a machine does not vary: its ends are its value.
    """
    found: list[tuple[Numbers, Numbers, Numbers]] = []
    for place in needed:
        column = columns.metrics[place]
        value, low, high = (
            _good(column, one[place], weights)
            for one in (averages.values, averages.lows, averages.highs)
        )
        if column.unit is not Unit.POINTS:
            low = high = value
        elif column.is_lower_better:
            low, high = high, low
        found.append((value, low, high))
    values, lows, highs = (np.stack(one, axis=1) for one in zip(*found, strict=True))
    return values, lows, highs


def _good(column: MetricColumn, values: Numbers, weights: Weights) -> Numbers:
    """Return a metric so that more is better."""
    if column.name == MEMORY:
        return np.asarray(weights.budget_gib - values)
    return np.maximum(_POINTS - values, 0.0) if column.is_lower_better else values


def _by_name(names: Sequence[str], values: Numbers) -> dict[str, float]:
    return dict(zip(names, map(float, values), strict=True))


def _thaw(rates: FrozenRates, names: Sequence[str]) -> ExchangeRates:
    amrs = np.array([rates.amrs.get(name, 0.0) for name in names])
    return ExchangeRates(amrs, rates.pairs, is_fixed=True)


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


def _counted(
    columns: Columns, weights: Weights
) -> tuple[Numbers, Sequence[int], list[str], Numbers]:
    """Return versions' shares, and the places, names and weights of the metrics that count."""
    needed = needed_metrics(columns, weights)
    names = [columns.metrics[place].name for place in needed]
    wanted = np.array([weights.metrics[name] for name in names])
    return version_shares(columns, weights), needed, names, wanted


def _errors(columns: Columns, needed: Sequence[int], averages: Averages) -> Numbers:
    """Return models by the metrics that count: standard errors; infinite where none is known.

    Those of performance come with its covariance. What is measured of a machine has none.
    """
    found = np.zeros((averages.values.shape[1], len(needed)))
    for row, place in enumerate(needed[1:], start=1):
        if columns.metrics[place].unit is Unit.POINTS:
            errors = (averages.highs[place] - averages.lows[place]) / (2 * Z_95)
            found[:, row] = np.where(np.isnan(errors), np.inf, errors)
    return found


def _left_out(
    columns: Columns, needed: Sequence[int], averages: Averages, errors: Numbers, goods: Numbers
) -> NDArray[np.bool_]:
    """Tell of each metric whether it differs by noise, and if not, if it outweighs performance."""
    found = np.zeros((2, len(needed)), dtype=bool)
    for row, place in enumerate(needed[1:], start=1):
        if columns.metrics[place].unit is Unit.POINTS:
            found[0, row] = is_noise(averages.values[place], errors[:, row])
        else:
            found[0, row] = is_close(averages.values[place])
    if len(goods) >= FEWEST_MODELS:
        found[1] = is_beyond(goods, exchange_rates(goods).amrs) & ~found[0]
    return found


def _rates(
    goods: Numbers,
    names: Sequence[str],
    is_left_out: NDArray[np.bool_],
    frozen: FrozenRates | None,
) -> tuple[RatesFrom, ExchangeRates]:
    """Return a board's own rates, and fixed ones where few models would give chance ones."""
    if frozen is not None:
        return RatesFrom.SNAPSHOT, _thaw(frozen, names)
    if not _PAIR <= len(goods) < FEWEST_MODELS:
        own = exchange_rates(goods)
        found = ExchangeRates(without(own.amrs, is_left_out), own.pairs, own.skipped)
        return RatesFrom.OBSERVED, found
    amrs = np.array([fixed_rate(name, goods[:, row]) for row, name in enumerate(names)])
    amrs[0] = 1.0
    return RatesFrom.FIXED, ExchangeRates(without(amrs, is_left_out), 0, is_fixed=True)


def _sureness(
    found: Dynascores,
    rates: ExchangeRates,
    errors: Numbers,
    performance: Performance,
    ends: tuple[Numbers, Numbers, Numbers],
) -> Sureness | None:
    """Return the ranks and intervals of Dynascores, which fixed rates make weighted sums.

    Ranks are of all pairs, after Holm, so that they hold all together. Metrics vary
    independently of each other. Intervals are put together of the metrics' own, so that one
    of performance alone is performance's.
    """
    if found.values is None:
        return None
    factors = exchanged(found.shares, rates.amrs)
    used = np.flatnonzero(factors > 0)
    values, below, above = ([end[:, one] for one in used] for end in ends)
    _, lows, highs = combine_intervals(values, below, above, factors[used])
    ranks = None
    if performance.ranks is not None and performance.covariance is not None:
        kind = performance.covariance.dtype
        own = np.square(errors[:, used] * factors[used]).sum(axis=1)
        # In points of performance the covariance is the one that is there: ranks are the same.
        scale = float(factors[0])
        covariance = performance.covariance if scale else np.zeros_like(performance.covariance)
        # What all models share moves no order, and is lost in few digits.
        centred = (found.values - found.values.mean()) / (scale or 1.0)
        ranks = ranks_by_t(
            centred.astype(kind),
            covariance,
            freedom=performance.freedom,
            contexts=performance.contexts,
            more=(own / (scale or 1.0) ** 2).astype(kind),
        )
    return Sureness(ranks, lows, highs)


def _doubts(performance: Performance, source: RatesFrom) -> list[Doubt]:
    found: list[Doubt] = []
    errors = performance.standard_errors
    if performance.ranks is None and len(errors):
        found.append(Doubt.NO_SPREAD)
    elif np.isnan(errors).any():
        found.append(Doubt.NO_INTERVAL)
    return [*found, Doubt.FIXED_RATES] if source is RatesFrom.FIXED else found


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
    freedom, contexts = float(prepared.freedom[used].min()), float(prepared.contexts[used].min())
    ranks = None
    if are_enough(contexts):
        ranks = ranks_by_t(goods.astype(np.float32), covariance, freedom=freedom, contexts=contexts)
    mcnemar_ranks = None
    if prepared.together is not None and len(members) >= _PAIR:
        # The items of all weighted datasets are pooled, whatever these weigh.
        pooled = prepared.together[used].sum(axis=0)
        mcnemar_ranks = ranks_by_mcnemar(pooled[np.ix_(members, members)])
    found = Performance(
        ranks,
        mcnemar_ranks,
        np.sqrt(np.diag(covariance).astype(np.float64)),
        covariance,
        freedom,
        contexts,
    )
    if len(prepared.performances) >= _MOST_REMEMBERED:
        prepared.performances.clear()
    prepared.performances[key] = found
    return found


def _covariance(
    prepared: Prepared, members: Places, shares: Numbers, used: Places
) -> NDArray[np.floating]:
    """Return the covariance of the averages; datasets that share contexts vary together."""
    everything, shared = prepared.covariances, prepared.shared
    chosen = everything if len(used) == len(shares) else everything[used]
    if shared.covariances is None:
        overlaps = shared.overlaps[np.ix_(used, used)]
        mixed = most_covariance_of_sum(chosen, shares[used], overlaps)
    else:
        products = shares[shared.pairs].prod(axis=1)
        mixed = covariance_of_sum(chosen, shares[used], shared.covariances, products)
    return np.asarray(mixed if len(members) == len(mixed) else mixed[np.ix_(members, members)])


def _z(goods: Numbers, wanted: Numbers) -> Numbers:
    if len(goods) < _PAIR or not wanted.any():
        return np.full(len(goods), np.nan)
    return average_z(goods, wanted)
