"""All SQL of prediction files."""

from collections.abc import Collection
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import delete, insert, select

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.prediction_files.values import PredictionFile
from dynabench.loop.evaluations.tables import prediction_files


class PredictionFileRepository:
    """Reads and writes which model has a file for which dataset version."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, *, model_id: UUID, version_id: UUID) -> PredictionFile | None:
        """Return a model's file for a version."""
        statement = select(prediction_files).where(
            prediction_files.c.model_id == model_id,
            prediction_files.c.dataset_version_id == version_id,
        )
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else PredictionFile(**row)

    async def of_model(self, model_id: UUID) -> list[str]:
        """Return the digests of a model's files."""
        statement = select(prediction_files.c.digest).where(prediction_files.c.model_id == model_id)
        return list((await self._session.execute(statement)).scalars())

    async def add(self, file: PredictionFile) -> None:
        """Write a file of a model that has none for its version."""
        await self._session.execute(insert(prediction_files).values(**asdict(file)))

    async def named(self, digests: Collection[str], *, but_of: UUID | None) -> set[str]:
        """Return those of the digests that are files of predictions, but of one model."""
        statement = select(prediction_files.c.digest).where(
            prediction_files.c.digest.in_(digests),
            prediction_files.c.model_id.is_distinct_from(but_of),
        )
        return set((await self._session.execute(statement)).scalars())

    async def delete(self, model_id: UUID) -> None:
        """Forget a model's files."""
        await self._session.execute(
            delete(prediction_files).where(prediction_files.c.model_id == model_id)
        )
