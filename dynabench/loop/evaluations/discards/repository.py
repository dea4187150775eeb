"""All SQL of datasets that are taken away."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Text, cast, delete, exists, or_, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import (
    dataset_archives,
    dataset_items,
    dataset_versions,
    datasets,
)
from dynabench.loop.evaluations.discards.values import Member
from dynabench.loop.evaluations.tables import evaluations, human_scores, prediction_files
from dynabench.loop.models.tables import models


class DiscardRepository:
    """Takes a dataset version away with all that was computed of it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def family_of(self, version_id: UUID) -> list[Member]:
        """Return a version's variants, and itself at last."""
        query = (
            select(dataset_versions.c.id, dataset_versions.c.digest, dataset_versions.c.dataset_id)
            .where(
                or_(
                    dataset_versions.c.id == version_id,
                    dataset_versions.c.perturbs_id == version_id,
                )
            )
            .order_by(dataset_versions.c.perturbs_id.nulls_last())
        )
        return [Member(*row) for row in await self._session.execute(query)]

    async def trained_on(self, task_id: UUID, family: Sequence[Member]) -> str | None:
        """Return the name of a model of the task that says it learned from one of them."""
        named = [f"%{part}%" for one in family for part in (one.id, one.digest)]
        columns = (cast(models.c.source, Text), cast(models.c.card, Text))
        says_so = or_(*(column.like(name) for column in columns for name in named))
        query = select(models.c.name).where(models.c.task_id == task_id, says_so)
        found: str | None = await self._session.scalar(query.limit(1))
        return found

    async def jobs_of(self, family: Sequence[Member]) -> list[UUID]:
        """Return the jobs of evaluations on versions."""
        statement = select(evaluations.c.job_id).where(
            evaluations.c.dataset_version_id.in_([one.id for one in family]),
            evaluations.c.job_id.is_not(None),
        )
        return [one for one in (await self._session.execute(statement)).scalars() if one]

    async def files_of(self, family: Sequence[Member]) -> list[str]:
        """Return the digests of files that were stored for versions."""
        ids = [one.id for one in family]
        statements = (
            select(prediction_files.c.digest).where(prediction_files.c.dataset_version_id.in_(ids)),
            select(dataset_archives.c.digest).where(dataset_archives.c.version_id.in_(ids)),
        )
        return [
            str(digest)
            for statement in statements
            for digest in (await self._session.execute(statement)).scalars()
        ]

    async def delete(self, family: Sequence[Member]) -> None:
        """Delete versions with the scores on them, and datasets that have no other version."""
        ids = [one.id for one in family]
        for table, column in (
            (evaluations, evaluations.c.dataset_version_id),
            (prediction_files, prediction_files.c.dataset_version_id),
            (human_scores, human_scores.c.dataset_version_id),
            (dataset_archives, dataset_archives.c.version_id),
            (dataset_items, dataset_items.c.version_id),
        ):
            await self._session.execute(delete(table).where(column.in_(ids)))
        # Variants name what they vary, which goes last.
        for one in family:
            await self._session.execute(
                delete(dataset_versions).where(dataset_versions.c.id == one.id)
            )
            others = exists().where(dataset_versions.c.dataset_id == one.dataset_id)
            await self._session.execute(
                delete(datasets).where(datasets.c.id == one.dataset_id, ~others)
            )
