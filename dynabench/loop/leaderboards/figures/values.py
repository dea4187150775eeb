"""What a board is computed from: every metric of every model, and each item's score."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

COMPUTE_FIGURES = "leaderboards.figures"
"""The job that computes a task's figures: `{"task_id": …}`."""

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Measured:
    """A metric's value and interval as they are stored: 0 to 1, items per second, or bytes."""

    value: float
    low: float | None = None
    high: float | None = None
    items: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DoneEvaluation:
    """A finished evaluation of a board's dataset version."""

    id: UUID
    model_id: UUID
    version_id: UUID
    evaluated_at: datetime
    failed_items: int

    @property
    def mark(self) -> str:
        """What changes when it is done again."""
        return f"{self.id} {self.evaluated_at.isoformat()}"


@dataclass(frozen=True, slots=True)
class ItemScores:
    """The principal metric item by item on one test split, for every model scored there.

    Attributes:
        version_id: The dataset version.
        groups: Each item's context, numbered from 0.
        contexts: By these numbers, the first 8 bytes of the context's digest: sets that have
            some in common are not independent.
        models: Whose rows they are.
        marks: The evaluation behind each row.
        scores: Models by items, 0 to 1 and more is better.
    """

    version_id: UUID
    groups: NDArray[np.int64]
    contexts: NDArray[np.uint64]
    models: tuple[UUID, ...]
    marks: tuple[str, ...]
    scores: Small

    def row_of(self) -> Mapping[str, int]:
        """Return each row's place by its evaluation's mark."""
        return {mark: place for place, mark in enumerate(self.marks)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Everything that boards of one task are computed from, at one moment.

    The arrays have an axis of models and one of versions; NaN is no data.

    Attributes:
        stamp: Of the data that they were computed from.
        metrics: The names of metrics, the principal one first.
        models: All models that were scored on anything.
        versions: The dataset versions.
        values: By metric: models by versions.
        lows: The lower ends of their intervals.
        highs: The upper ends.
        items: On how many items; 0 where it is no matter of items.
        failed: Items without an answer.
        evaluated_at: Seconds since 1970.
        at_client: Whether a model's throughput was measured at the client.
        item_scores: Per version that anybody was scored on.
    """

    stamp: str
    metrics: Sequence[str]
    models: Sequence[UUID]
    versions: Sequence[UUID]
    values: Numbers
    lows: Numbers
    highs: Numbers
    items: NDArray[np.int64]
    failed: NDArray[np.int64]
    evaluated_at: Numbers
    at_client: NDArray[np.bool_]
    item_scores: Mapping[UUID, ItemScores]
