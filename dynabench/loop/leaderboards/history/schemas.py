"""Wire shapes of a task's history: models by rounds and static sets, and scores over time."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dynabench.kit.wire import WireModel
from dynabench.loop.datasets.values import DatasetAccess
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.schemas import BoardModelRead, FigureRead, HumanFigureRead


class HistoryKind(StrEnum):
    """What a column is: a released round, or a set that was brought as a whole."""

    ROUND = "round"
    STATIC = "static"


class HistoryColumn(WireModel):
    """A released round or a static set, and how people and the best model do on its test split.

    Attributes:
        round_number: Null for a static set.
        access: What a reader sees of it.
        items: How many test items it has.
        since: When it was released or uploaded.
        target_ids: The models that the round was written against; it is biased against them.
        humans: How people do; null where nobody has counted.
        best_model: The best model's name and version.
        best: Its score.
        gap: People's score minus the best model's, in points; null where people's is unknown.
    """

    version_id: UUID
    kind: HistoryKind
    name: str
    version: int
    round_number: int | None
    access: DatasetAccess
    items: int
    since: datetime
    target_ids: list[UUID]
    humans: HumanFigureRead | None
    best_model: str | None
    best: FigureRead | None
    gap: float | None


class HistoryCell(WireModel):
    """How far a model's evaluation is, and its score; a null state is none asked for."""

    state: EvaluationState | None
    figure: FigureRead | None


class HistoryRow(WireModel):
    """One model, with a cell for every column in their order."""

    model: BoardModelRead
    submitted_at: datetime
    cells: list[HistoryCell]


class RecordRead(WireModel):
    """A model that was better on a test split than every one submitted before it."""

    model_id: UUID
    model: str
    submitted_at: datetime
    figure: FigureRead


class HistoryRead(WireModel):
    """A task's rounds and static sets, every model on each, and the best score over time.

    Attributes:
        metric: The principal metric, times 100; empty where the task has none of predictions.
        is_lower_better: Whether less of it is better.
        columns: Released rounds by number, then static sets by date.
        rows: Published models, the best on the latest round first; at most 200.
        models: How many there are.
        records: For every column, the models that were the best when they were submitted, in
            the order of time.
        as_of: When the newest of these evaluations was done.
    """

    metric: str
    is_lower_better: bool
    columns: list[HistoryColumn]
    rows: list[HistoryRow]
    models: int
    records: list[list[RecordRead]]
    as_of: datetime | None
