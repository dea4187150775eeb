"""Use cases of datasets: list, read, change and download versions."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.cards.rules import sentences_of
from dynabench.loop.datasets.errors import (
    DatasetNotFoundError,
    PerturbationTooOpenError,
)
from dynabench.loop.datasets.permissions import can_see, may_see_gold
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import (
    canary_in,
    is_fooling_withheld,
    is_gold_withheld,
    is_more_open,
    item_line,
    newest_versions,
    told_card,
)
from dynabench.loop.datasets.schemas import (
    DatasetItemRead,
    DatasetPatch,
    DatasetVersionRead,
    SplitRead,
)
from dynabench.loop.datasets.values import (
    DatasetAccess,
    DatasetItem,
    DatasetOrigin,
    DatasetVersion,
    Split,
)
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole

_PAGE = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """A version that somebody may see, and as whom they see it."""

    version: DatasetVersion
    task: Task
    role: TaskRole | None


class DatasetService:
    """Datasets of all tasks; the items of a version never change."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        rounds: RoundService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._rounds = rounds
        self._publisher = Publisher(queue=queue)

    async def read(self, version_id: UUID, *, actor: Actor) -> DatasetVersionRead:
        """Return a version with its card."""
        seen = await self.require_visible(version_id, actor=actor)
        return await self._describe(seen)

    async def change(
        self, version_id: UUID, body: DatasetPatch, *, actor: Actor
    ) -> DatasetVersionRead:
        """Change a dataset's access, tags or column, or a version's licence or description.

        Models are scored on a set that was hidden until now.

        Raises:
            TaskRoleNeededError: If the actor owns not the task.
            PerturbationTooOpenError: If a perturbed set would show more than what it varies.
        """
        seen = await self.require_owned(version_id, actor=actor)
        before = seen.version
        values: dict[str, object] = {}
        if body.access is not None:
            if before.perturbs_id is not None:
                original = await self.get(before.perturbs_id)
                if is_more_open(body.access, than=original.access):
                    raise PerturbationTooOpenError(name=before.name, access=original.access)
            values["access"] = body.access
        if body.tags is not None:
            values["tags"] = list(dict.fromkeys(body.tags))
        if body.subtask_of is not None:
            values["subtask_of"] = body.subtask_of.strip() or None
        async with self._db.transaction() as session:
            repository = DatasetRepository(session)
            mine = await repository.of_dataset(before.dataset_id)
            if values:
                await repository.change_dataset(before.dataset_id, **values)
            await repository.change_version(
                version_id, licence=body.licence, description=body.description
            )
            if before.access is DatasetAccess.HIDDEN and body.access is not None:
                for one in (*mine, *await repository.varying([one.id for one in mine])):
                    await self._publisher.announce(session, one.id, access=body.access)
            await self._archive_anew(session, before, mine, body)
        return await self.read(version_id, actor=actor)

    async def items(
        self, version_id: UUID, *, split: str, after: int, limit: int, actor: Actor
    ) -> "list[DatasetItemRead]":
        """Return some items of a split, the gold only to those who may see it.

        Raises:
            DatasetNotFoundError: If there is no such version or split.
        """
        seen = await self.require_visible(version_id, actor=actor)
        wanted = _split_called(split)
        async with self._db.read() as session:
            found = await DatasetRepository(session).items(
                version_id, split=wanted, after=after, limit=limit
            )
        with_gold = may_see_gold(seen.version, wanted, role=seen.role)
        return [read_item(item, with_gold=with_gold) for item in found]

    async def download(self, version_id: UUID, *, split: str, actor: Actor) -> AsyncIterator[bytes]:
        """Return a split's items as JSON lines in the order of the split.

        Raises:
            DatasetNotFoundError: If there is no such version or split.
        """
        seen = await self.require_visible(version_id, actor=actor)
        return self._lines(seen.version, _split_called(split))

    async def require_visible(self, version_id: UUID, *, actor: Actor) -> Seen:
        """Return a version that the actor may see.

        Raises:
            DatasetNotFoundError: If there is none, or it is not for them.
        """
        version = await self.get(version_id)
        slug = (await self._tasks.get_by_id(version.task_id)).slug
        try:
            task = await self._tasks.get_for(slug, actor)
        except TaskNotFoundError as error:
            raise DatasetNotFoundError from error
        role = await self._tasks.role_of(task.id, actor)
        if not can_see(version, role=role):
            raise DatasetNotFoundError
        return Seen(version, task, role)

    async def require_owned(self, version_id: UUID, *, actor: Actor) -> Seen:
        """Return a version of a task that the actor owns.

        Raises:
            DatasetNotFoundError: If there is none, or it is not for them.
            TaskRoleNeededError: If the actor owns not the task.
        """
        seen = await self.require_visible(version_id, actor=actor)
        await self._tasks.require_role(seen.task, actor, TaskRole.OWNER)
        return seen

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

    async def items_called(
        self, version_id: UUID, uids: Collection[str]
    ) -> "Mapping[str, DatasetItem]":
        """Return those of a version's items that are there, with their gold, by uid."""
        async with self._db.read() as session:
            return await DatasetRepository(session).items_by_uid(version_id, uids)

    async def items_by_uid(
        self, version_id: UUID, uids: Collection[str]
    ) -> Mapping[str, DatasetItem]:
        """Return those of a version's items that are there, by uid and with their gold."""
        async with self._db.read() as session:
            return await DatasetRepository(session).items_by_uid(version_id, uids)

    async def list(
        self,
        slug: str,
        *,
        actor: Actor,
        search: str = "",
        access: DatasetAccess | None = None,
        origin: DatasetOrigin | None = None,
    ) -> list[DatasetVersionRead]:
        """Return a task's versions that the actor may see, newest first.

        Args:
            slug: The task.
            actor: Who asks.
            search: Only those with this in their name, tags or column, whatever its case.
            access: Only those of this access.
            origin: Only those of this origin.
        """
        task = await self._tasks.get_for(slug, actor)
        role = await self._tasks.role_of(task.id, actor)
        rounds = {one.id: one for one in await self._rounds.of_task(task.id)}
        versions = await self.of_task(task.id)
        newest = {one.id for one in newest_versions(versions)}
        wanted = search.strip().casefold()
        return [
            _read(
                version,
                slug=slug,
                round_=rounds.get(version.round_id or version.id),
                is_newest=version.id in newest,
                role=role,
            )
            for version in reversed(versions)
            if can_see(version, role=role)
            and access in {None, version.access}
            and origin in {None, version.origin}
            and any(wanted in text.casefold() for text in _texts_of(version))
        ]

    async def _describe(self, seen: Seen) -> DatasetVersionRead:
        version = seen.version
        async with self._db.read() as session:
            beside = await DatasetRepository(session).of_dataset(version.dataset_id)
        round_ = None if version.round_id is None else await self._rounds.get(version.round_id)
        is_newest = any(one.id == version.id for one in newest_versions(beside))
        return _read(
            version, slug=seen.task.slug, round_=round_, is_newest=is_newest, role=seen.role
        )

    async def _archive_anew(
        self,
        session: Session,
        before: DatasetVersion,
        mine: Sequence[DatasetVersion],
        body: DatasetPatch,
    ) -> None:
        """Have archives made again in which something else is written now."""
        is_reopened = body.access not in {None, before.access}
        is_told_anew = body.licence is not None or body.description is not None
        for one in mine:
            is_changed = is_reopened or (is_told_anew and one.id == before.id)
            if is_changed and one.archive_job_id is not None:
                await self._publisher.archive(session, one.id)

    async def _lines(self, version: DatasetVersion, split: Split) -> AsyncIterator[bytes]:
        with_gold = not is_gold_withheld(version, split)
        with_fooling = not is_fooling_withheld(version, split)
        line = partial(
            item_line,
            with_gold=with_gold,
            with_fooling=with_fooling,
            canary=canary_in(version.card),
        )
        async for items in self.pages(version.id, split):
            yield b"".join(map(line, items))


def _split_called(name: str) -> Split:
    try:
        return Split(name)
    except ValueError:
        raise DatasetNotFoundError from None


def _texts_of(version: DatasetVersion) -> tuple[str, ...]:
    return (version.name, *version.tags, version.subtask_of or "")


def read_item(item: DatasetItem, *, with_gold: bool) -> DatasetItemRead:
    """Return an item's wire shape."""
    return DatasetItemRead(
        uid=item.uid,
        split=item.split,
        position=item.position,
        context=item.context,
        inputs=item.inputs,
        gold=item.gold if with_gold else None,
        tags=[*item.tags],
        original_uid=item.original_uid,
        transform=item.transform,
    )


def _read(
    version: DatasetVersion,
    *,
    slug: str,
    round_: Round | None,
    is_newest: bool,
    role: TaskRole | None,
) -> DatasetVersionRead:
    return DatasetVersionRead(
        id=version.id,
        dataset_id=version.dataset_id,
        task_slug=slug,
        name=version.name,
        version=version.version,
        is_newest=is_newest,
        round_number=None if round_ is None else round_.number,
        digest=version.digest,
        licence=version.licence,
        access=version.access,
        origin=version.origin,
        subtask_of=version.subtask_of,
        tags=[*version.tags],
        perturbs_id=version.perturbs_id,
        perturbation=version.perturbation,
        items=version.items,
        splits=[SplitRead(split=split, items=version.sizes[split]) for split in Split],
        card=told_card(version, to_owner=may_own(role)),
        told=sentences_of(version),
        created_at=version.created_at,
        test_opened_at=version.test_opened_at,
    )
