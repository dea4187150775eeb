"""Use cases of signed results: make one, tell the key."""

import asyncio
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.signing.key import SigningKey
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.code_version import code_version
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.rules import is_whole_told
from dynabench.loop.evaluations.signed_reports.repository import SignedReportRepository
from dynabench.loop.evaluations.signed_reports.rules import (
    dataset_statement,
    statement,
    unsaid,
)
from dynabench.loop.evaluations.signed_reports.schemas import SignedReport, SigningKeyRead
from dynabench.loop.evaluations.signed_reports.values import Recorded
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole


class SignedReportService:
    """Writes what a model reached, signed with the installation's key."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        models: ModelService,
        datasets: DatasetService,
        key: SigningKey,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._datasets = datasets
        self._key = key

    async def make(self, model_id: UUID, *, actor: Actor) -> SignedReport:
        """Return a signed report of a model that the actor may see.

        Hidden datasets stand in it for the task's owners alone.
        """
        model = await self._models.read(model_id, actor=actor)
        task = await self._tasks.get_for(model.task_slug, actor)
        is_owner = actor.is_admin or (await self._tasks.role_of(task.id, actor) is TaskRole.OWNER)
        versions = {
            one.id: one
            for one in await self._datasets.of_task(task.id)
            if is_owner or one.access is not DatasetAccess.HIDDEN
        }
        found = await self._statements(model_id, versions, is_owner=is_owner)
        code = await asyncio.to_thread(code_version)
        content = statement(model, found, code=code, now=self._clock.now())
        return SignedReport.model_validate(await asyncio.to_thread(self._key.sign, content))

    async def key(self) -> SigningKeyRead:
        """Return the public half of the installation's key."""
        return SigningKeyRead(public_key=await asyncio.to_thread(lambda: self._key.public_text))

    async def _statements(
        self, model_id: UUID, versions: dict[UUID, DatasetVersion], *, is_owner: bool
    ) -> list[JsonValue]:
        async with self._db.read() as session:
            recorded = [
                one
                for one in await SignedReportRepository(session).finished(model_id)
                if one.evaluation["dataset_version_id"] in versions
            ]
            scores = await EvaluationRepository(session).scores(
                [one.evaluation["id"] for one in recorded]
            )

        def of(one: Recorded) -> JsonValue:
            version = versions[one.evaluation["dataset_version_id"]]
            told = [
                score if is_owner or is_whole_told(version, score.split) else unsaid(score)
                for score in scores.get(one.evaluation["id"], ())
            ]
            return dataset_statement(version, one, told)

        return [of(one) for one in recorded]
