"""Use cases of figures: compute them once per change, and hand out those of now."""

import asyncio
import hashlib
import time
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID, uuid5

import numpy as np
from pydantic import JsonValue

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.leaderboards.columns.rules import columns_of
from dynabench.loop.leaderboards.columns.values import MEMORY, THROUGHPUT, Columns
from dynabench.loop.leaderboards.figures.repository import FigureRepository
from dynabench.loop.leaderboards.figures.rules import Gathered, arrange, context_keys
from dynabench.loop.leaderboards.figures.values import (
    COMPUTE_FIGURES,
    DoneEvaluation,
    Figures,
    ItemScores,
    Measured,
    Small,
)
from dynabench.loop.leaderboards.humans.service import HumanService
from dynabench.loop.leaderboards.payloads.rules import FORM, pack, unpack
from dynabench.loop.leaderboards.preparing.rules import prepare
from dynabench.loop.leaderboards.ranking.values import Prepared
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.standings.values import HumanScore
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.science.statistics.clusters import group_numbers

_STAMPS = UUID("0c4f1a52-6d3e-4a0c-8f6b-3d1c5c0b9e7d")
# So many item scores are read while a reader waits; more are a worker's job.
_READ_AT_ONCE = 200_000
_EVALUATIONS_PER_QUERY = 50
_TASKS_IN_MEMORY = 50
_BYTES_IN_MEMORY = 400 * 2**20


@dataclass(frozen=True, slots=True)
class Current:
    """The figures of a task's board as far as they are computed.

    Attributes:
        columns: What the board holds now.
        prepared: None while nothing was computed; it may lack columns that are new.
        as_of: When it was computed.
        is_current: Whether it holds everything that is there.
        humans: How people do, by version.
    """

    columns: Columns
    prepared: Prepared | None
    as_of: datetime | None
    is_current: bool
    humans: Mapping[UUID, HumanScore] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Kept:
    current: Current
    stamp: str
    config_version: int
    looked_at: float


class FigureService:
    """Figures of all tasks; those of a few are kept in this process's memory.

    Args:
        db: The database.
        clock: The clock.
        tasks: The tasks.
        datasets: Their datasets.
        humans: How people do, computed along.
        queue: Takes the job where there is much to read.
        patience_seconds: How long this process trusts what it has without looking.
        read_at_once: How many item scores are read while a reader waits.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        datasets: DatasetService,
        humans: HumanService,
        queue: JobQueue,
        patience_seconds: float = 0.5,
        read_at_once: int = _READ_AT_ONCE,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._datasets = datasets
        self._humans = humans
        self._queue = queue
        self._patience = patience_seconds
        self._read_at_once = read_at_once
        self._kept: OrderedDict[UUID, _Kept] = OrderedDict()
        self._locks: defaultdict[UUID, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def current(self, task: Task) -> Current | None:
        """Return a task's figures; None where its first metric is not one of predictions.

        Where little has changed they are computed at once, else a job does it and these are
        the ones of before.
        """
        kept = self._fresh(task)
        if kept is not None:
            return kept.current
        async with self._locks[task.id]:
            kept = self._fresh(task)
            if kept is not None:
                return kept.current
            return await self._look(task)

    async def compute(self, task_id: UUID) -> dict[str, JsonValue]:
        """Compute a task's figures anew, unless they are those of now."""
        task = await self._tasks.get_by_id(task_id)
        versions = await self._datasets.of_task(task_id)
        columns = columns_of(task.config, versions)
        if columns is None:
            return {"models": 0}
        stamp = await self._stamp(task_id, columns, versions)
        async with self._db.read() as session:
            if await FigureRepository(session).stored_stamp(task_id) == stamp:
                return {"models": 0}
        done = await self._done(columns)
        figures = await self._gather(
            columns, versions, done, stamp=stamp, old=await self._old(task_id)
        )
        await self._humans.compute(task, columns.version_ids())
        await self._keep(task_id, figures)
        return {"models": len(figures.models), "datasets": len(figures.versions)}

    def _fresh(self, task: Task) -> _Kept | None:
        kept = self._kept.get(task.id)
        if kept is None or kept.config_version != task.config_version:
            return None
        is_trusted = time.monotonic() - kept.looked_at < self._patience
        return kept if is_trusted and kept.current.is_current else None

    async def _look(self, task: Task) -> Current | None:
        versions = await self._datasets.of_task(task.id)
        columns = columns_of(task.config, versions)
        if columns is None:
            return None
        stamp = await self._stamp(task.id, columns, versions)
        kept = self._kept.get(task.id)
        if kept is not None and kept.stamp == stamp and kept.current.is_current:
            current = replace(kept.current, columns=columns)
            return self._remember(task, current, stamp)
        async with self._db.read() as session:
            stored_stamp = await FigureRepository(session).stored_stamp(task.id)
        if stored_stamp != stamp and not await self._catch_up(task, columns, versions, stamp):
            return await self._before(task, columns, kept)
        return await self._load(task, columns, stamp)

    async def _catch_up(
        self, task: Task, columns: Columns, versions: list[DatasetVersion], stamp: str
    ) -> bool:
        """Compute at once what is little; of more ask a job and return False."""
        done = await self._done(columns)
        old = await self._old(task.id)
        known = {mark for one in (old.item_scores if old else {}).values() for mark in one.marks}
        sizes = {one.id: one.sizes[Split.TEST] for one in versions}
        unread = sum(sizes[one.version_id] for one in done if one.mark not in known)
        if unread > self._read_at_once:
            async with self._db.transaction() as session:
                await self._queue.enqueue(
                    session,
                    COMPUTE_FIGURES,
                    {"task_id": str(task.id)},
                    job_id=uuid5(_STAMPS, f"{task.id} {stamp}"),
                )
            return False
        figures = await self._gather(columns, versions, done, stamp=stamp, old=old)
        await self._humans.compute(task, columns.version_ids())
        await self._keep(task.id, figures)
        return True

    async def _before(self, task: Task, columns: Columns, kept: _Kept | None) -> Current:
        """Return the figures of before, under the columns that they have."""
        if kept is not None:
            return replace(kept.current, is_current=False)
        async with self._db.read() as session:
            stored = await FigureRepository(session).stored(task.id)
        figures = None if stored is None else await asyncio.to_thread(unpack, stored.payload)
        if stored is None or figures is None or not _fits(figures, columns):
            return Current(columns, None, None, is_current=False)
        prepared = await asyncio.to_thread(prepare, figures)
        current = Current(columns, prepared, stored.computed_at, is_current=False)
        self._remember(task, current, stored.stamp)
        return current

    async def _load(self, task: Task, columns: Columns, stamp: str) -> Current:
        async with self._db.read() as session:
            stored = await FigureRepository(session).stored(task.id)
            humans = await BoardRepository(session).humans(
                columns.version_ids(), metric=columns.principal.name
            )
        assert stored is not None, "it was just looked at or written"
        figures = await asyncio.to_thread(unpack, stored.payload)
        if figures is None or not _fits(figures, columns):
            return Current(columns, None, None, is_current=False)
        prepared = await asyncio.to_thread(prepare, figures)
        current = Current(
            columns,
            prepared,
            stored.computed_at,
            is_current=stored.stamp == stamp,
            humans={one.version_id: one for one in humans},
        )
        return self._remember(task, current, stored.stamp)

    def _remember(self, task: Task, current: Current, stamp: str) -> Current:
        self._kept[task.id] = _Kept(current, stamp, task.config_version, time.monotonic())
        self._kept.move_to_end(task.id)
        while len(self._kept) > 1 and self._is_too_much():
            self._kept.popitem(last=False)
        return current

    def _is_too_much(self) -> bool:
        """Tell whether what is kept takes more memory than it should."""
        held = [one.current.prepared for one in self._kept.values()]
        size = sum(one.memory_bytes for one in held if one is not None)
        return len(held) > _TASKS_IN_MEMORY or size > _BYTES_IN_MEMORY

    async def _stamp(self, task_id: UUID, columns: Columns, versions: list[DatasetVersion]) -> str:
        """Return what changes whenever these figures would."""
        async with self._db.read() as session:
            evaluated = await FigureRepository(session).stamp(task_id)
        about = [
            # What an older release computed is computed anew.
            f"form {FORM}",
            *(one.name for one in columns.metrics),
            *map(str, columns.version_ids()),
            *(one.key for one in columns.datasets),
            *sorted(map(str, _perturbed(versions))),
        ]
        return f"{evaluated} {hashlib.sha256(' '.join(about).encode()).hexdigest()}"

    async def _done(self, columns: Columns) -> list[DoneEvaluation]:
        async with self._db.read() as session:
            return await FigureRepository(session).done(columns.version_ids())

    async def _old(self, task_id: UUID) -> Figures | None:
        async with self._db.read() as session:
            stored = await FigureRepository(session).stored(task_id)
        return None if stored is None else await asyncio.to_thread(unpack, stored.payload)

    async def _keep(self, task_id: UUID, figures: Figures) -> None:
        payload = await asyncio.to_thread(pack, figures)
        async with self._db.transaction() as session:
            await FigureRepository(session).keep(
                task_id, stamp=figures.stamp, payload=payload, now=self._clock.now()
            )

    async def _gather(
        self,
        columns: Columns,
        versions: list[DatasetVersion],
        done: list[DoneEvaluation],
        *,
        stamp: str,
        old: Figures | None,
    ) -> Figures:
        ids = columns.version_ids()
        async with self._db.read() as session:
            repository = FigureRepository(session)
            scores = await repository.scores(ids)
            runs = await repository.runs(ids)
            deltas = await repository.deltas(ids, _perturbed(versions))
        items: dict[UUID, ItemScores] = {}
        is_principal_same = old is not None and old.metrics[0] == columns.principal.name
        for version_id in ids:
            mine = [one for one in done if one.version_id == version_id]
            if mine:
                before = old.item_scores.get(version_id) if old and is_principal_same else None
                items[version_id] = await self._item_scores(version_id, mine, before)
        models = {one.id: one.model_id for one in done}
        measured: dict[tuple[UUID, str], Measured] = {}
        for evaluation_id, run in runs.items():
            for name, one in ((THROUGHPUT, run.throughput), (MEMORY, run.memory)):
                if one is not None:
                    measured[evaluation_id, name] = one
        gathered = Gathered(
            done=done,
            scores=scores,
            runs=measured,
            deltas=deltas,
            at_client=frozenset(
                models[one]
                for one, run in runs.items()
                if run.is_measured_at_client and one in models
            ),
            item_scores=items,
        )
        names = [one.name for one in columns.metrics]
        return await asyncio.to_thread(arrange, gathered, stamp=stamp, metrics=names, versions=ids)

    async def _item_scores(
        self, version_id: UUID, done: list[DoneEvaluation], before: ItemScores | None
    ) -> ItemScores:
        """Return the item scores of evaluations; those that are known are not read again."""
        known = {} if before is None else before.row_of()
        unread = [one.id for one in done if one.mark not in known]
        found: dict[UUID, Small] = {}
        async with self._db.read() as session:
            repository = FigureRepository(session)
            if before is None:
                digests = await repository.contexts(version_id)
                groups = group_numbers(digests, expected=len(digests))
                contexts = context_keys(digests)
            else:
                groups, contexts = before.groups, before.contexts
            for start in range(0, len(unread), _EVALUATIONS_PER_QUERY):
                part = unread[start : start + _EVALUATIONS_PER_QUERY]
                for one, scores in (await repository.item_scores(version_id, part)).items():
                    found[one] = np.asarray(scores, dtype=np.float32)
        if before is not None:
            found |= {one.id: before.scores[known[one.mark]] for one in done if one.mark in known}
        # One that was withdrawn between two of our looks is gone.
        there = [one for one in done if one.id in found]
        return ItemScores(
            version_id=version_id,
            groups=groups,
            contexts=contexts,
            models=tuple(one.model_id for one in there),
            marks=tuple(one.mark for one in there),
            scores=np.stack([found[one.id] for one in there]),
        )


def _perturbed(versions: Iterable[DatasetVersion]) -> list[UUID]:
    """Return the newest version of every perturbed set."""
    newest = {one.dataset_id: one.id for one in versions if one.perturbs_id is not None}
    return list(newest.values())


def _fits(figures: Figures, columns: Columns) -> bool:
    """Tell whether figures are of these very columns."""
    return list(figures.versions) == columns.version_ids() and list(figures.metrics) == [
        one.name for one in columns.metrics
    ]
