"""Use cases of errata: beside a dataset for its readers, and in the card of the next release."""

from collections import defaultdict
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.loop.datasets.permissions import may_see_gold
from dynabench.loop.datasets.releases.values import Errata, Erratum
from dynabench.loop.datasets.rules import is_gold_withheld, uid_of
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
        """Return a dataset's errata: those whose right answer the actor may see.

        Where an answer is withheld, that it is wrong tells what it is: with two labels all
        of it. Such errata are counted, and named once the answers are opened.

        Raises:
            DatasetNotFoundError: If there is no such version for the actor.
        """
        seen = await self._datasets.require_visible(version_id, actor=actor)
        async with self._db.read() as session:
            repository = ErrataRepository(session)
            looked = await repository.of_version(version_id)
            wrong = {uid_of(one.example_id): one for one in looked if one.finding is Finding.WRONG}
            splits = await repository.splits(version_id, wrong)
        shown = [
            uid
            for uid in wrong
            if uid in splits and may_see_gold(seen.version, splits[uid], role=seen.role)
        ]
        items = await self._datasets.items_by_uid(version_id, shown[:_MOST])
        return ErrataRead(
            items=[
                ErratumRead(
                    item=read_item(items[uid], with_gold=True),
                    finding=wrong[uid].finding,
                    found_at=wrong[uid].found_at,
                )
                for uid in shown[:_MOST]
            ],
            wrong=len(wrong),
            withheld=len(splits) - len(shown),
            right=len(looked) - len(wrong),
        )

    async def of_task(self, session: Session, task_id: UUID) -> Errata:
        """Return the errata of a task's releases, the latest release first.

        Those in splits whose answers are withheld are counted alone, as in `of_version`.
        """
        repository = ErrataRepository(session)
        looked = await repository.of_task(task_id)
        wrong: defaultdict[UUID, list[Looked]] = defaultdict(list)
        for one in looked:
            if one.finding is Finding.WRONG:
                wrong[one.version_id].append(one)
        latest_first = sorted(wrong.items(), key=lambda one: one[1][0].released_at, reverse=True)
        found: list[Erratum] = []
        withheld = 0
        for version_id, errors in latest_first:
            first = errors[0]
            version = await self._datasets.get(version_id)
            splits = await repository.splits(version_id, [uid_of(one.example_id) for one in errors])
            named = [
                Erratum(release=first.release, version=first.version, uid=uid, split=split)
                for uid, split in sorted(splits.items())
                if not is_gold_withheld(version, split)
            ]
            found += named
            withheld += len(splits) - len(named)
        right = sum(one.finding is Finding.RIGHT for one in looked)
        return Errata(wrong=found, withheld=withheld, right=right)
