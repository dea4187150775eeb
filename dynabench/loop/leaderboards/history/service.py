"""Use case of a task's history."""

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.leaderboards.history.repository import HistoryRepository
from dynabench.loop.leaderboards.history.rules import history_of, shown_versions
from dynabench.loop.leaderboards.history.schemas import HistoryRead
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.rounds.service import RoundService


class HistoryService:
    """Models by rounds and static sets, and the best score over time."""

    def __init__(
        self,
        *,
        db: Database,
        rounds: RoundService,
        datasets: DatasetService,
        standings: Standings,
    ) -> None:
        self._db = db
        self._rounds = rounds
        self._datasets = datasets
        self._standings = standings

    async def read(self, slug: str, *, actor: Actor) -> HistoryRead:
        """Return the principal metric of every published model on every round and static set.

        Raises:
            TaskNotFoundError: If there is no such task for the actor.
        """
        board = await self._standings.board(slug, BoardQuery(), actor=actor)
        rounds = {one.id: one for one in await self._rounds.of_task(board.task.id)}
        versions = shown_versions(await self._datasets.of_task(board.task.id), rounds)
        metric = "" if board.columns is None else board.columns.principal.name
        async with self._db.read() as session:
            past = await HistoryRepository(session).past(
                [one.id for one in board.contenders if one.is_published],
                [one.id for one in versions],
                metric=metric,
            )
        return history_of(board, versions, rounds=rounds, past=past)
