"""Wire shapes of evaluations."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.wire import WireModel


class EvaluationCreate(WireModel):
    """Which dataset version to score a model on."""

    dataset_version_id: UUID


class ScoreRead(WireModel):
    """One metric of one model on one split, times 100, with its 95 % interval.

    Most lie from 0 to 100 and more is better; the reference of metrics says which do not.
    """

    model_id: UUID
    model_name: str
    model_version: int
    dataset_version_id: UUID
    dataset_name: str
    round_number: int | None
    split: str
    metric: str
    is_principal: bool
    value: float | None
    low: float | None
    high: float | None
    items: int
    failed_items: int
    evaluated_at: datetime
