"""Use case behind every board: find what there is, and rank it by a reader's weights."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Collection, Sequence
from uuid import UUID

import numpy as np

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.leaderboards.columns.rules import read_weights
from dynabench.loop.leaderboards.columns.values import Columns, Weights
from dynabench.loop.leaderboards.errors import BoardNotFoundError, BoardWeightsError
from dynabench.loop.leaderboards.figures.service import Current, FigureService
from dynabench.loop.leaderboards.permissions import is_listed, may_know_submitter
from dynabench.loop.leaderboards.ranking.rules import rank_models
from dynabench.loop.leaderboards.ranking.values import FrozenRates, Prepared, Ranking
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.standings.values import Board, HumanScore, Rates
from dynabench.loop.leaderboards.values import DYNASCORE, BoardKind, BoardQuery, Contender
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.directory.service import UserDirectory

_RANKINGS_IN_MEMORY = 64
_TASKS_IN_MEMORY = 8


class Standings:
    """Boards of all tasks; what the same weights gave a moment ago is remembered."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        figures: FigureService,
        directory: UserDirectory,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._figures = figures
        self._directory = directory
        self._rankings: OrderedDict[str, Ranking] = OrderedDict()
        self._known: OrderedDict[UUID, tuple[str, list[Contender]]] = OrderedDict()

    async def board(
        self, slug: str, query: BoardQuery, *, actor: Actor, with_model: UUID | None = None
    ) -> Board:
        """Return a task's board: published models by the weights that are asked for.

        Args:
            slug: The task.
            query: What is asked for.
            actor: Who reads it.
            with_model: A private model that is ranked as if it were published.

        Raises:
            BoardWeightsError: If the weights cannot be used.
            BoardNotFoundError: If there is no such snapshot of the task.
        """
        task = await self._tasks.get_for(slug, actor)
        role = await self._tasks.role_of(task.id, actor)
        current = await self._figures.current(task)
        columns = None if current is None else current.columns
        async with self._db.read() as session:
            repository = BoardRepository(session)
            contenders = await self._contenders(task, repository)
            humans: list[HumanScore] = []
            if columns is not None:
                ids = columns.version_ids()
                humans = await repository.humans(ids, metric=columns.principal.name)
        listed = [one for one in contenders if is_listed(one, actor=actor, role=role)]
        rates = await self._rates(task, query.rates)
        on_board = {one.id for one in contenders if one.is_published or one.id == with_model}
        with_data = _with_data(current, on_board)
        weights, ranking = None, None
        if columns is not None and current is not None:
            weights = read_weights(query, columns, with_data=with_data)
            _require_known(query, columns, rates, weights)
            ranking = await self._rank(task, current, weights, on_board, query, rates)
        known = [one for one in listed if may_know_submitter(one, actor=actor, role=role)]
        return Board(
            task=task,
            actor=actor,
            role=role,
            columns=columns,
            weights=weights,
            with_data=with_data,
            figures=current.prepared.figures if current and current.prepared else None,
            places=current.prepared.places if current and current.prepared else {},
            cells=current.prepared.cells if current and current.prepared else {},
            ranking=ranking,
            contenders=listed,
            round_numbers={one.id: one.number for one in await self._rounds.of_task(task.id)},
            humans={one.version_id: one for one in humans},
            rates=rates,
            sort=query.sort or DYNASCORE,
            submitters=await self._submitters(known),
            as_of=current.as_of if current else None,
            is_current=current.is_current if current else True,
        )

    async def _contenders(self, task: Task, repository: BoardRepository) -> list[Contender]:
        """Return a task's models; they are read again only if one has changed."""
        stamp = await repository.contenders_stamp(task.id)
        known = self._known.get(task.id)
        if known is not None and known[0] == stamp:
            self._known.move_to_end(task.id)
            return known[1]
        found = await repository.contenders(task.id)
        self._known[task.id] = (stamp, found)
        while len(self._known) > _TASKS_IN_MEMORY:
            self._known.popitem(last=False)
        return found

    async def _rank(
        self,
        task: Task,
        current: Current,
        weights: Weights,
        on_board: Collection[UUID],
        query: BoardQuery,
        rates: Rates | None,
    ) -> Ranking | None:
        prepared = current.prepared
        if prepared is None:
            return None
        places = sorted(prepared.places[one] for one in on_board if one in prepared.places)
        members = np.array(places, dtype=np.int64)
        key = hashlib.sha256(
            repr(
                (
                    task.id,
                    prepared.figures.stamp,
                    sorted(weights.metrics.items()),
                    list(weights.datasets.items()),
                    weights.budget_gib,
                    weights.rates,
                    query.sort,
                )
            ).encode()
            + members.tobytes()
        ).hexdigest()
        known = self._rankings.get(key)
        if known is not None:
            self._rankings.move_to_end(key)
            return known
        found = await asyncio.to_thread(
            rank_models,
            prepared,
            _columns_of(current, prepared),
            weights,
            members=members,
            sort=query.sort or DYNASCORE,
            rates=None if rates is None else rates.frozen,
        )
        self._rankings[key] = found
        while len(self._rankings) > _RANKINGS_IN_MEMORY:
            self._rankings.popitem(last=False)
        return found

    async def _rates(self, task: Task, board_id: UUID | None) -> Rates | None:
        if board_id is None:
            return None
        async with self._db.read() as session:
            found = await BoardRepository(session).get(board_id)
        is_of_task = found is not None and found.task_id == task.id
        if found is None or not is_of_task or found.kind is not BoardKind.SNAPSHOT:
            raise BoardNotFoundError
        rates = (found.content or {}).get("rates")
        if not isinstance(rates, dict):
            raise BoardWeightsError(
                field="rates", problem="this snapshot had nothing to exchange by; choose another."
            )
        return Rates(
            found.id,
            found.name,
            found.created_at,
            FrozenRates({str(k): float(v) for k, v in rates["amrs"].items()}, int(rates["pairs"])),
        )

    async def _submitters(self, known: Sequence[Contender]) -> dict[UUID, str]:
        return await self._directory.usernames(
            {one.submitted_by for one in known if one.submitted_by is not None}
        )


def _columns_of(current: Current, prepared: Prepared) -> Columns:
    """Return the columns in the order of the figures, which they fit."""
    assert list(prepared.figures.versions) == current.columns.version_ids(), "they were checked"
    return current.columns


def _with_data(current: Current | None, on_board: Collection[UUID]) -> frozenset[str]:
    """Return the metrics that some model of the board has on some dataset."""
    if current is None or current.prepared is None:
        return frozenset()
    figures = current.prepared.figures
    rows = [place for place, model in enumerate(figures.models) if model in on_board]
    return frozenset(
        name
        for place, name in enumerate(figures.metrics)
        if np.isfinite(figures.values[place][rows]).any()
    )


def _require_known(
    query: BoardQuery, columns: Columns, rates: Rates | None, weights: Weights
) -> None:
    names = [one.name for one in columns.metrics]
    if query.sort is not None and query.sort not in {DYNASCORE, *names}:
        raise BoardWeightsError(
            field="sort", problem=f"“{query.sort[:80]}” is no column.", known=[DYNASCORE, *names]
        )
    if rates is None:
        return
    strange = [
        name for name in names if weights.metrics[name] > 0 and name not in rates.frozen.amrs
    ]
    if strange:
        raise BoardWeightsError(
            field="rates",
            problem=f"the snapshot “{rates.name}” has no exchange rate for {', '.join(strange)}; "
            "give that no weight, or choose another snapshot.",
        )
