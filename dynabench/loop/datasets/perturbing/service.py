"""Use cases of perturbed sets: ask for one, look at it, drop it."""

from uuid import UUID

from sqlalchemy.exc import IntegrityError

from dynabench.engines.jobs.errors import JobNotFoundError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.loop.datasets.errors import (
    DatasetNotFoundError,
    NotPerturbableError,
    PerturbationInUseError,
    ReportNotFoundError,
    UnknownTransformError,
)
from dynabench.loop.datasets.perturbing.repository import PerturbingRepository
from dynabench.loop.datasets.perturbing.rules import OTHERS_NAMED, recipe_of, texts_of
from dynabench.loop.datasets.perturbing.schemas import (
    PerturbationCreate,
    PerturbationResultRead,
    TransformRead,
    VariantRead,
    VariedTextRead,
)
from dynabench.loop.datasets.perturbing.values import PERTURB_DATASET, PerturbationOrder
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.values import DatasetItem, DatasetOrigin
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.science.perturbations.registry import TRANSFORMS
from dynabench.science.perturbations.values import TransformKind


class PerturbationService:
    """Sets that vary others; a job makes them."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        datasets: DatasetService,
        files: SentFiles,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._datasets = datasets
        self._files = files
        self._queue = queue

    async def transforms(self, slug: str, *, actor: Actor) -> list[TransformRead]:
        """Return every transform, and whether the task's config uses it on the task's texts."""
        task = await self._tasks.get_for(slug, actor)
        used: set[str] = set()
        reasons: dict[str, str] = {}
        for kind in TransformKind:
            order = PerturbationOrder(version_id=task.id, kind=kind)
            recipe = recipe_of(task.config, order)
            used |= {name for names in recipe.transforms.values() for name in names}
            reasons |= recipe.left_out
        return [
            TransformRead(
                name=one.name,
                kind=one.kind,
                description=one.description,
                is_used=one.name in used,
                reason=None if one.name in used else reasons.get(one.name, OTHERS_NAMED),
            )
            for one in TRANSFORMS.values()
        ]

    async def create(
        self, version_id: UUID, body: PerturbationCreate, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a version to be varied.

        Returns:
            The job that does it; its result is a `PerturbationResultRead`.

        Raises:
            NotPerturbableError: If the version varies another one itself.
            UnknownTransformError: If a transform is named that cannot be used here.
            DatasetFileMissingError: If a file is named that was never sent for this task.
        """
        seen = await self._datasets.require_owned(version_id, actor=actor)
        if seen.version.origin is DatasetOrigin.PERTURBATION:
            raise NotPerturbableError(name=seen.version.name)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        order = PerturbationOrder(
            version_id=version_id,
            kind=body.kind,
            seed=body.seed,
            transforms=None if body.transforms is None else tuple(dict.fromkeys(body.transforms)),
            file=body.file,
            row_format=body.row_format,
        )
        if body.file is not None:
            await self._files.require(seen.task.id, body.file)
        else:
            left_out = recipe_of(seen.task.config, order).left_out
            wrong = {name: left_out[name] for name in order.transforms or () if name in left_out}
            if wrong:
                raise UnknownTransformError(reasons=wrong)
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, PERTURB_DATASET, order.payload(), created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def report(self, job_id: UUID, *, actor: Actor) -> PerturbationResultRead:
        """Return what became of a perturbing job, once it is done (owners).

        Raises:
            ReportNotFoundError: If there is no such job, or it has not ended well.
        """
        async with self._db.read() as session:
            try:
                job = await self._queue.get(session, job_id)
            except JobNotFoundError as error:
                raise ReportNotFoundError from error
        if job.name != PERTURB_DATASET or job.result is None:
            raise ReportNotFoundError
        order = PerturbationOrder.of_payload(job.payload)
        version = await self._datasets.get(order.version_id)
        if not may_own(await self._tasks.role_of(version.task_id, actor)):
            raise ReportNotFoundError
        return PerturbationResultRead.model_validate(job.result)

    async def variants(
        self, version_id: UUID, *, transform: str, after: int, limit: int, actor: Actor
    ) -> list[VariantRead]:
        """Return what a transform made of items, each beside the original (owners).

        Raises:
            DatasetNotFoundError: If the version varies nothing.
        """
        seen = await self._datasets.require_owned(version_id, actor=actor)
        if seen.version.perturbs_id is None:
            raise DatasetNotFoundError
        async with self._db.read() as session:
            found = await PerturbingRepository(session).variants(
                version_id, transform=transform, after=after, limit=limit
            )
        names = {one.original_uid or "" for one in found}
        originals = await self._datasets.items_by_uid(seen.version.perturbs_id, names)
        return [_beside(one, originals[one.original_uid or ""]) for one in found]

    async def drop(self, version_id: UUID, *, actor: Actor) -> None:
        """Take a perturbed set away that no model was scored on (owners).

        Raises:
            DatasetNotFoundError: If the version varies nothing.
            PerturbationInUseError: If models were, or are being, scored on it.
        """
        seen = await self._datasets.require_owned(version_id, actor=actor)
        version = seen.version
        if version.perturbs_id is None:
            raise DatasetNotFoundError
        try:
            async with self._db.transaction() as session:
                await PerturbingRepository(session).delete(
                    version_id, dataset_id=version.dataset_id
                )
        except IntegrityError as error:
            raise PerturbationInUseError(name=version.name) from error

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))


def _beside(variant: DatasetItem, original: DatasetItem) -> VariantRead:
    return VariantRead(
        uid=variant.uid,
        original_uid=original.uid,
        split=variant.split,
        transform=variant.transform or "",
        texts=[
            VariedTextRead(field=name, original=before, variant=after)
            for name, before, after in texts_of(original, variant)
        ],
    )
