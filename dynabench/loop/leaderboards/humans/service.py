"""Use case of workers: how people do on each release, from the votes on its test items."""

import asyncio
from collections.abc import Collection
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.evaluations.rules import scored_metrics
from dynabench.loop.leaderboards.humans.repository import HumanRepository
from dynabench.loop.leaderboards.humans.rules import (
    NOT_COMPUTED,
    REVIEWED,
    judge_answers,
    measure_people,
)
from dynabench.loop.leaderboards.humans.values import HumanFigure
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, ValidationMode
from dynabench.loop.tasks.values import Task
from dynabench.science.metrics.registry import METRICS
from dynabench.science.task_config.elements import PerfMetric


class HumanService:
    """People on releases. The votes of a released round do not change, so once is enough."""

    def __init__(
        self, *, db: Database, clock: Clock, rounds: RoundService, datasets: DatasetService
    ) -> None:
        self._db = db
        self._clock = clock
        self._rounds = rounds
        self._datasets = datasets

    async def compute(self, task: Task, version_ids: Collection[UUID]) -> None:
        """Compute how people do on those releases among versions of which it is not known."""
        wanted = scored_metrics(task.config)[0]
        async with self._db.read() as session:
            known = await HumanRepository(session).known(version_ids, metric=wanted.name)
        for version_id in version_ids:
            if version_id in known:
                continue
            version = await self._datasets.get(version_id)
            if version.round_id is not None:
                await self._compute(
                    version_id, await self._rounds.get(version.round_id), wanted, task
                )

    async def _compute(
        self, version_id: UUID, round_: Round, wanted: PerfMetric, task: Task
    ) -> None:
        mode = round_.validation.mode
        figure = HumanFigure(None, None, None, 0, 0, REVIEWED)
        if mode is ValidationMode.BLIND:
            figure = await self._measure(version_id, round_, wanted, task)
        async with self._db.transaction() as session:
            await HumanRepository(session).keep(
                version_id, figure, metric=wanted.name, method=mode.value, now=self._clock.now()
            )

    async def _measure(
        self, version_id: UUID, round_: Round, wanted: PerfMetric, task: Task
    ) -> HumanFigure:
        metric = METRICS.get(wanted.name)
        if metric is None:
            return HumanFigure(None, None, None, 0, 0, NOT_COMPUTED)
        assert wanted.reference_name is not None, "the config's reader asks for it"
        kind = task.config.field(wanted.reference_name).type
        async with self._db.read() as session:
            items = await HumanRepository(session).voted_items(
                version_id, round_id=round_.id, field_name=wanted.reference_name
            )
        judged = judge_answers(items, gold_from=round_.validation.gold_from, is_same=kind.is_equal)
        return await asyncio.to_thread(
            measure_people, judged, metric, name=wanted.name, kind=kind.type_name
        )
