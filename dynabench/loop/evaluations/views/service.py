"""Use cases of reading: every evaluation of a model with all that is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.permissions import can_see
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.errors import EvaluationNotFoundError
from dynabench.loop.evaluations.permissions import may_read_log
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import Evaluation, EvaluationState
from dynabench.loop.evaluations.views.repository import ViewRepository
from dynabench.loop.evaluations.views.rules import Known, read_evaluation
from dynabench.loop.models.permissions import knows_all_of
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Model
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """An evaluation that somebody may see, and what it is of."""

    evaluation: Evaluation
    model: Model
    version: DatasetVersion
    task: Task
    role: TaskRole | None


class EvaluationViews:
    """Shows evaluations to whoever may see their model."""

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

    async def of_model(self, model_id: UUID, *, actor: Actor) -> list[EvaluationRead]:
        """Return a model's evaluations that the actor may see, newest dataset first.

        Raises:
            ModelNotFoundError: If there is no such model, or not for them.
        """
        model, task = await self._models.get_visible(model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        async with self._db.read() as session:
            found = await ViewRepository(session).of_model(model_id)
        versions = {one.id: one for one in await self._datasets.of_task(task.id)}
        newest = {version_id: -place for place, version_id in enumerate(versions)}
        seen = [
            Seen(
                evaluation=one,
                model=model,
                version=versions[one.dataset_version_id],
                task=task,
                role=role,
            )
            for one in sorted(found, key=lambda one: newest.get(one.dataset_version_id, 1))
            if one.dataset_version_id in versions
            and can_see(versions[one.dataset_version_id], role=role)
        ]
        return await self._read(seen, actor=actor)

    async def read(self, evaluation_id: UUID, *, actor: Actor) -> EvaluationRead:
        """Return one evaluation.

        Raises:
            EvaluationNotFoundError: If there is none, or not for them.
        """
        return (await self._read([await self.find(evaluation_id, actor=actor)], actor=actor))[0]

    async def log(self, evaluation_id: UUID, *, actor: Actor) -> list[str]:
        """Return the last lines that an evaluation and its model have written.

        Raises:
            EvaluationNotFoundError: If there is none, or its log is not for them.
        """
        seen = await self.find(evaluation_id, actor=actor)
        if not may_read_log(seen.model, seen.version, actor=actor, role=seen.role):
            raise EvaluationNotFoundError
        if seen.evaluation.job_id is None:
            return []
        async with self._db.read() as session:
            return await self._queue.log(session, seen.evaluation.job_id)

    async def find(self, evaluation_id: UUID, *, actor: Actor) -> Seen:
        """Return an evaluation that the actor may see.

        Raises:
            EvaluationNotFoundError: If there is none, or not for them.
        """
        async with self._db.read() as session:
            found = await ViewRepository(session).get(evaluation_id)
        if found is None:
            raise EvaluationNotFoundError
        model, task = await self._models.get_visible(found.model_id, actor)
        role = await self._tasks.role_of(task.id, actor)
        version = await self._datasets.get(found.dataset_version_id)
        if not can_see(version, role=role):
            raise EvaluationNotFoundError
        return Seen(evaluation=found, model=model, version=version, task=task, role=role)

    async def _read(self, seen: Sequence[Seen], *, actor: Actor) -> list[EvaluationRead]:
        if not seen:
            return []
        ids = [one.evaluation.id for one in seen]
        rounds = {one.id: one.number for one in await self._rounds.of_task(seen[0].task.id)}
        async with self._db.read() as session:
            view = ViewRepository(session)
            scores = await EvaluationRepository(session).scores(ids)
            measured = await view.measurements(ids)
            tags, deltas = await view.tag_scores(ids), await view.deltas(ids)
            jobs = await self._jobs(session, [one.evaluation for one in seen])
            waiting = [one.id for one in jobs.values() if one.state is JobState.QUEUED]
            places = await self._queue.positions(session, waiting)
        return [
            read_evaluation(
                one.evaluation,
                Known(
                    version=one.version,
                    round_number=rounds.get(one.version.round_id or one.version.id),
                    job=(job := jobs.get(one.evaluation.id)),
                    queue_position=None if job is None else places.get(job.id),
                    measurement=measured.get(one.evaluation.id),
                    scores=scores.get(one.evaluation.id, ()),
                    tag_scores=tags.get(one.evaluation.id, ()),
                    deltas=deltas.get(one.evaluation.id, ()),
                    is_told_all=knows_all_of(one.model, actor=actor, role=one.role),
                    is_owner=may_own(one.role),
                ),
            )
            for one in seen
        ]

    async def _jobs(self, session: Session, found: Sequence[Evaluation]) -> Mapping[UUID, Job]:
        """Return the jobs of evaluations that are not over, by evaluation."""
        jobs: dict[UUID, Job] = {}
        for one in found:
            if one.job_id is None or one.state is EvaluationState.DONE:
                continue
            try:
                jobs[one.id] = await self._queue.get(session, one.job_id)
            except JobNotFoundError:
                continue
        return jobs
