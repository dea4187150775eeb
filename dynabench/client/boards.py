"""Calls about boards: models ranked by one's own weights, and boards that were saved."""

from collections.abc import Mapping
from pathlib import Path

# What pandas makes has no types here.
from typing import Any, BinaryIO

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import create, delete, get, path, shape
from dynabench.client.files import OnProgress, download
from dynabench.client.lists import Table, frame_of
from dynabench.client.methods import Calls, Endpoint, FaceT
from dynabench.client.steps import Steps
from dynabench.loop.leaderboards.history.schemas import HistoryRead
from dynabench.loop.leaderboards.humans.schemas import HumanGapRead
from dynabench.loop.leaderboards.preferences.schemas import PreferenceBoardRead
from dynabench.loop.leaderboards.saved.schemas import BoardCreate, BoardSummary, SavedBoardRead
from dynabench.loop.leaderboards.schemas import BoardRead
from dynabench.loop.leaderboards.values import BoardKind
from dynabench.loop.leaderboards.views.schemas import ParetoRead, TagBoardRead

Weights = Mapping[str, float]
_BUDGET_GIB = 32.0


def _query(
    *,
    metrics: Weights | None,
    datasets: Weights | None,
    budget_gib: float,
    rates: Id | None,
    sort: str | None = None,
) -> dict[str, object]:
    def written(weights: Weights | None) -> str | None:
        if weights is None:
            return None
        return ",".join(f"{name}:{weight}" for name, weight in weights.items())

    return {
        "metrics": written(metrics),
        "datasets": written(datasets),
        "budget": budget_gib,
        "rates": None if rates is None else str(rates),
        "sort": sort,
    }


def _weights(
    metrics: Weights | None, datasets: Weights | None, budget_gib: float, rates: Id | None
) -> dict[str, object]:
    return {
        "metrics": dict(metrics or {}),
        "datasets": dict(datasets or {}),
        "budget_gib": budget_gib,
        "rates": rates,
    }


def _save(task: TaskRef, values: Mapping[str, object], *, key: str | None) -> Steps[BoardSummary]:
    body = shape(BoardCreate, values)
    return create(path("tasks", task, "boards"), BoardSummary, body, key=key)


class Board(BoardRead):
    """A board; `to_frame()` makes a pandas DataFrame of its rows."""

    def to_frame(self) -> Any:
        """Return one row a model, with columns such as `figures.accuracy.value`."""
        return frame_of(self.rows)


class BoardCalls(Calls[FaceT]):
    """All models of a task by the weights that a reader chooses.

    Weights go from 0 to 5; what is not named weighs nothing, and without any the task's
    defaults hold. A dataset is named by the `key` of its column.

    Example::

        board = client.boards["nli"]
        print(board.to_frame())
    """

    @Endpoint
    def get(
        self,
        task: TaskRef,
        *,
        metrics: Weights | None = None,
        datasets: Weights | None = None,
        budget_gib: float = _BUDGET_GIB,
        rates: Id | None = None,
        sort: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> Steps[Board]:
        """Rank a task's models; ranks are intervals, and every number has its own.

        Args:
            task: The task, by its slug.
            metrics: Weights by the metric's name, such as `{"accuracy": 4, "memory": 1}`.
            datasets: Weights by the column's key.
            budget_gib: The memory budget.
            rates: A snapshot whose exchange rates are used in place of the board's own.
            sort: `dynascore` or a metric's name.
            cursor: The `next_cursor` of the page before.
            limit: Rows of a page, at most 200.
        """
        query = _query(
            metrics=metrics, datasets=datasets, budget_gib=budget_gib, rates=rates, sort=sort
        )
        return get(path("tasks", task, "board"), Board, {**query, "cursor": cursor, "limit": limit})

    @Endpoint
    def export(
        self,
        task: TaskRef,
        form: str,
        to: str | Path | BinaryIO,
        *,
        metrics: Weights | None = None,
        datasets: Weights | None = None,
        budget_gib: float = _BUDGET_GIB,
        rates: Id | None = None,
        on_progress: OnProgress | None = None,
    ) -> Steps[int]:
        """Write a whole board to a file, as `csv`, `tex` (booktabs) or `json`.

        Returns:
            The number of bytes written.
        """
        query = _query(metrics=metrics, datasets=datasets, budget_gib=budget_gib, rates=rates)
        where = path("tasks", task, f"board.{form}")
        return download(where, to, query=query, on_progress=on_progress)

    @Endpoint
    def tags(self, task: TaskRef, *, dataset: Id | None = None) -> Steps[TagBoardRead]:
        """Show the principal metric per tag of one dataset version; by default the newest."""
        return get(path("tasks", task, "board-tags"), TagBoardRead, {"dataset": dataset})

    @Endpoint
    def pareto(
        self,
        task: TaskRef,
        metric: str,
        *,
        datasets: Weights | None = None,
        budget_gib: float = _BUDGET_GIB,
    ) -> Steps[ParetoRead]:
        """Show every model's performance against another metric, both with intervals."""
        query = _query(metrics=None, datasets=datasets, budget_gib=budget_gib, rates=None)
        return get(path("tasks", task, "board-pareto"), ParetoRead, {**query, "metric": metric})

    @Endpoint
    def history(self, task: TaskRef) -> Steps[HistoryRead]:
        """Show every model on every released round and static set, and the best over time."""
        return get(path("tasks", task, "history"), HistoryRead)

    @Endpoint
    def humans(self, task: TaskRef) -> Steps[Table[HumanGapRead]]:
        """List how people and the best model do on each released round."""
        return get(path("tasks", task, "humans"), Table[HumanGapRead])

    @Endpoint
    def preferences(
        self, task: TaskRef, *, round_number: int | None = None
    ) -> Steps[PreferenceBoardRead]:
        """Rank models by people's choices between their replies, in one round or in all."""
        query = {} if round_number is None else {"round_number": round_number}
        return get(path("tasks", task, "preferences"), PreferenceBoardRead, query)

    __getitem__ = get


class SavedBoardCalls(Calls[FaceT]):
    """Forks, which follow the data, and snapshots, which never change.

    Example::

        client.saved_boards.snapshot("nli", name="as of the paper")
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[BoardSummary]]:
        """List the saved boards of a task, newest first."""
        return get(path("tasks", task, "boards"), Table[BoardSummary])

    @Endpoint
    def get(self, board_id: Id) -> Steps[SavedBoardRead]:
        """Show a saved board with its rows."""
        return get(path("boards", board_id), SavedBoardRead)

    @Endpoint
    def fork(
        self,
        task: TaskRef,
        *,
        name: str,
        description: str = "",
        metrics: Weights | None = None,
        datasets: Weights | None = None,
        budget_gib: float = _BUDGET_GIB,
        rates: Id | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[BoardSummary]:
        """Save weights under a name; the board goes on following the data."""
        about = {"kind": BoardKind.FORK, "name": name, "description": description}
        weights = _weights(metrics, datasets, budget_gib, rates)
        return _save(task, {**about, "weights": weights}, key=idempotency_key)

    @Endpoint
    def snapshot(
        self,
        task: TaskRef,
        *,
        name: str,
        description: str = "",
        metrics: Weights | None = None,
        datasets: Weights | None = None,
        budget_gib: float = _BUDGET_GIB,
        rates: Id | None = None,
        idempotency_key: str | None = None,
    ) -> Steps[BoardSummary]:
        """Freeze the board with its exchange rates and date; it never changes again."""
        about = {"kind": BoardKind.SNAPSHOT, "name": name, "description": description}
        weights = _weights(metrics, datasets, budget_gib, rates)
        return _save(task, {**about, "weights": weights}, key=idempotency_key)

    @Endpoint
    def export(
        self,
        board_id: Id,
        form: str,
        to: str | Path | BinaryIO,
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[int]:
        """Write a saved board to a file, as `csv`, `tex` (booktabs) or `json`."""
        where = path("boards", board_id, f"file.{form}")
        return download(where, to, on_progress=on_progress)

    @Endpoint
    def delete(self, board_id: Id) -> Steps[None]:
        """Delete a saved board (who saved it, or owners)."""
        return delete(path("boards", board_id))
