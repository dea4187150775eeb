"""What is read of evaluations for a task's history."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.loop.evaluations.values import EvaluationState


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One model on one dataset version; the score is of the test split, as it is stored."""

    state: EvaluationState
    evaluated_at: datetime | None
    value: float | None
    low: float | None
    high: float | None
    items: int | None


@dataclass(frozen=True, slots=True)
class Past:
    """Every standing by model and version, and when the models were submitted."""

    standings: Mapping[tuple[UUID, UUID], Standing]
    submitted_at: Mapping[UUID, datetime]
