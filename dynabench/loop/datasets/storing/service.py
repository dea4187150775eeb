"""Writing a version: items of any number, in the caller's transaction, whole or not at all."""

import asyncio
from collections.abc import AsyncIterable, Callable, Sequence
from dataclasses import replace
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.datasets.errors import DatasetNameTakenError
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.rules import ContentDigest
from dynabench.loop.datasets.storing.repository import StoringRepository
from dynabench.loop.datasets.storing.rules import Tally
from dynabench.loop.datasets.storing.values import VersionDraft, Written
from dynabench.loop.datasets.values import DatasetItem, DatasetOrigin, DatasetVersion, Split
from dynabench.science.task_config.schema import TaskConfig

Pages = AsyncIterable[Sequence[DatasetItem]]


class _ThereAlready(Exception):  # noqa: N818
    """Not an error: leaving the transaction by it undoes what is there already."""

    def __init__(self, version_id: UUID) -> None:
        super().__init__(str(version_id))
        self.version_id = version_id


class VersionWriter:
    """Writes versions."""

    def __init__(self, *, db: Database, clock: Clock, publisher: Publisher) -> None:
        self._db = db
        self._clock = clock
        self._publisher = publisher

    async def write(
        self,
        draft: VersionDraft,
        pages: Pages,
        *,
        config: TaskConfig,
        perturbation: Callable[[], Values] | None = None,
    ) -> Written:
        """Write a version with its items and ask for what follows from it, in one transaction.

        Args:
            draft: What is known of it.
            pages: Its items, some at a time; they are written as they come.
            config: The task's config.
            perturbation: Called once all items went by: how a perturbed set was made.

        Returns:
            The version; the one that is there if it holds the same items.

        Raises:
            DatasetNameTakenError: If the name is that of a dataset of another origin.
        """
        try:
            async with self._db.transaction() as session:
                version = await self._write(session, draft, pages, perturbation)
                await self._publisher.publish(session, version, config)
        except _ThereAlready as there:
            return Written(await self._get(there.version_id), is_new=False)
        return Written(version, is_new=True)

    async def _write(
        self,
        session: Session,
        draft: VersionDraft,
        pages: Pages,
        perturbation: Callable[[], Values] | None,
    ) -> DatasetVersion:
        rows = StoringRepository(session)
        await rows.take_time()
        dataset = await rows.hold_dataset(new_id(), draft)
        if dataset.origin is not draft.origin:
            raise DatasetNameTakenError(name=draft.name, reason=_ORIGINS[dataset.origin])
        await rows.change_dataset(dataset.id, draft)
        version_id = new_id()
        empty = dict.fromkeys(Split, 0)
        version = DatasetVersion(
            id=version_id,
            dataset_id=dataset.id,
            task_id=draft.task_id,
            round_id=None,
            name=draft.name,
            version=await rows.next_version(dataset.id),
            # Nobody sees it: the digest is known once all items are there.
            digest=f"unfinished {version_id}",
            licence=draft.licence,
            card=draft.card,
            sizes=empty,
            created_at=self._clock.now(),
            access=draft.access or dataset.access,
            origin=draft.origin,
            subtask_of=draft.subtask_of or dataset.subtask_of,
            tags=tuple(dataset.tags) if draft.tags is None else draft.tags,
            perturbs_id=draft.perturbs_id,
            created_by=draft.created_by,
        )
        await DatasetRepository(session).insert_version(version)
        tally = Tally(draft.label_name)
        async for items in pages:
            tally.add(items)
            await rows.copy(version.id, items)
        return await _seal(
            rows,
            version,
            tally,
            perturbs=draft.perturbs_digest,
            perturbation=None if perturbation is None else perturbation(),
        )

    async def _get(self, version_id: UUID) -> DatasetVersion:
        async with self._db.read() as session:
            found = await DatasetRepository(session).get(version_id)
        assert found is not None, "versions with items are never taken away while they are read"
        return found


async def copy_items(session: Session, version_id: UUID, items: Sequence[DatasetItem]) -> None:
    """Write items of a version whose row is there, in the caller's transaction."""
    await StoringRepository(session).copy(version_id, items)


async def seal_version(session: Session, version_id: UUID, *, digest: str, card: Values) -> None:
    """Write what is known of a version once its items are there, in the caller's transaction."""
    await StoringRepository(session).seal(version_id, digest=digest, card=card, perturbation=None)


async def _seal(
    rows: StoringRepository,
    version: DatasetVersion,
    tally: Tally,
    *,
    perturbs: str | None,
    perturbation: Values | None,
) -> DatasetVersion:
    """Write what the items add up to."""
    content = ContentDigest(perturbs=perturbs)
    async for items in rows.by_uid(version.id):
        # Thousands of items at once would keep others from the loop.
        await asyncio.to_thread(content.add, items)
    digest = content.hexdigest()
    there = await rows.version_with(version.dataset_id, digest)
    if there is not None:
        raise _ThereAlready(there)
    card = {**version.card, "splits": tally.splits()}
    await rows.seal(version.id, digest=digest, card=card, perturbation=perturbation)
    return replace(
        version,
        digest=digest,
        card=card,
        perturbation=perturbation,
        sizes={split: tally.items[split] for split in Split},
    )


_ORIGINS = {
    DatasetOrigin.RELEASE: "A round's release has it.",
    DatasetOrigin.UPLOAD: "An uploaded dataset has it.",
    DatasetOrigin.PERTURBATION: "A set that the platform made has it.",
}
