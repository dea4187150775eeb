"""What a scale is computed from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.columns.values import Columns
from dynabench.loop.leaderboards.ranking.values import Prepared

COMPUTE_SCALE = "leaderboards.scale"
"""The job that puts a task's models and rounds on one scale: `{"task_id": …}`."""


@dataclass(frozen=True, slots=True)
class Tested:
    """One set, and the models whose answers to it count.

    Attributes:
        version: The set.
        place: Its place in the figures.
        round_number: Of a release, its round's.
        models: The models' rows in the figures; a round's own targets are not among them.
        right: These models by items, 0 to 1.
        groups: Each item's context, numbered from 0.
        contexts: By these numbers, what a context is known by in other sets.
        targets: Models that were left out, as the round was collected against them.
    """

    version: DatasetVersion
    place: int
    round_number: int | None
    models: NDArray[np.int64]
    right: NDArray[np.floating]
    groups: NDArray[np.int64]
    contexts: NDArray[np.uint64]
    targets: tuple[UUID, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that a task's scale is computed from, but for its attempts.

    Attributes:
        columns: What the board holds.
        prepared: Its figures, with covariances.
        sets: The sets with items, those of rounds first, in the rounds' order.
        models: The published models with a score on any of them, by their rows in the figures.
    """

    columns: Columns
    prepared: Prepared
    sets: Sequence[Tested]
    models: Mapping[int, UUID]


@dataclass(frozen=True, slots=True)
class AttemptCount:
    """How often somebody tried to fool a model about a context in a round, and how often it was."""

    annotator_id: UUID
    model_id: UUID
    context_id: UUID
    round_id: UUID
    tried: int
    fooled: int
