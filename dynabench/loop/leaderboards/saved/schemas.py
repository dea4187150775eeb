"""Wire shapes of saved boards: weights under a name, or everything as it was on a day."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.schemas import BoardRead
from dynabench.loop.leaderboards.values import BoardKind
from dynabench.science.texts.wire_texts import OneLine, SomeLines

Weight = Annotated[float, Field(ge=0, le=5)]
Key = Annotated[str, Field(min_length=1, max_length=120)]


class BoardWeights(WireModel):
    """What a reader chose: an absent weight is the default one.

    Attributes:
        metrics: Weights from 0 to 5 by the metric's name.
        datasets: Weights from 0 to 5 by the column's key.
        budget_gib: The memory budget.
        rates: A snapshot whose exchange rates are used.
    """

    metrics: Annotated[dict[Key, Weight], Field(max_length=50)] = {}
    datasets: Annotated[dict[Key, Weight], Field(max_length=200)] = {}
    budget_gib: Annotated[float, Field(gt=0, le=100_000, allow_inf_nan=False)] = 32.0
    rates: UUID | None = None


class BoardCreate(WireModel):
    """A board to save: a fork follows the data, a snapshot never changes again."""

    kind: BoardKind
    name: Annotated[OneLine, Field(min_length=1, max_length=80)]
    description: Annotated[SomeLines, Field(max_length=2000)] = ""
    weights: BoardWeights = BoardWeights()


class BoardSummary(WireModel):
    """A saved board without its rows.

    Attributes:
        digest: The SHA-256 of a snapshot's content; a fork has none.
        can_delete: Whether the reader may delete it.
    """

    id: UUID
    task_slug: str
    kind: BoardKind
    name: str
    description: str
    weights: BoardWeights
    digest: str | None
    created_by: str | None
    created_at: datetime
    can_delete: bool


class SavedBoardRead(BoardSummary):
    """A saved board; a fork's rows are those of now, a snapshot's those of its day."""

    board: BoardRead
