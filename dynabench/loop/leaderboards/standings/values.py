"""A board as it is now, for one reader and one choice of weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.kit.actor import Actor
from dynabench.loop.leaderboards.columns.values import Columns, Thinness, Weights
from dynabench.loop.leaderboards.figures.values import Figures
from dynabench.loop.leaderboards.permissions import may_know_submitter
from dynabench.loop.leaderboards.ranking.values import FrozenRates, Prepared, Ranking
from dynabench.loop.leaderboards.values import Contender
from dynabench.loop.tasks.values import Task, TaskRole


@dataclass(frozen=True, slots=True)
class HumanScore:
    """How people do on a dataset version's test split, 0 to 1."""

    version_id: UUID
    metric: str
    value: float | None
    low: float | None
    high: float | None
    items: int
    votes: int
    method: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Field:
    """A task's contenders as they were read last, and what follows from them alone.

    Attributes:
        stamp: What changes whenever one of them does.
        contenders: All of them, oldest first.
        published: Those that everybody knows of.
        rows: The published models' rows in figures, by the figures' stamp.
    """

    stamp: str
    contenders: Sequence[Contender]
    published: Sequence[Contender]
    rows: dict[str, NDArray[np.int64]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rates:
    """A snapshot's exchange rates, and which snapshot that is."""

    board_id: UUID
    name: str
    created_at: datetime
    frozen: FrozenRates


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """Everything that a board's page, file or snapshot tells.

    Attributes:
        task: Whose board it is.
        actor: Who reads it.
        role: What the reader may do in the task.
        columns: None where the task is not ranked by predictions.
        weights: None with the columns.
        with_data: The names of metrics that some published model has.
        thin: Datasets that weigh nothing by default, and why.
        prepared: None while nothing was computed.
        ranking: None with it.
        contenders: The models that are named to the reader, oldest first.
        unranked: Those of them that are not ranked.
        round_numbers: By the round's id.
        humans: How people do, by version.
        rates: Whose exchange rates are used, if not the board's own.
        sort: By what the rows are in order.
        submitters: Names by id, of those whom the reader may know.
        as_of: When the figures were computed.
        is_current: Whether they hold everything that is there.
    """

    task: Task
    actor: Actor
    role: TaskRole | None
    columns: Columns | None
    weights: Weights | None
    with_data: frozenset[str]
    thin: Mapping[str, Thinness]
    prepared: Prepared | None
    ranking: Ranking | None
    contenders: Sequence[Contender]
    unranked: Sequence[Contender]
    round_numbers: Mapping[UUID, int]
    humans: Mapping[UUID, HumanScore]
    rates: Rates | None
    sort: str
    submitters: Mapping[UUID, str]
    as_of: datetime | None
    is_current: bool

    @property
    def figures(self) -> Figures | None:
        """What was measured; None while nothing was computed."""
        return None if self.prepared is None else self.prepared.figures

    @property
    def places(self) -> Mapping[UUID, int]:
        """Each model's row in the figures."""
        return {} if self.prepared is None else self.prepared.places

    @property
    def cells(self) -> dict[int, bytes]:
        """The JSON of models' figures per column, as far as it was written before."""
        return {} if self.prepared is None else self.prepared.cells

    def may_know_submitter(self, contender: Contender) -> bool:
        """Tell whether the reader may know who submitted a model."""
        return may_know_submitter(contender, actor=self.actor, role=self.role)

    def ranked_ids(self) -> list[UUID]:
        """Return the ranked models, best first."""
        if self.ranking is None or self.figures is None:
            return []
        return [self.figures.models[place] for place in self.ranking.models[self.ranking.order]]
