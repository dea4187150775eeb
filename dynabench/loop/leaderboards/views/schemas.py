"""Wire shapes of other views of a board: per tag, and what stands against what."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.schemas import BoardModelRead, FigureRead


class TagRow(WireModel):
    """One model per tag: its principal metric, in the order of the tags."""

    model: BoardModelRead
    figures: list[FigureRead | None]


class TagBoardRead(WireModel):
    """The principal metric per tag of one dataset, the best models first.

    Attributes:
        metric: The principal metric.
        dataset_version_id: On which dataset.
        tags: The tags, most items first; at most 100.
    """

    metric: str
    dataset_version_id: UUID | None
    dataset_name: str | None
    tags: list[str]
    rows: list[TagRow]


class ParetoPoint(WireModel):
    """One model: performance against another metric; `is_on_front` of these two alone."""

    model: BoardModelRead
    performance: FigureRead
    other: FigureRead
    is_on_front: bool


class ParetoRead(WireModel):
    """Performance against one metric, over the datasets and weights that were asked for."""

    performance: str
    metric: str
    unit: str
    is_lower_better: bool
    points: list[ParetoPoint]
    as_of: datetime | None
