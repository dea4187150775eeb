"""Use cases of evaluations: ask for one, again, or no longer; read the scores."""

import contextlib
from uuid import UUID

from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.permissions import can_see
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.evaluations.errors import (
    EvaluationNotFoundError,
    EvaluationStateError,
    TooManyRetriesError,
)
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.rules import is_asked_by_itself, missing_file
from dynabench.loop.evaluations.schemas import EvaluationCreate, EvaluationRead, ScoreRead
from dynabench.loop.evaluations.values import (
    EVALUATE_MODEL,
    SCORES_CHANGED,
    Evaluation,
    EvaluationState,
    MetricScore,
)
from dynabench.loop.evaluations.views.rules import percent, state_of
from dynabench.loop.evaluations.views.service import EvaluationViews, Seen
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.permissions import knows_all_of
from dynabench.loop.models.rules import require_usable
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Model, ModelKind, ModelPurpose, ModelStatus
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole

# Sees every model of a task, whoever submitted it.
_PLATFORM = Actor(user_id=None, username="", is_admin=True)


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
        views: EvaluationViews,
        queue: JobQueue,
        most_retries: int,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._datasets = datasets
        self._views = views
        self._queue = queue
        self._most_retries = most_retries

    async def scores(self, slug: str, *, actor: Actor) -> list[ScoreRead]:
        """Return the scores of the models that the actor may see, newest dataset first."""
        task = await self._tasks.get_for(slug, actor)
        models = {one.id: one for one in await self._models.list(slug, actor=actor)}
        role = await self._tasks.role_of(task.id, actor)
        versions = {
            one.id: one
            for one in reversed(await self._datasets.of_task(task.id))
            if can_see(one, role=role) and one.perturbs_id is None
        }
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
        (version,) = await self._datasets.get_of_task([body.dataset_version_id], task_id=task.id)
        try:
            async with self._db.transaction() as session:
                found = await self._get(session, model_id)
                await self._models.require_ready(session, [model_id])
                await self._queue.require_time(session, person=actor.user_id, subject=task.id)
                job_id = await self._enqueue(session, found, version, created_by=actor.user_id)
                assert job_id is not None, "a model that can be asked needs no file"
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def retry(self, evaluation_id: UUID, *, actor: Actor) -> EvaluationRead:
        """Go on with an evaluation that failed, was cancelled or waits for a file.

        What was finished of it stays.

        Raises:
            EvaluationNotFoundError: If there is none, or it is not theirs.
            EvaluationStateError: If it is done or under way.
            ModelNotReadyError: If its model cannot be asked any more.
            TooManyRetriesError: If its submitter has done so as often as allowed.
            JobTimeError: If their jobs or the task's have taken all the time of a day.
        """
        seen = await self._get_own(evaluation_id, actor)
        async with self._db.transaction() as session:
            state = await self._state(session, seen)
            if state in {EvaluationState.DONE, EvaluationState.PENDING}:
                raise EvaluationStateError(state=state, doing="retried")
            model = await self._get(session, seen.model.id)
            if model.kind is not ModelKind.PREDICTIONS:
                require_usable(model)
            if not may_own(seen.role):
                done = await EvaluationRepository(session).count_retry(evaluation_id)
                if done > self._most_retries:
                    raise TooManyRetriesError(limit=self._most_retries)
            await self._queue.require_time(
                session, person=model.submitted_by, subject=model.task_id
            )
            # Whoever asks for it, it is its submitter's turn that this takes.
            await self._enqueue(session, model, seen.version, created_by=model.submitted_by)
        return await self._views.read(evaluation_id, actor=actor)

    async def cancel(self, evaluation_id: UUID, *, actor: Actor) -> EvaluationRead:
        """End an evaluation that waits or runs; its model's process is freed within seconds.

        Raises:
            EvaluationNotFoundError: If there is none, or it is not theirs.
            EvaluationStateError: If it is over.
        """
        seen = await self._get_own(evaluation_id, actor)
        async with self._db.transaction() as session:
            state = await self._state(session, seen)
            if state is not EvaluationState.PENDING:
                raise EvaluationStateError(state=state, doing="cancelled")
            await EvaluationRepository(session).cancel(evaluation_id)
            if seen.evaluation.job_id is not None:
                with contextlib.suppress(JobFinishedError, JobNotFoundError):
                    await self._queue.cancel(session, seen.evaluation.job_id)
        return await self._views.read(evaluation_id, actor=actor)

    async def enqueue_version(self, version_id: UUID) -> int:
        """Ask for every ready model of a task to be scored on a new version; return how many."""
        version = await self._datasets.get(version_id)
        slug = (await self._tasks.get_by_id(version.task_id)).slug
        if not is_asked_by_itself(version):
            return 0
        async with self._db.transaction() as session:
            # A model that is being submitted right now is waited for, or finds this version.
            await EvaluationRepository(session).lock_task(version.task_id)
            ready = [
                one.id
                for one in await self._models.list(slug, actor=_PLATFORM)
                if one.status is ModelStatus.READY
                and one.kind is not ModelKind.RECORDED
                and one.purpose is ModelPurpose.TARGET
            ]
            for model in await self._models.get_many(session, ready):
                await self._enqueue(session, model, version, created_by=model.submitted_by)
        return len(ready)

    async def tell_scored(self, version_id: UUID) -> None:
        """Have what comes of a task's scores looked at, once its last evaluation is over."""
        task_id = (await self._datasets.get(version_id)).task_id
        version_ids = [one.id for one in await self._datasets.of_task(task_id)]
        async with self._db.transaction() as session:
            if not await EvaluationRepository(session).is_any_under_way(version_ids):
                await self._queue.enqueue(session, SCORES_CHANGED, {"task_id": str(task_id)})

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
            How many versions that is; hidden ones wait until an owner asks for them.
        """
        await EvaluationRepository(session).lock_task(task_id)
        model = await self._get(session, model_id)
        versions = [one for one in await self._datasets.of_task(task_id) if is_asked_by_itself(one)]
        for version in versions:
            await self._enqueue(session, model, version, created_by=created_by)
        return len(versions)

    async def enqueue_one(
        self, session: Session, model_id: UUID, version_id: UUID, *, created_by: UUID | None
    ) -> None:
        """Ask in the caller's transaction for one evaluation, as when its file has come."""
        model = await self._get(session, model_id)
        version = await self._datasets.get(version_id)
        await self._enqueue(session, model, version, created_by=created_by)

    async def _enqueue(
        self, session: Session, model: Model, version: DatasetVersion, *, created_by: UUID | None
    ) -> UUID | None:
        """Return the job of an evaluation: the one that does or did it, else a new one.

        None for a deleted model, and where a model of predictions has no file for the version;
        that is written down, if it needs one.
        """
        repository = EvaluationRepository(session)
        if model.deleted_at is not None or not await self._is_wanted(session, model, version):
            return None
        held = await repository.hold(new_id(), model_id=model.id, version_id=version.id)
        if held.job_id is not None and await self._stands(session, held, held.job_id):
            return held.job_id
        if model.kind is ModelKind.PREDICTIONS:
            digest = await repository.prediction_file(model_id=model.id, version_id=version.id)
            if digest is None:
                await repository.wait_for_file(held.id, reason=missing_file(version))
                return None
        # What a model prints while it is asked hidden items is for owners alone.
        asker = None if version.access is DatasetAccess.HIDDEN else created_by
        payload = {"model_id": str(model.id), "dataset_version_id": str(version.id)}
        # Who has many evaluations under way lets those with fewer go first.
        turn = await self._queue.unfinished(session, EVALUATE_MODEL, created_by=asker)
        job_id = await self._queue.enqueue(
            session,
            EVALUATE_MODEL,
            payload,
            created_by=asker,
            priority=turn + 1,
            subject_id=model.task_id,
        )
        await repository.start(held.id, job_id=job_id)
        return job_id

    async def _is_wanted(self, session: Session, model: Model, version: DatasetVersion) -> bool:
        """Tell whether a file has come, or is to: without items of `test` none is needed."""
        if model.kind is not ModelKind.PREDICTIONS or version.sizes[Split.TEST]:
            return True
        digest = await EvaluationRepository(session).prediction_file(
            model_id=model.id, version_id=version.id
        )
        return digest is not None

    async def _get(self, session: Session, model_id: UUID) -> Model:
        found = await self._models.get_many(session, [model_id])
        if not found:
            raise ModelNotFoundError
        return found[0]

    async def _get_own(self, evaluation_id: UUID, actor: Actor) -> Seen:
        require_signed_in(actor)
        seen = await self._views.find(evaluation_id, actor=actor)
        if not knows_all_of(seen.model, actor=actor, role=seen.role):
            raise EvaluationNotFoundError
        return seen

    async def _state(self, session: Session, seen: Seen) -> EvaluationState:
        """Return how far an evaluation is, with its row held."""
        held = await EvaluationRepository(session).hold(
            seen.evaluation.id, model_id=seen.model.id, version_id=seen.version.id
        )
        job = None
        if held.job_id is not None:
            with contextlib.suppress(JobNotFoundError):
                job = await self._queue.get(session, held.job_id)
        return state_of(held, job)[0]

    async def _stands(self, session: Session, held: Evaluation, job_id: UUID) -> bool:
        """Tell whether a job needs no successor."""
        try:
            job = await self._queue.get(session, job_id)
        except JobNotFoundError:
            return False
        is_under_way = job.state in {JobState.QUEUED, JobState.RUNNING}
        if held.state is EvaluationState.PENDING:
            return is_under_way
        return held.state is EvaluationState.DONE

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
        value=percent(score.value),
        low=percent(score.low),
        high=percent(score.high),
        items=score.items,
        failed_items=evaluation.failed_items,
        evaluated_at=evaluation.evaluated_at,
    )
