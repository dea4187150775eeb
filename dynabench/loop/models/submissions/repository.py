"""All SQL of submissions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, or_, select, update

from dynabench.kit.db.database import Session
from dynabench.loop.models.submissions.values import ARTIFACT
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import CODE_KINDS, ModelStatus

_WAITING = (ModelStatus.SUBMITTED, ModelStatus.CHECKING)
_FILES = "files of models"
_ARTIFACT_DIGEST = models.c.source[ARTIFACT]["digest"].astext


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldModel:
    """What may change of a model, as long as its row is held."""

    digest: str
    status: ModelStatus
    artifact_bytes: int | None


class SubmissionRepository:
    """Counts submissions and moves one from state to state."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def lock_submitter(self, *, task_id: UUID, user_id: UUID) -> None:
        """Count a person's submissions to a task one at a time, until the transaction ends."""
        key = func.hashtextextended(f"submissions of {user_id} to {task_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def lock_person_files(self, user_id: UUID) -> None:
        """Count a person's files, in all tasks, one at a time until the transaction ends."""
        key = func.hashtextextended(f"files of {user_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def lock_task_files(self, task_id: UUID) -> None:
        """Count the files of a task's models one at a time, until the transaction ends.

        Whoever locks a person's too locks those first.
        """
        key = func.hashtextextended(f"files in {task_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def keep_files(self) -> None:
        """Let no file of a model be forgotten until the transaction ends."""
        key = func.hashtextextended(_FILES, 0)
        await self._session.execute(select(func.pg_advisory_xact_lock_shared(key)))

    async def stop_keeping_files(self) -> None:
        """Wait until nobody stores files of models, and let nobody until the transaction ends."""
        key = func.hashtextextended(_FILES, 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def digests_in_use(self) -> tuple[set[str], set[str]]:
        """Return the digests of all models' folders, and of their artifacts, but for deleted ones.

        A model that has not passed its check has no folder; its digest is of none.
        """
        statement = select(models.c.digest, _ARTIFACT_DIGEST).where(
            models.c.deleted_at.is_(None), models.c.kind.in_(CODE_KINDS)
        )
        rows = (await self._session.execute(statement)).all()
        return {row[0] for row in rows}, {row[1] for row in rows} - {None}

    async def folders_among(self, digests: Collection[str]) -> set[str]:
        """Return those of some digests that are of models' folders, deleted ones too."""
        statement = select(models.c.digest).where(
            models.c.digest.in_(digests), models.c.kind.in_(CODE_KINDS)
        )
        return {*(await self._session.execute(statement)).scalars()}

    async def drop_rejected(self, *, before: datetime) -> list[str]:
        """Take the artifacts from models that were handed in before and rejected.

        Returns:
            The digests of the artifacts.
        """
        old = (
            select(models.c.id, _ARTIFACT_DIGEST.label("digest"))
            .where(
                models.c.status == ModelStatus.REJECTED,
                models.c.created_at < before,
                _ARTIFACT_DIGEST.is_not(None),
            )
            .with_for_update()
            .cte("old")
        )
        statement = (
            update(models)
            .where(models.c.id == old.c.id)
            .values(source=models.c.source.op("-")(ARTIFACT))
            .returning(old.c.digest)
        )
        return [*(await self._session.execute(statement)).scalars()]

    async def passed_since(
        self, since: datetime, *, task_id: UUID, user_id: UUID
    ) -> Sequence[datetime]:
        """Return when a person's submissions to a task passed, oldest first.

        Deleted ones count too, else one could make room by deleting.
        """
        statement = (
            select(models.c.passed_at)
            .where(
                models.c.task_id == task_id,
                models.c.submitted_by == user_id,
                models.c.passed_at > since,
            )
            .order_by(models.c.passed_at)
        )
        return list((await self._session.execute(statement)).scalars())

    async def waiting(self, *, task_id: UUID, user_id: UUID) -> int:
        """Return how many of a person's submissions to a task are on their way."""
        statement = select(func.count()).where(
            models.c.task_id == task_id,
            models.c.submitted_by == user_id,
            models.c.status.in_(_WAITING),
            models.c.deleted_at.is_(None),
        )
        return int(await self._session.scalar(statement) or 0)

    async def kept_bytes(
        self,
        *,
        task_id: UUID | None = None,
        user_id: UUID | None = None,
        but_of: UUID | None = None,
    ) -> int:
        """Return how many bytes of files the models of a person or a task keep, but one model's.

        A ready model keeps its unpacked folder. Where an earlier version accepted it, what was
        handed in counts, and nothing where that is unknown.
        """
        conditions = [
            models.c.deleted_at.is_(None),
            # The files of a rejected one may be gone, and its row still tells their size.
            or_(models.c.status != ModelStatus.REJECTED, _ARTIFACT_DIGEST.is_not(None)),
        ]
        if but_of is not None:
            conditions.append(models.c.id != but_of)
        if task_id is not None:
            conditions.append(models.c.task_id == task_id)
        if user_id is not None:
            conditions.append(models.c.submitted_by == user_id)
        statement = select(func.coalesce(func.sum(models.c.artifact_bytes), 0)).where(*conditions)
        return int(await self._session.scalar(statement) or 0)

    async def hold(self, model_id: UUID) -> HeldModel | None:
        """Return the digest and state of a model, and hold its row; None if it was deleted."""
        statement = (
            select(models.c.digest, models.c.status, models.c.artifact_bytes)
            .where(models.c.id == model_id, models.c.deleted_at.is_(None))
            .with_for_update()
        )
        row = (await self._session.execute(statement)).one_or_none()
        if row is None:
            return None
        return HeldModel(digest=row.digest, status=row.status, artifact_bytes=row.artifact_bytes)

    async def attach(self, model_id: UUID, values: Mapping[str, object]) -> bool:
        """Write a model's files, unless it has some; tell whether it had none."""
        done = await self._session.execute(
            update(models)
            .where(
                models.c.id == model_id,
                models.c.deleted_at.is_(None),
                models.c.status == ModelStatus.SUBMITTED,
                models.c.artifact_bytes.is_(None),
            )
            .values(dict(values))
        )
        return bool(done.rowcount)

    async def change(
        self,
        model_id: UUID,
        values: Mapping[str, object],
        *,
        states: Collection[ModelStatus] | None = None,
    ) -> bool:
        """Write to a model that was not deleted; tell whether it was in one of the states."""
        condition = [models.c.id == model_id, models.c.deleted_at.is_(None)]
        if states is not None:
            condition.append(models.c.status.in_(states))
        done = await self._session.execute(update(models).where(*condition).values(dict(values)))
        return bool(done.rowcount)
