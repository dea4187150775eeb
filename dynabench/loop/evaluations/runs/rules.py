"""From predictions to scores: every metric of a task, each with its interval.

Imports SciPy, which is large; only a worker that has an evaluation to finish loads this.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

import numpy as np

from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.evaluations.rules import Compared, Outputs, compare
from dynabench.loop.evaluations.values import MetricScore
from dynabench.science.metrics.registry import METRICS, metric
from dynabench.science.metrics.values import Metric
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.task_config.elements import PerfMetric

# Of these the value is no mean of the items' scores.
_CORPUS_METRICS = frozenset({"macro_f1"})
_SAMPLES = 500
_SEED = 17
_LOW, _HIGH = 0.025, 0.975


def measure(
    perf_metrics: Sequence[PerfMetric],
    split: Split,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
) -> list[MetricScore]:
    """Return every metric of a task over one split; a failed item has no outputs and misses.

    Means get the clustered interval of `mean_with_interval`, others a percentile bootstrap
    over contexts with a fixed seed. A metric that this version does not compute is None.
    """
    return [
        _score(one, split, items, outputs, is_principal=position == 0)
        for position, one in enumerate(perf_metrics)
        # The first of two metrics with one name counts.
        if one.name not in {earlier.name for earlier in perf_metrics[:position]}
    ]


def _score(
    wanted: PerfMetric,
    split: Split,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    *,
    is_principal: bool,
) -> MetricScore:
    value: float | None = None
    reach: tuple[float | None, float | None] = (None, None)
    if wanted.name in METRICS and wanted.reference_name is not None and items:
        compared = compare(wanted.reference_name, items, outputs)
        result = metric(wanted.name)(compared.gold, compared.predicted)
        value = result.value
        if wanted.name in _CORPUS_METRICS:
            reach = _bootstrap(metric(wanted.name), compared, value=value)
        else:
            reach = _mean_interval(result.per_item, compared.contexts)
    return MetricScore(
        split=split,
        metric=wanted.name,
        is_principal=is_principal,
        value=value,
        low=reach[0],
        high=reach[1],
        items=len(items),
    )


def _mean_interval(
    per_item: Sequence[float], contexts: Sequence[bytes]
) -> tuple[float | None, float | None]:
    found = mean_with_interval(per_item, contexts)
    if found is None or found.interval is None:
        return None, None
    return max(found.interval.low, 0.0), min(found.interval.high, 1.0)


def _bootstrap(
    measured: Metric, compared: Compared, *, value: float | None
) -> tuple[float | None, float | None]:
    """Return the percentile interval of a metric over contexts drawn with replacement.

    Draws lack some labels, so that most may lie on one side of the metric's own value: the
    interval is stretched to hold it.
    """
    members: dict[bytes, list[int]] = defaultdict(list)
    for number, context in enumerate(compared.contexts):
        members[context].append(number)
    groups = list(members.values())
    if len(groups) == 1:
        return None, None
    random = np.random.default_rng(_SEED)
    values = []
    for _ in range(_SAMPLES):
        drawn = random.integers(len(groups), size=len(groups))
        chosen = list(chain.from_iterable(groups[group] for group in drawn))
        result = measured(
            [compared.gold[number] for number in chosen],
            [compared.predicted[number] for number in chosen],
        )
        assert result.value is not None, "every context has an item"
        values.append(result.value)
    ends = [float(end) for end in np.quantile(values, [_LOW, _HIGH])]
    own = [] if value is None else [value]
    return min(ends + own), max(ends + own)
