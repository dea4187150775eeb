"""What a metric compares, and each item's part in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench.loop.datasets.values import DatasetAccess, DatasetItem, DatasetVersion
from dynabench.science.metrics.answers import as_answer, as_gold
from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.metrics.registry import NEEDS_SENTENCEPIECE, Resources, metric
from dynabench.science.metrics.values import Answer, Gold
from dynabench.science.task_config.elements import PerfMetric
from dynabench.science.task_config.schema import TaskConfig

Outputs = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Compared:
    """Right and predicted answers of the items of a split, and which context each is on."""

    gold: Sequence[Gold]
    predicted: Sequence[Answer | None]
    contexts: Sequence[bytes]


def is_asked_by_itself(version: DatasetVersion) -> bool:
    """Tell whether models are scored on a version without anybody asking for it.

    Hidden sets wait for an owner, but for those that change another set's texts.
    """
    return version.access is not DatasetAccess.HIDDEN or version.perturbs_id is not None


def missing_file(version: DatasetVersion) -> str:
    """Say what a model of predictions lacks to be scored on a version."""
    return f"It needs its file for {version.name} v{version.version}."


def scored_metrics(config: TaskConfig) -> list[PerfMetric]:
    """Return the task's metrics of predictions, the principal one first.

    The first of two metrics with one name counts; what is computed from people's choices or
    from submitted training examples says nothing of predictions.
    """
    found: dict[str, PerfMetric] = {}
    for one in config.perf_metrics:
        if METRIC_KINDS[one.name].subject is Subject.PREDICTIONS and is_scored(one, config):
            found.setdefault(one.name, one)
    return list(found.values())


def is_scored(wanted: PerfMetric, config: TaskConfig) -> bool:
    """Tell whether datasets hold the right answers of a metric's field."""
    return wanted.reference_name in config.gold_names


def needs_sentencepiece(config: TaskConfig) -> bool:
    """Tell whether a task has a metric that needs a SentencePiece model."""
    return any(one.name == NEEDS_SENTENCEPIECE for one in scored_metrics(config))


def item_scores(
    config: TaskConfig,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    resources: Resources | None = None,
) -> list[float | None]:
    """Return each item's part in the principal metric; None where there is no such metric."""
    wanted = scored_metrics(config)
    if not wanted or wanted[0] is not config.perf_metrics[0]:
        return [None] * len(items)
    compared = compare(wanted[0], config, items, outputs)
    result = metric(wanted[0].name, resources)(compared.gold, compared.predicted)
    return [*result.per_item]


def compare(
    wanted: PerfMetric,
    config: TaskConfig,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
) -> Compared:
    """Return what a metric compares; where this output is missing there is no prediction."""
    name = wanted.reference_name
    assert name is not None, "the config's reader asks for it"
    kind = config.field(name).type.type_name
    return Compared(
        gold=[as_gold(kind, item.gold[name]) for item in items],
        predicted=[as_answer(kind, found[name]) if name in found else None for found in outputs],
        contexts=[item.context_digest for item in items],
    )
