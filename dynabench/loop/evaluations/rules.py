"""Decisions about evaluations: what is scored, and by which metrics."""

from collections.abc import Mapping

from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion
from dynabench.science.metrics.kinds import METRIC_KINDS, Subject
from dynabench.science.metrics.registry import NEEDS_SENTENCEPIECE
from dynabench.science.task_config.elements import PerfMetric
from dynabench.science.task_config.schema import TaskConfig

Outputs = Mapping[str, object]


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
