"""From tallies to scores: every metric of a task with its interval, for all items and per tag.

Imports SciPy, which is large; only a worker that has an evaluation to finish loads this.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import stdtrit

from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.runs.tallies.rules import (
    CountEntries,
    MetricTally,
    SplitTally,
    selected,
)
from dynabench.loop.evaluations.values import MetricScore, TagScore
from dynabench.science.metrics.registry import BY_LABEL, VALUE_OF
from dynabench.science.metrics.values import GOLD, Counts
from dynabench.science.statistics.clusters import (
    are_enough,
    effective_clusters,
    freedom_of,
    parts_of,
)
from dynabench.science.statistics.means import FEW_CLUSTERS, mean_with_interval

MOST_TAGS = 200
"""So many tags of a split are scored, those with the most items first."""

_SAMPLES = 500
_SEED = 17
_LOW, _HIGH = 0.025, 0.975
_PAIR = 2
_ROUNDING = 1e-12
# Metrics that do not lie between 0 and 1.
_ENDS: Mapping[str, tuple[float, float]] = {"matthews": (-1.0, 1.0), "wer": (0.0, math.inf)}
# Draws are made together while they take no more than so many numbers.
_DRAWN_AT_ONCE = 4_000_000

Items = NDArray[np.int64]
Scored = tuple[float | None, float | None, float | None]
"""A value and the ends of its interval."""

_NOTHING: Scored = (None, None, None)


def measure(tally: SplitTally, split: Split) -> list[MetricScore]:
    """Return every metric of a split, the principal one first.

    Means get the clustered interval of `mean_with_interval`, others a bootstrap over contexts
    with a fixed seed, from the items' sufficient statistics. What a label sets that is right
    in fewer than ten contexts has none: whether two items of it are right says next to
    nothing of others, and sets a macro F1.
    """
    groups = tally.groups()
    found = []
    for one in tally.metrics:
        value, low, high = _score(one, groups, None)
        found.append(
            MetricScore(
                split=split,
                metric=one.wanted.name,
                is_principal=tally.is_principal(one),
                value=value,
                low=low,
                high=high,
                items=len(tally),
            )
        )
    return found


def measure_tags(tally: SplitTally, split: Split) -> list[TagScore]:
    """Return every metric on the items of each tag."""
    groups = tally.groups()
    common = sorted(tally.tags, key=lambda tag: (-len(tally.tags[tag]), tag))[:MOST_TAGS]
    found = []
    for tag in sorted(common):
        # An item that names a tag twice has it once.
        items = np.unique(np.array(tally.tags[tag], dtype=np.int64))
        for one in tally.metrics:
            value, low, high = _score(one, groups, items)
            found.append(
                TagScore(
                    split=split,
                    tag=tag,
                    metric=one.wanted.name,
                    value=value,
                    low=low,
                    high=high,
                    items=len(items),
                )
            )
    return found


def _score(one: MetricTally, groups: Items, items: Items | None) -> Scored:
    chosen = groups if items is None else groups[items]
    value_of = VALUE_OF.get(one.wanted.name)
    if value_of is None:
        per_item = np.array(one.per_item, dtype=np.float64)
        return _mean(per_item if items is None else per_item[items], chosen)
    assert one.counts is not None, "what is no mean is counted"
    entries = selected(one.counts, items, size=len(groups))
    value = value_of(entries.total())
    if value is None:
        return _NOTHING
    found = None
    if one.wanted.name not in BY_LABEL or are_enough(_contexts_of_rarest(entries, chosen)):
        found = _bootstrap(entries, chosen, value=value, value_of=value_of)
    if found is None:
        return value, None, None
    low, high = _ENDS.get(one.wanted.name, (0.0, 1.0))
    return value, max(found[0], low), min(found[1], high)


def _mean(per_item: NDArray[np.float64], groups: Items) -> Scored:
    found = mean_with_interval(per_item.tolist(), groups.tolist())
    if found is None:
        return _NOTHING
    if found.interval is None:
        return found.mean, None, None
    return found.mean, max(found.interval.low, 0.0), min(found.interval.high, 1.0)


def _bootstrap(
    entries: CountEntries,
    groups: Items,
    *,
    value: float,
    value_of: Callable[[Counts], float | None],
) -> tuple[float, float] | None:
    """Return the interval of a metric over contexts drawn with replacement.

    From 30 contexts in effect on it holds the middle 95 % of the draws, which lack some
    labels, so that most may lie on one side of the metric's own value: it is stretched to
    hold that. Draws of fewer contexts C vary too little; there the interval is t with
    Satterthwaite's degrees of freedom around the value, at √(C / (C - 1)) times the draws'
    spread. Draws on which the metric is not defined are left out. Where next to all draws are
    the same they tell nothing: None.
    """
    numbers, places = np.unique(groups, return_inverse=True)
    count = len(numbers)
    if count < _PAIR:
        return None
    # Of many labels an item has few; what stands twice is added up.
    sums = csr_matrix(
        (entries.numbers, (places[entries.items], entries.columns)),
        shape=(count, len(entries.names)),
    )
    random = np.random.default_rng(_SEED)
    at_once = max(1, min(_SAMPLES, _DRAWN_AT_ONCE // count))
    values = []
    for start in range(0, _SAMPLES, at_once):
        drawn = random.integers(count, size=(min(at_once, _SAMPLES - start), count))
        times = np.stack([np.bincount(row, minlength=count) for row in drawn])
        for row in (times @ sums).tolist():
            found = value_of(dict(zip(entries.names, row, strict=True)))
            if found is not None:
                values.append(found)
    spread = float(np.std(values)) if values else 0.0
    # What is left of equal draws is rounding.
    if spread <= _ROUNDING * abs(value):
        return None
    parts = parts_of(places)
    effective = effective_clusters(parts)
    if effective < FEW_CLUSTERS:
        reach = float(stdtrit(freedom_of(parts), _HIGH))
        reach *= spread * float(np.sqrt(effective / (effective - 1)))
        return value - reach, value + reach
    low, high = (float(end) for end in np.quantile(values, [_LOW, _HIGH]))
    if high - low <= _ROUNDING * abs(value):
        return None
    return min(low, value), max(high, value)


def _contexts_of_rarest(entries: CountEntries, groups: Items) -> float:
    """Return in how many contexts the label is right that is right in the fewest.

    It is 0 where a label is predicted that is right nowhere.
    """
    kinds = [name.partition(" ") for name in entries.names]
    gold = np.array([f"{kind} " == GOLD for kind, _, _ in kinds])
    is_gold = gold[entries.columns]
    labels = {label for _, _, label in kinds if label}
    pairs = np.unique(np.stack([entries.columns[is_gold], groups[entries.items[is_gold]]]), axis=1)
    found = np.bincount(pairs[0], minlength=len(kinds))
    right = {kinds[place][2]: int(found[place]) for place in np.flatnonzero(gold)}
    return float(min((right.get(label, 0) for label in labels), default=0))
