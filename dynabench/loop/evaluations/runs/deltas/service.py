"""Use case of a run: compare answers to changed texts with those to the originals."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.scans.service import ItemScan
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.runs.deltas.repository import DeltaRepository
from dynabench.loop.evaluations.values import SCORED_SPLITS, Delta
from dynabench.loop.tasks.service import TaskService
from dynabench.science.task_config.schema import TaskConfig

_AT_ONCE = 2_000


class DeltaFinder:
    """Writes robustness and fairness once a model has answered both sets.

    Whichever of the two evaluations is done last sees that the other one is; where both end
    at the same moment both write the same.
    """

    def __init__(
        self, *, db: Database, tasks: TaskService, datasets: DatasetService, scan: ItemScan
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._datasets = datasets
        self._scan = scan

    async def refresh(self, *, model_id: UUID, version_id: UUID) -> None:
        """Write what a model's finished evaluations on a version and its variants say."""
        version = await self._datasets.get(version_id)
        pairs = await self._pairs(version)
        if not pairs:
            return
        wanted = {one for original, perturbed in pairs for one in (original, perturbed.id)}
        async with self._db.read() as session:
            done = await DeltaRepository(session).done(model_id, [*wanted])
        config = (await self._tasks.get_by_id(version.task_id)).config
        for original_id, perturbed in pairs:
            if original_id in done and perturbed.id in done:
                await self._compare(
                    config, perturbed, original=done[original_id], variant=done[perturbed.id]
                )

    async def _pairs(self, version: DatasetVersion) -> list[tuple[UUID, DatasetVersion]]:
        """Return the originals and perturbed sets that a version is one of."""
        if version.perturbs_id is not None:
            return [(version.perturbs_id, version)]
        return [
            (version.id, one)
            for one in await self._datasets.of_task(version.task_id)
            if one.perturbs_id == version.id
        ]

    async def _compare(
        self, config: TaskConfig, perturbed: DatasetVersion, *, original: UUID, variant: UUID
    ) -> None:
        found: list[Delta] = []
        for split in SCORED_SPLITS:
            found += await self._split(config, perturbed, split, original=original, variant=variant)
        async with self._db.transaction() as session:
            await DeltaRepository(session).replace(original, perturbed.id, found)

    async def _split(
        self,
        config: TaskConfig,
        perturbed: DatasetVersion,
        split: Split,
        *,
        original: UUID,
        variant: UUID,
    ) -> Sequence[Delta]:
        # They bring SciPy along, which processes that never score do without.
        from dynabench.loop.evaluations.runs.deltas.rules import (  # noqa: PLC0415
            find_deltas,
            pair_answers,
        )

        answers = []
        async for page in self._scan.variations(perturbed.id, split, size=_AT_ONCE):
            originals = list({one.original_uid for one in page})
            async with self._db.read() as session:
                repository = DeltaRepository(session)
                given = await repository.answers(original, originals)
                varied = await repository.answers(variant, [one.uid for one in page])
            answers += pair_answers(config, page, originals=given, variants=varied)
        return await asyncio.to_thread(find_deltas, config, perturbed, split, answers)
