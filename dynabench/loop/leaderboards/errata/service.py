"""Use cases of errata: beside a dataset for its readers, and in the card of the next release."""

from collections import defaultdict
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.permissions import may_see_gold
from dynabench.loop.datasets.releases.values import Errata, Erratum
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.service import DatasetService, read_item
from dynabench.loop.leaderboards.errata.repository import ErrataRepository
from dynabench.loop.leaderboards.errata.schemas import ErrataRead, ErratumRead
from dynabench.loop.leaderboards.errata.values import Looked
from dynabench.loop.leaderboards.suspicions.values import Finding

_MOST = 200


class ErrataService:
    """Errata of all datasets: suspected answers that experts found wrong.

    A release never changes, so they stand beside it and in the card of the one after it.
    """

    def __init__(self, *, db: Database, datasets: DatasetService) -> None:
        self._db = db
        self._datasets = datasets

    async def of_version(self, version_id: UUID, *, actor: Actor) -> ErrataRead:
        """Return a dataset's errata, with the items as the actor may see them.

        Raises:
            DatasetNotFoundError: If there is no such version for the actor.
        """
        seen = await self._datasets.require_visible(version_id, actor=actor)
        async with self._db.read() as session:
            looked = await ErrataRepository(session).of_version(version_id)
        wrong = [one for one in looked if one.finding is Finding.WRONG]
        uids = {uid_of(one.example_id): one for one in wrong}
        items = await self._datasets.items_by_uid(version_id, list(uids)[:_MOST])
        return ErrataRead(
            items=[
                ErratumRead(
                    item=read_item(
                        item, with_gold=may_see_gold(seen.version, item.split, role=seen.role)
                    ),
                    finding=one.finding,
                    found_at=one.found_at,
                )
                for uid, one in uids.items()
                if (item := items.get(uid)) is not None
            ],
            wrong=len(wrong),
            right=len(looked) - len(wrong),
        )

    async def of_task(self, session: Session, task_id: UUID) -> Errata:
        """Return the errata of a task's releases, the latest release first."""
        repository = ErrataRepository(session)
        looked = await repository.of_task(task_id)
        wrong: defaultdict[UUID, list[Looked]] = defaultdict(list)
        for one in looked:
            if one.finding is Finding.WRONG:
                wrong[one.version_id].append(one)
        latest_first = sorted(wrong.items(), key=lambda one: one[1][0].released_at, reverse=True)
        found: list[Erratum] = []
        for version_id, errors in latest_first:
            first = errors[0]
            splits = await repository.splits(version_id, [uid_of(one.example_id) for one in errors])
            found += [
                Erratum(release=first.release, version=first.version, uid=uid, split=split)
                for uid, split in sorted(splits.items())
            ]
        right = sum(one.finding is Finding.RIGHT for one in looked)
        return Errata(wrong=found, right=right)
