"""Use case behind every board: find what there is, and rank it by a reader's weights."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.leaderboards.columns.rules import read_weights, thin_datasets
from dynabench.loop.leaderboards.columns.values import Columns, Thinness, Weights
from dynabench.loop.leaderboards.errors import BoardNotFoundError, BoardWeightsError
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.permissions import is_listed, may_know_submitter
from dynabench.loop.leaderboards.ranking.rules import rank_models
from dynabench.loop.leaderboards.ranking.values import FrozenRates, Prepared, Ranking
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.standings.values import Board, Field, Rates
from dynabench.loop.leaderboards.values import DYNASCORE, BoardKind, BoardQuery, Contender
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.people.directory.service import UserDirectory
from dynabench.science.statistics.clusters import are_enough

_RANKINGS_IN_MEMORY = 32
_TASKS_IN_MEMORY = 50

Rows = NDArray[np.int64]


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
        self._fields: OrderedDict[UUID, Field] = OrderedDict()
        self._round_numbers: dict[UUID, int] = {}

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
        field = await self._field(task)
        rates = await self._rates(task, query.rates)
        columns = None if current is None else current.columns
        prepared = None if current is None else current.prepared
        members = _members(field, prepared, with_model)
        with_data = _with_data(prepared, members)
        thin = _thin(columns, prepared)
        weights = None if columns is None else _weights(query, columns, rates, with_data, thin)
        ranking = await self._rank(prepared, columns, weights, members, query, rates)
        listed = _listed(field, actor=actor, role=role)
        ranked = _ranked_ids(prepared, ranking)
        return Board(
            task=task,
            actor=actor,
            role=role,
            columns=columns,
            weights=weights,
            with_data=with_data,
            thin=thin,
            prepared=prepared,
            ranking=ranking,
            contenders=listed,
            unranked=[one for one in listed if one.id not in ranked],
            round_numbers=await self._numbers(task, columns),
            humans=current.humans if current else {},
            rates=rates,
            sort=query.sort or DYNASCORE,
            submitters=await self._submitters(listed, actor=actor, role=role),
            as_of=current.as_of if current else None,
            is_current=current.is_current if current else True,
        )

    async def _field(self, task: Task) -> Field:
        """Return a task's models; they are read again only if one has changed."""
        async with self._db.read() as session:
            repository = BoardRepository(session)
            stamp = await repository.contenders_stamp(task.id)
            known = self._fields.get(task.id)
            if known is not None and known.stamp == stamp:
                self._fields.move_to_end(task.id)
                return known
            contenders = await repository.contenders(task.id)
        found = Field(stamp, contenders, [one for one in contenders if one.is_published])
        self._fields[task.id] = found
        while len(self._fields) > _TASKS_IN_MEMORY:
            self._fields.popitem(last=False)
        return found

    async def _numbers(self, task: Task, columns: Columns | None) -> Mapping[UUID, int]:
        """Return the numbers of the releases' rounds, which never change."""
        versions = (
            [version for one in columns.datasets for version in one.versions] if columns else []
        )
        wanted = {version.round_id for version in versions if version.round_id is not None}
        if not wanted <= self._round_numbers.keys():
            rounds = await self._rounds.of_task(task.id)
            self._round_numbers.update({one.id: one.number for one in rounds})
        return {one: self._round_numbers[one] for one in wanted if one in self._round_numbers}

    async def _rank(
        self,
        prepared: Prepared | None,
        columns: Columns | None,
        weights: Weights | None,
        members: Rows,
        query: BoardQuery,
        rates: Rates | None,
    ) -> Ranking | None:
        if prepared is None or columns is None or weights is None:
            return None
        about = (
            prepared.figures.stamp,
            sorted(weights.metrics.items()),
            list(weights.datasets.items()),
            weights.budget_gib,
            weights.rates,
            query.sort,
        )
        key = hashlib.sha256(repr(about).encode() + members.tobytes()).hexdigest()
        known = self._rankings.get(key)
        if known is not None:
            self._rankings.move_to_end(key)
            return known
        found = await asyncio.to_thread(
            rank_models,
            prepared,
            columns,
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

    async def _submitters(
        self, listed: Sequence[Contender], *, actor: Actor, role: TaskRole | None
    ) -> dict[UUID, str]:
        """Return the names of those whom the reader may know."""
        known = [one for one in listed if may_know_submitter(one, actor=actor, role=role)]
        return await self._directory.usernames(
            {one.submitted_by for one in known if one.submitted_by is not None}
        )


def _members(field: Field, prepared: Prepared | None, with_model: UUID | None) -> Rows:
    """Return the rows of the models that stand on the board."""
    if prepared is None:
        return np.array([], dtype=np.int64)
    stamp, places = prepared.figures.stamp, prepared.places
    rows = field.rows.get(stamp)
    if rows is None:
        found = sorted(places[one.id] for one in field.published if one.id in places)
        rows = np.array(found, dtype=np.int64)
        # Of older figures nobody asks again.
        field.rows.clear()
        field.rows[stamp] = rows
    is_there = with_model in {one.id for one in field.contenders} if with_model else False
    if with_model is None or not is_there or with_model not in places:
        return rows
    return np.union1d(rows, [places[with_model]]).astype(np.int64)


def _weights(
    query: BoardQuery,
    columns: Columns,
    rates: Rates | None,
    with_data: frozenset[str],
    thin: Mapping[str, Thinness],
) -> Weights:
    weights = read_weights(query, columns, with_data=with_data, thin=thin)
    _require_known(query, columns, rates, weights)
    return weights


def _thin(columns: Columns | None, prepared: Prepared | None) -> Mapping[str, Thinness]:
    """Return the datasets that weigh nothing by default, and why."""
    if columns is None:
        return {}
    few_contexts: set[UUID] = set()
    if prepared is not None:
        figures = prepared.figures
        few_contexts = {
            version
            for version, contexts in zip(figures.versions, prepared.contexts, strict=True)
            if version in figures.item_scores and not are_enough(float(contexts))
        }
    return thin_datasets(columns, few_contexts)


def _with_data(prepared: Prepared | None, members: Rows) -> frozenset[str]:
    """Return the metrics that some model of the board has on some dataset."""
    if prepared is None:
        return frozenset()
    figures = prepared.figures
    return frozenset(
        name
        for place, name in enumerate(figures.metrics)
        if np.isfinite(figures.values[place][members]).any()
    )


def _listed(field: Field, *, actor: Actor, role: TaskRole | None) -> Sequence[Contender]:
    """Return the models that are named to a reader; to a visitor the published ones."""
    if actor.user_id is None and role is None:
        return field.published
    return [one for one in field.contenders if is_listed(one, actor=actor, role=role)]


def _ranked_ids(prepared: Prepared | None, ranking: Ranking | None) -> set[UUID]:
    if prepared is None or ranking is None:
        return set()
    return {prepared.figures.models[row] for row in ranking.models}


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
