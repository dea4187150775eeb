"""What a signed result states, as plain JSON: digests, code, machine, metrics with intervals."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pydantic import JsonValue

from dynabench.kit.code_version import CodeVersion
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.signed_reports.values import Recorded, Row
from dynabench.loop.evaluations.values import MetricScore
from dynabench.loop.models.schemas import ModelRead

_PERCENT = 100
_MEASURED = (
    "throughput",
    "throughput_low",
    "throughput_high",
    "throughput_reason",
    "batched_throughput",
    "is_measured_at_client",
    "memory_mean_bytes",
    "memory_peak_bytes",
    "cpu_seconds",
    "machine",
    "reference_seconds",
)


def statement(
    model: ModelRead,
    datasets: Sequence[JsonValue],
    *,
    code: CodeVersion,
    now: datetime,
) -> dict[str, JsonValue]:
    """Return what is signed: one model version, what computed its results, and the results."""
    return {
        "made_at": now.isoformat(),
        "task": model.task_slug,
        "model": {
            "id": str(model.id),
            "name": model.name,
            "version": model.version,
            "kind": model.kind.value,
            "digest": model.digest,
        },
        "code": {"version": code.version, "source_digest": code.source_digest},
        "datasets": [*datasets],
    }


def dataset_statement(
    version: DatasetVersion, recorded: Recorded, scores: Sequence[MetricScore]
) -> dict[str, JsonValue]:
    """Return what one evaluation found; metrics are times 100, as everywhere on the wire."""
    evaluated = recorded.evaluation
    measured = recorded.measurement
    return {
        "name": version.name,
        "version": version.version,
        "digest": version.digest,
        "items": {split.value: size for split, size in version.sizes.items()},
        "evaluated_at": evaluated["evaluated_at"].isoformat(),
        "failed_items": evaluated["failed_items"],
        "seconds": evaluated["seconds"],
        "scores": [_score(one) for one in scores],
        "deltas": [_delta(one) for one in recorded.deltas],
        "measurement": None if measured is None else {key: measured[key] for key in _MEASURED},
    }


def unsaid(score: MetricScore) -> MetricScore:
    """Return a score that does not say how right the model was."""
    return replace(score, value=None, low=None, high=None)


def _score(one: MetricScore) -> dict[str, JsonValue]:
    return {
        "split": one.split.value,
        "metric": one.metric,
        "is_principal": one.is_principal,
        "items": one.items,
        **_interval(one.value, one.low, one.high),
    }


def _delta(row: Row) -> dict[str, JsonValue]:
    return {
        "kind": row["kind"].value,
        "split": row["split"],
        "transform": row["transform"] or None,
        "items": row["items"],
        **_interval(row["value"], row["low"], row["high"]),
    }


def _interval(value: float | None, low: float | None, high: float | None) -> dict[str, JsonValue]:
    ends = {"value": value, "low": low, "high": high}
    return {name: None if end is None else end * _PERCENT for name, end in ends.items()}
