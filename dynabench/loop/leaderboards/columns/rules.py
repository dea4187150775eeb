"""Which columns a task's board has, and what a reader's weights say of them."""

import math
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.evaluations.rules import scored_metrics
from dynabench.loop.leaderboards.columns.values import (
    FEWEST_ITEMS,
    MAX_WEIGHT,
    MEMORY,
    THROUGHPUT,
    Columns,
    DatasetColumn,
    MetricColumn,
    Thinness,
    Unit,
    Weights,
)
from dynabench.loop.leaderboards.errors import BoardWeightsError
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.science.metrics.kinds import METRIC_KINDS, Direction
from dynabench.science.task_config.schema import TaskConfig

_PRINCIPAL_WEIGHT = 4.0
_OTHER_WEIGHT = 1.0
_GROUP = "group:"
# What configs of older platforms call the metrics of a run.
_ALIASES: Mapping[str, str] = {
    "examples_per_second": THROUGHPUT,
    "memory_utilization": MEMORY,
    "memory_gb": MEMORY,
}
_MOST_NAMED = 20


def columns_of(config: TaskConfig, versions: Sequence[DatasetVersion]) -> Columns | None:
    """Return the columns of a task's board; None where its first metric is not of predictions.

    Args:
        config: The task's active config.
        versions: All dataset versions of the task, oldest first.
    """
    scored = scored_metrics(config)
    if not scored or scored[0] is not config.perf_metrics[0]:
        return None
    metrics = [
        MetricColumn(
            name=one.name,
            title=METRIC_KINDS[one.name].title,
            unit=Unit.POINTS,
            default_weight=0.0 if number else _PRINCIPAL_WEIGHT,
            is_lower_better=METRIC_KINDS[one.name].direction is Direction.LOWER,
            is_principal=number == 0,
        )
        for number, one in enumerate(scored)
    ]
    deltas, datasets = _of_deltas(config), dataset_columns(versions)
    return Columns(
        [_with_config(one, config) for one in (*metrics, *_of_runs(), *deltas)],
        datasets,
        _without_variants(deltas, datasets, versions),
    )


def _without_variants(
    deltas: Sequence[MetricColumn],
    datasets: Sequence[DatasetColumn],
    versions: Sequence[DatasetVersion],
) -> frozenset[tuple[str, UUID]]:
    varied = {
        (str(one.perturbation["kind"]), one.perturbs_id)
        for one in versions
        if one.perturbs_id is not None and one.perturbation and one.sizes[Split.TEST] > 0
    }
    return frozenset(
        (metric.name, version.id)
        for metric in deltas
        for column in datasets
        for version in column.versions
        if (metric.name, version.id) not in varied
    )


def dataset_columns(versions: Sequence[DatasetVersion]) -> list[DatasetColumn]:
    """Return a column for each scoring dataset's newest version; sub-tasks share one.

    Only test splits are on the board, and perturbed sets are other metrics of their
    originals. Releases come in the order of their rounds' release, as the versions do.
    """
    newest: dict[object, DatasetVersion] = {}
    for version in versions:
        is_shown = (
            version.access is DatasetAccess.SCORING
            and version.origin is not DatasetOrigin.PERTURBATION
            and version.perturbs_id is None
            and version.sizes[Split.TEST] > 0
        )
        if is_shown:
            newest[version.dataset_id] = version
    groups: dict[str, list[DatasetVersion]] = {}
    for version in newest.values():
        key = str(version.id)
        if version.subtask_of is not None:
            # In the query commas stand between columns.
            key = _GROUP + version.subtask_of.replace(",", "%2C")
        groups.setdefault(key, []).append(version)
    return [
        DatasetColumn(key, members[0].subtask_of or members[0].name, tuple(members))
        for key, members in groups.items()
    ]


def thin_datasets(columns: Columns, few_contexts: Collection[UUID]) -> dict[str, Thinness]:
    """Return the datasets that weigh nothing by default, and why; none where all would.

    Three items must not weigh as much as a round, and a set of few contexts leaves the whole
    board without ranks, as too little tells how another context would have come out.

    Args:
        columns: The board's.
        few_contexts: The versions whose items share too few contexts to order models by.
    """
    found = {}
    for column in columns.datasets:
        if column.items < FEWEST_ITEMS:
            found[column.key] = Thinness.FEW_ITEMS
        elif any(version.id in few_contexts for version in column.versions):
            found[column.key] = Thinness.FEW_CONTEXTS
    return found if len(found) < len(columns.datasets) else {}


def read_weights(
    query: BoardQuery,
    columns: Columns,
    *,
    with_data: Collection[str],
    thin: Collection[str] = (),
) -> Weights:
    """Return a weight for every column.

    Without a choice the config's weights hold, but for metrics that no model has: these
    would leave the board empty. Datasets weigh alike, but for thin ones. A column that a
    choice does not name weighs nothing.

    Raises:
        BoardWeightsError: If a name is unknown, a weight is none, or nothing has any.
    """
    names = [one.name for one in columns.metrics]
    keys = [one.key for one in columns.datasets]
    defaults = {one.name: one.default_weight * (one.name in with_data) for one in columns.metrics}
    metrics = defaults
    if query.metrics is not None:
        chosen = _read("metrics", query.metrics, names, is_saved=query.is_saved)
        metrics = {name: chosen.get(name, 0.0) for name in names}
    usual = {key: float(key not in thin) for key in keys}
    datasets = usual
    if query.datasets is not None:
        chosen = _read("datasets", query.datasets, keys, is_saved=query.is_saved)
        datasets = {key: chosen.get(key, 0.0) for key in keys}
    if query.is_saved:
        # What is left of an old choice may be nothing.
        metrics = metrics if any(metrics.values()) else defaults
        datasets = datasets if any(datasets.values()) else usual
    if query.metrics is not None and not any(metrics.values()):
        raise BoardWeightsError(
            field="metrics",
            problem="every weight is 0; give at least one metric more.",
            known=names,
        )
    if query.datasets is not None and keys and not any(datasets.values()):
        raise BoardWeightsError(
            field="datasets", problem="every weight is 0; give at least one dataset more."
        )
    return Weights(
        metrics=metrics, datasets=datasets, budget_gib=query.budget_gib, rates=query.rates
    )


def _of_runs() -> list[MetricColumn]:
    return [
        MetricColumn(
            name=THROUGHPUT,
            title="Throughput",
            unit=Unit.EXAMPLES_PER_SECOND,
            default_weight=_OTHER_WEIGHT,
        ),
        MetricColumn(
            name=MEMORY,
            title="Memory",
            unit=Unit.GIB,
            default_weight=_OTHER_WEIGHT,
            is_lower_better=True,
        ),
    ]


def _of_deltas(config: TaskConfig) -> list[MetricColumn]:
    return [
        MetricColumn(
            name=one.name,
            title=one.name.capitalize(),
            unit=Unit.POINTS,
            default_weight=_OTHER_WEIGHT,
        )
        for one in config.delta_metrics
    ]


def _with_config(column: MetricColumn, config: TaskConfig) -> MetricColumn:
    for name, weight in config.aggregation_metric.default_weights.items():
        if _ALIASES.get(name, name) == column.name:
            return MetricColumn(
                name=column.name,
                title=column.title,
                unit=column.unit,
                default_weight=weight,
                is_lower_better=column.is_lower_better,
                is_principal=column.is_principal,
            )
    return column


def _read(field: str, written: str, known: Sequence[str], *, is_saved: bool) -> dict[str, float]:
    """Read `name:weight,name:weight`; a group's key has a colon of its own."""
    found: dict[str, float] = {}
    for part in filter(None, (one.strip() for one in written.split(","))):
        name, colon, number = part.rpartition(":")
        name = _ALIASES.get(name, name)
        if not colon:
            raise BoardWeightsError(
                field=field, problem=f"“{part[:80]}” has no weight; write {part[:80]}:1."
            )
        if name not in known:
            if is_saved:
                continue
            raise BoardWeightsError(
                field=field,
                problem=f"“{name[:80]}” is not on this board.",
                known=known[:_MOST_NAMED],
            )
        if name in found:
            raise BoardWeightsError(field=field, problem=f"“{name[:80]}” stands twice; keep one.")
        weight = _number(number)
        if weight is None:
            raise BoardWeightsError(
                field=field,
                problem=f"the weight of “{name[:80]}” is {number[:20]!r}; it must be from 0 to 5.",
            )
        found[name] = weight
    return found


def _number(written: str) -> float | None:
    try:
        weight = float(written)
    except ValueError:
        return None
    return weight if math.isfinite(weight) and 0 <= weight <= MAX_WEIGHT else None


def version_shares(columns: Columns, weights: Weights) -> NDArray[np.float64]:
    """Return each version's part of every average; sub-tasks share their column's."""
    parts: list[float] = []
    total = sum(weights.datasets.values())
    for column in columns.datasets:
        share = weights.datasets[column.key] / total if total else 0.0
        parts += [share / len(column.versions)] * len(column.versions)
    return np.array(parts)


def metric_shares(columns: Columns, shares: NDArray[np.float64]) -> NDArray[np.float64]:
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
