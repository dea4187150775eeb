"""Use cases of evaluations: ask for one, read the scores."""

from uuid import UUID

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.schemas import EvaluationCreate, ScoreRead
from dynabench.loop.evaluations.values import (
    EVALUATE_MODEL,
    Evaluation,
    EvaluationState,
    MetricScore,
)
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import ModelKind, ModelPurpose, ModelStatus
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole

# Sees every model of a task, whoever submitted it.
_PLATFORM = Actor(user_id=None, username="", is_admin=True)
_PERCENT = 100


class EvaluationService:
    """Evaluations of all tasks: one per model and dataset version."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        models: ModelService,
        datasets: DatasetService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._datasets = datasets
        self._queue = queue

    async def scores(self, slug: str, *, actor: Actor) -> list[ScoreRead]:
        """Return the scores of the models that the actor may see, newest dataset first."""
        task = await self._tasks.get_for(slug, actor)
        models = {one.id: one for one in await self._models.list(slug, actor=actor)}
        versions = {one.id: one for one in reversed(await self._datasets.of_task(task.id))}
        rounds = {one.id: one.number for one in await self._rounds.of_task(task.id)}
        async with self._db.read() as session:
            repository = EvaluationRepository(session)
            done = await repository.done_of(model_ids=models.keys(), version_ids=versions.keys())
            found = await repository.scores([one.id for one in done])
        newest = {version_id: place for place, version_id in enumerate(versions)}
        done.sort(
            key=lambda one: (
                newest[one.dataset_version_id],
                models[one.model_id].name,
                models[one.model_id].version,
            )
        )
        return [
            _read(
                score,
                evaluation=one,
                model=models[one.model_id],
                version=versions[one.dataset_version_id],
                round_number=rounds.get(versions[one.dataset_version_id].round_id or one.id),
            )
            for one in done
            for score in found.get(one.id, ())
        ]

    async def evaluate(
        self, model_id: UUID, body: EvaluationCreate, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a model to be scored on a dataset version; what is done is not done again.

        Raises:
            ModelNotReadyError: If the model cannot be asked.
            DatasetNotFoundError: If the version is not one of the model's task.
        """
        model = await self._models.read(model_id, actor=actor)
        task = await self._tasks.get_for(model.task_slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        version_id = body.dataset_version_id
        await self._datasets.get_of_task([version_id], task_id=task.id)
        try:
            async with self._db.transaction() as session:
                await self._models.require_ready(session, [model_id])
                job_id = await self._enqueue(
                    session, model_id, version_id, created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def enqueue_version(self, version_id: UUID) -> int:
        """Ask for every ready model of a task to be scored on a new version; return how many."""
        version = await self._datasets.get(version_id)
        slug = (await self._tasks.get_by_id(version.task_id)).slug
        async with self._db.transaction() as session:
            # A model that is being submitted right now is waited for, or finds this version.
            await EvaluationRepository(session).lock_task(version.task_id)
            ready = [
                one
                for one in await self._models.list(slug, actor=_PLATFORM)
                if one.status is ModelStatus.READY
                and one.kind is not ModelKind.RECORDED
                and one.purpose is ModelPurpose.TARGET
            ]
            for one in ready:
                await self._enqueue(session, one.id, version_id, created_by=None)
        return len(ready)

    async def enqueue_submitted(self, model_id: UUID) -> int:
        """Ask for a submitted model's scores on every version there is; return how many."""
        model = await self._models.get(model_id)
        async with self._db.transaction() as session:
            return await self.enqueue_model(
                session, model_id, task_id=model.task_id, created_by=model.submitted_by
            )

    async def enqueue_model(
        self, session: Session, model_id: UUID, *, task_id: UUID, created_by: UUID | None
    ) -> int:
        """Ask in the caller's transaction for a new model's scores on every version there is.

        Returns:
            How many versions that is.
        """
        await EvaluationRepository(session).lock_task(task_id)
        versions = await self._datasets.of_task(task_id)
        for version in versions:
            await self._enqueue(session, model_id, version.id, created_by=created_by)
        return len(versions)

    async def _enqueue(
        self, session: Session, model_id: UUID, version_id: UUID, *, created_by: UUID | None
    ) -> UUID:
        """Return the job of an evaluation: the one that does or did it, else a new one."""
        repository = EvaluationRepository(session)
        held = await repository.hold(new_id(), model_id=model_id, version_id=version_id)
        if held.job_id is not None and await self._stands(session, held, held.job_id):
            return held.job_id
        payload = {"model_id": str(model_id), "dataset_version_id": str(version_id)}
        job_id = await self._queue.enqueue(session, EVALUATE_MODEL, payload, created_by=created_by)
        await repository.start(held.id, job_id=job_id)
        return job_id

    async def _stands(self, session: Session, held: Evaluation, job_id: UUID) -> bool:
        """Tell whether a job needs no successor."""
        try:
            job = await self._queue.get(session, job_id)
        except JobNotFoundError:
            return False
        return held.state is EvaluationState.DONE or job.state in {
            JobState.QUEUED,
            JobState.RUNNING,
        }

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))


def _read(
    score: MetricScore,
    *,
    evaluation: Evaluation,
    model: ModelRead,
    version: DatasetVersion,
    round_number: int | None,
) -> ScoreRead:
    assert evaluation.failed_items is not None, "a finished evaluation says all"
    assert evaluation.evaluated_at is not None, "a finished evaluation says all"
    value, low, high = (
        None if one is None else one * _PERCENT for one in (score.value, score.low, score.high)
    )
    return ScoreRead(
        model_id=model.id,
        model_name=model.name,
        model_version=model.version,
        dataset_version_id=version.id,
        dataset_name=version.name,
        round_number=round_number,
        split=score.split,
        metric=score.metric,
        is_principal=score.is_principal,
        value=value,
        low=low,
        high=high,
        items=score.items,
        failed_items=evaluation.failed_items,
        evaluated_at=evaluation.evaluated_at,
    )
