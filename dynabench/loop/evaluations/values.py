"""Ids, states and values of evaluations."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.values import Split

EVALUATE_MODEL = "evaluations.evaluate"
"""The job that runs a model over a dataset version."""

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
        reason: Why it failed, as a sentence.
        failed_items: Items that the model did not answer; they score 0. None until done.
        seconds: Time spent predicting, summed over the shards. None until done.
        evaluated_at: When it was done.
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
