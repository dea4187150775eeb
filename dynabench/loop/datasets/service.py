"""Use cases of datasets: ask for a release, list versions, read and download one."""

from collections.abc import AsyncIterator, Collection
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.loop.datasets.errors import DatasetNotFoundError, NothingToReleaseError
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import is_gold_withheld, item_line
from dynabench.loop.datasets.schemas import DatasetVersionRead, ReleaseRequest, SplitRead
from dynabench.loop.datasets.values import (
    RELEASE_ROUND,
    DatasetItem,
    DatasetVersion,
    ReleaseOrder,
    Split,
)
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.folds.service import FoldService

_PAGE = 500


class DatasetService:
    """Datasets of all tasks; versions never change."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        folds: FoldService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._folds = folds
        self._queue = queue

    async def release(
        self, round_id: UUID, body: ReleaseRequest, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a closed round to be frozen as a dataset; a job does it.

        Raises:
            RoundStateError: If the round is not closed.
            NothingToReleaseError: If it holds nothing.
        """
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        await self._require_releasable(round_)
        order = ReleaseOrder(round_id=round_id, seed=body.seed, licence=body.licence)
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, RELEASE_ROUND, order.payload(), created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def read(self, version_id: UUID, *, actor: Actor) -> DatasetVersionRead:
        """Return a version with its card."""
        version, round_, slug = await self._get_visible(version_id, actor)
        return _read(version, slug=slug, round_=round_)

    async def download(self, version_id: UUID, *, split: str, actor: Actor) -> AsyncIterator[bytes]:
        """Return a split's items as JSON lines in the order of the split.

        Raises:
            DatasetNotFoundError: If there is no such version or split.
        """
        await self._get_visible(version_id, actor)
        known = {one.value: one for one in Split}
        if split not in known:
            raise DatasetNotFoundError
        return self._lines(version_id, known[split])

    async def get(self, version_id: UUID) -> DatasetVersion:
        """Return a version, whoever asks.

        Raises:
            DatasetNotFoundError: If there is none.
        """
        async with self._db.read() as session:
            found = await DatasetRepository(session).get(version_id)
        if found is None:
            raise DatasetNotFoundError
        return found

    async def get_of_task(
        self, version_ids: Collection[UUID], *, task_id: UUID
    ) -> "list[DatasetVersion]":
        """Return versions of a task, in the order of their ids' first mention.

        Raises:
            DatasetNotFoundError: If one is not there, or another task's.
        """
        async with self._db.read() as session:
            rows = await DatasetRepository(session).get_many(version_ids)
        found = {one.id: one for one in rows if one.task_id == task_id}
        if not found.keys() >= set(version_ids):
            raise DatasetNotFoundError
        return [found[version_id] for version_id in dict.fromkeys(version_ids)]

    async def of_task(self, task_id: UUID) -> "list[DatasetVersion]":
        """Return a task's versions, oldest first."""
        async with self._db.read() as session:
            return await DatasetRepository(session).of_task(task_id)

    async def pages(
        self, version_id: UUID, split: Split, *, size: int = _PAGE
    ) -> "AsyncIterator[list[DatasetItem]]":
        """Give a split's items with their gold, in order, so many at a time."""
        after = -1
        while True:
            async with self._db.read() as session:
                items = await DatasetRepository(session).items(
                    version_id, split=split, after=after, limit=size
                )
            if items:
                yield items
            if len(items) < size:
                return
            after = items[-1].position

    async def list(self, slug: str, *, actor: Actor) -> list[DatasetVersionRead]:
        """Return a task's versions, newest first."""
        task = await self._tasks.get_for(slug, actor)
        rounds = {one.id: one for one in await self._rounds.of_task(task.id)}
        return [
            _read(version, slug=slug, round_=rounds.get(version.round_id or version.id))
            for version in reversed(await self.of_task(task.id))
        ]

    async def _require_releasable(self, round_: Round) -> None:
        if round_.status is not RoundStatus.CLOSED:
            raise RoundStateError(round_number=round_.number, status=round_.status, wanted="closed")
        await self._folds.catch_up(at_once=True)
        tallies = (await self._folds.per_annotator([round_.id])).get(round_.id, {})
        if not any(tally.collected > tally.retracted for tally in tallies.values()):
            raise NothingToReleaseError(reason="it holds no example that stands.")

    async def _get_visible(
        self, version_id: UUID, actor: Actor
    ) -> tuple[DatasetVersion, Round | None, str]:
        version = await self.get(version_id)
        slug = (await self._tasks.get_by_id(version.task_id)).slug
        try:
            await self._tasks.get_for(slug, actor)
        except TaskNotFoundError as error:
            raise DatasetNotFoundError from error
        round_ = None if version.round_id is None else await self._rounds.get(version.round_id)
        return version, round_, slug

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))

    async def _lines(self, version_id: UUID, split: Split) -> AsyncIterator[bytes]:
        with_gold = not is_gold_withheld(split)
        async for items in self.pages(version_id, split):
            yield b"".join(item_line(item, with_gold=with_gold) for item in items)


def _read(version: DatasetVersion, *, slug: str, round_: Round | None) -> DatasetVersionRead:
    return DatasetVersionRead(
        id=version.id,
        task_slug=slug,
        name=version.name,
        version=version.version,
        round_number=None if round_ is None else round_.number,
        digest=version.digest,
        licence=version.licence,
        splits=[SplitRead(split=split, items=version.sizes[split]) for split in Split],
        card=version.card,
        created_at=version.created_at,
    )
