"""Ids, states and values of evaluations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import Split

EVALUATE_MODEL = "evaluations.evaluate"
"""The job that runs a model over a dataset version."""

SCORES_CHANGED = "evaluations.scores_changed"
"""The job that follows the last evaluation under way of a task; its payload names the task."""

SCORED_SPLITS = (Split.TEST, Split.DEV)

EvaluationId = NewType("EvaluationId", UUID)


class EvaluationState(StrEnum):
    """How far an evaluation is; one that failed or was cancelled may be asked for again.

    `incomplete` is a model of predictions that has no file for the dataset yet.
    """

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INCOMPLETE = "incomplete"


class DeltaKind(StrEnum):
    """What a perturbed set asks of a model: the same answer where it should not matter."""

    ROBUSTNESS = "robustness"
    FAIRNESS = "fairness"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One model on one dataset version.

    Attributes:
        id: The evaluation's id.
        model_id: Which model version.
        dataset_version_id: On which items.
        state: How far it is.
        job_id: The job that does or did it.
        reason: Why it failed, or what it waits for, as a sentence.
        failed_items: Items that the model did not answer; they score 0. None until done.
        seconds: Time spent predicting, summed over the shards. None until done.
        evaluated_at: When it was done.
        probes: What a remote model answered to the probes before the first item, as a digest.
        retries: How often its submitter had it tried again.
    """

    id: UUID
    model_id: UUID
    dataset_version_id: UUID
    state: EvaluationState
    job_id: UUID | None
    reason: str | None
    failed_items: int | None
    seconds: float | None
    evaluated_at: datetime | None
    probes: str | None = None
    retries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedShard:
    """A part of a version that a model has answered; it is never asked again.

    Attributes:
        split: Which split it is of.
        number: Its place in the split, from 0.
        items: How many items it holds.
        failed: How many of them the model did not answer.
        seconds: How long the model took.
        cpu_seconds: Processor time of the model's processes; None where they run elsewhere.
        memory_peak_bytes: The most memory that they held; None where they run elsewhere.
    """

    split: Split
    number: int
    items: int
    failed: int
    seconds: float
    cpu_seconds: float | None = None
    memory_peak_bytes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """How fast and how large a model was, and on which machine.

    Throughputs are items per second: one at a time (the median of the repeats, and the least
    and most of them), and the best of batches. What cannot be measured is None; where that
    is the throughput of a model that was timed, `throughput_reason` is a sentence why.
    """

    throughput: float | None
    throughput_low: float | None
    throughput_high: float | None
    batched_throughput: float | None
    is_measured_at_client: bool
    memory_mean_bytes: int | None
    memory_peak_bytes: int | None
    cpu_seconds: float | None
    machine: Mapping[str, object]
    reference_seconds: float | None
    measured_at: datetime
    throughput_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TagScore:
    """One metric on the items of a split that have a tag, with its 95 % interval."""

    split: Split
    tag: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """How far a model agrees with itself on changed texts, from 0 to 1.

    Attributes:
        perturbed_version_id: The set of changed texts.
        split: Which split.
        transform: How they were changed; empty is all ways together.
        kind: What kind of change it is.
        value: The mean agreement over the originals that changed; None where none did.
        low: The lower end of its 95 % interval.
        high: The upper end.
        items: How many originals changed.
        gold_value: The principal metric on the changed texts; None where there is none.
    """

    perturbed_version_id: UUID
    split: Split
    transform: str
    kind: DeltaKind
    value: float | None
    low: float | None
    high: float | None
    items: int
    gold_value: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Everything that is written when an evaluation is done."""

    scores: "list[MetricScore]"
    tags: list[TagScore]
    measurement: Measurement | None
    failed_items: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPrediction:
    """What a model answered to one item, or why that cannot be used.

    `score` is the item's part in the principal metric, 0 to 1, and more is better; 0 where
    there is no answer, None where that metric is not one of predictions.
    """

    uid: str
    outputs: Values
    probabilities: dict[str, float] | None
    error: str | None
    score: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScore:
    """One metric on one split with its 95 % interval, in the metric's own range."""

    split: Split
    metric: str
    is_principal: bool
    value: float | None
    low: float | None
    high: float | None
    items: int
