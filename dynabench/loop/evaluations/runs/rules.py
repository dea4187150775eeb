"""From predictions to scores: every metric of a task, each with its interval.

Imports SciPy, which is large; only a worker that has an evaluation to finish loads this.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.evaluations.rules import Compared, Outputs, compare, scored_metrics
from dynabench.loop.evaluations.values import MetricScore
from dynabench.science.metrics.registry import VALUE_OF, Resources, metric
from dynabench.science.metrics.values import Counts, MetricResult
from dynabench.science.statistics.means import group_numbers, mean_with_interval
from dynabench.science.task_config.schema import TaskConfig

_SAMPLES = 500
_SEED = 17
_LOW, _HIGH = 0.025, 0.975
_PAIR = 2

Interval = tuple[float | None, float | None]


def measure(
    config: TaskConfig,
    split: Split,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    resources: Resources | None = None,
) -> list[MetricScore]:
    """Return every metric of predictions over one split; a failed item has no outputs.

    Means get the clustered interval of `mean_with_interval`, others a percentile bootstrap
    over contexts with a fixed seed, from the items' sufficient statistics.
    """
    found: list[MetricScore] = []
    for wanted in scored_metrics(config):
        compared = compare(wanted, config, items, outputs)
        result = metric(wanted.name, resources)(compared.gold, compared.predicted)
        low, high = _interval(result, compared, value_of=VALUE_OF.get(wanted.name))
        found.append(
            MetricScore(
                split=split,
                metric=wanted.name,
                is_principal=wanted is config.perf_metrics[0],
                value=result.value,
                low=low,
                high=high,
                items=len(items),
            )
        )
    return found


def _interval(
    result: MetricResult,
    compared: Compared,
    *,
    value_of: Callable[[Counts], float | None] | None,
) -> Interval:
    if value_of is None:
        return _mean_interval(result.per_item, compared.contexts)
    if result.value is None:
        return None, None
    return _bootstrap(result.counts, compared.contexts, value=result.value, value_of=value_of)


def _mean_interval(per_item: Sequence[float], contexts: Sequence[bytes]) -> Interval:
    found = mean_with_interval(per_item, contexts)
    if found is None or found.interval is None:
        return None, None
    return max(found.interval.low, 0.0), min(found.interval.high, 1.0)


def _bootstrap(
    counts: Sequence[Counts],
    contexts: Sequence[bytes],
    *,
    value: float,
    value_of: Callable[[Counts], float | None],
) -> Interval:
    """Return the percentile interval of a metric over contexts drawn with replacement.

    Draws lack some labels, so that most may lie on one side of the metric's own value: the
    interval is stretched to hold it. Draws on which the metric is not defined are left out.
    """
    groups = group_numbers(contexts, expected=len(counts))
    count = int(groups.max()) + 1
    if count < _PAIR:
        return None, None
    random = np.random.default_rng(_SEED)
    drawn = random.integers(count, size=(_SAMPLES, count))
    times = np.stack([np.bincount(row, minlength=count) for row in drawn])
    names, sums = _sums_by_group(counts, groups, count)
    values = [value]
    for row in times @ sums:
        found = value_of({name: float(one) for name, one in zip(names, row, strict=True)})
        if found is not None:
            values.append(found)
    low, high = (float(end) for end in np.quantile(values[1:] or values, [_LOW, _HIGH]))
    return min(low, value), max(high, value)


def _sums_by_group(
    counts: Sequence[Counts], groups: NDArray[np.int64], size: int
) -> tuple[list[str], csr_matrix]:
    """Return the names that are counted, and for each group its counts of them."""
    names: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    numbers: list[float] = []
    for group, one in zip(groups, counts, strict=True):
        for name, number in one.items():
            rows.append(int(group))
            columns.append(names.setdefault(name, len(names)))
            numbers.append(number)
    # Of many labels an item has few; what stands twice is added up.
    return list(names), csr_matrix((numbers, (rows, columns)), shape=(size, len(names)))
