"""All SQL of models."""

from collections.abc import Collection
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import Select, func, insert, select

from dynabench.kit.db.database import Session
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import Model, ModelKind, ModelLabel, ModelPurpose, ModelStatus

_VERSIONING = "models.versioning"


class ModelRepository:
    """Reads and writes models."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, model_id: UUID) -> Model | None:
        """Return a model."""
        return await self._first(select(models).where(models.c.id == model_id))

    async def get_many(self, model_ids: Collection[UUID]) -> list[Model]:
        """Return those of the models that are there."""
        return await self._all(select(models).where(models.c.id.in_(model_ids)))

    async def of_task(self, task_id: UUID) -> list[Model]:
        """Return a task's models but for deleted ones, newest first."""
        return await self._all(
            select(models)
            .where(models.c.task_id == task_id, models.c.deleted_at.is_(None))
            .order_by(models.c.created_at.desc(), models.c.id.desc())
        )

    async def lock_name(self, *, task_id: UUID, name: str) -> None:
        """Number the versions of a name one at a time, until the transaction ends."""
        key = func.hashtextextended(f"{_VERSIONING}:{task_id}:{name}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def newest(self, *, task_id: UUID, name: str) -> Model | None:
        """Return the newest version of a name, even if it was deleted."""
        return await self._first(
            select(models)
            .where(models.c.task_id == task_id, models.c.name == name)
            .order_by(models.c.version.desc())
            .limit(1)
        )

    async def by_digest(
        self, *, task_id: UUID, name: str, kind: ModelKind, digest: str
    ) -> Model | None:
        """Return the version of a name that has this digest."""
        return await self._first(
            select(models)
            .where(
                models.c.task_id == task_id,
                models.c.name == name,
                models.c.kind == kind,
                models.c.digest == digest,
                models.c.deleted_at.is_(None),
            )
            .order_by(models.c.version)
            .limit(1)
        )

    async def newest_ready(self, task_id: UUID) -> Model | None:
        """Return the task's newest published model that can be asked."""
        return await self._first(
            select(models)
            .where(
                models.c.task_id == task_id,
                models.c.status == ModelStatus.READY,
                models.c.kind.not_in([ModelKind.RECORDED, ModelKind.PREDICTIONS]),
                models.c.purpose == ModelPurpose.TARGET,
                models.c.is_published,
                models.c.deleted_at.is_(None),
            )
            .order_by(models.c.created_at.desc(), models.c.id.desc())
            .limit(1)
        )

    async def newest_judge(self, task_id: UUID, *, name: str) -> UUID | None:
        """Return the newest ready version of a task's judge."""
        statement = (
            select(models.c.id)
            .where(
                models.c.task_id == task_id,
                models.c.name == name,
                models.c.status == ModelStatus.READY,
                models.c.purpose == ModelPurpose.JUDGE,
            )
            .order_by(models.c.version.desc())
            .limit(1)
        )
        return (await self._session.execute(statement)).scalar_one_or_none()

    async def labels(self, model_ids: Collection[UUID]) -> list[ModelLabel]:
        """Return how models are called."""
        found = await self._session.execute(
            select(models.c.id, models.c.name, models.c.version, models.c.digest).where(
                models.c.id.in_(model_ids)
            )
        )
        return [
            ModelLabel(model_id=row.id, name=row.name, version=row.version, digest=row.digest)
            for row in found
        ]

    async def add(self, model: Model) -> None:
        """Store a version."""
        await self._session.execute(insert(models).values(**asdict(model)))

    # SQLAlchemy types a whole table's rows as Any.
    async def _all(self, statement: Select[Any]) -> list[Model]:
        rows = (await self._session.execute(statement)).mappings()
        return [Model(**row) for row in rows]

    # The same as above.
    async def _first(self, statement: Select[Any]) -> Model | None:
        found = await self._all(statement)
        return found[0] if found else None
