"""SQL of attempts that were made elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import insert, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.examples.values import StoredExample

_NOT_IN_VALUES = frozenset({"duplicate_key", "similarity_bands"})


class ReplayedExampleRepository:
    """Writes attempts whose ids were made from their source."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add_missing(
        self, found: Sequence[StoredExample], *, bands: Mapping[UUID, Sequence[int]]
    ) -> set[UUID]:
        """Store the attempts whose ids are not here, and return those ids.

        They get no duplicate key, which would refuse the second of two that are alike.
        """
        rows = [
            {
                column.name: getattr(example, column.name)
                for column in examples.columns
                if column.name not in _NOT_IN_VALUES
            }
            | {"duplicate_key": None, "similarity_bands": list(bands[example.id])}
            for example in found
        ]
        statement = upsert(examples).values(rows).on_conflict_do_nothing(index_elements=["id"])
        new = set((await self._session.execute(statement.returning(examples.c.id))).scalars())
        predictions = [
            {"example_id": example.id, "position": position, **asdict(prediction)}
            for example in found
            if example.id in new
            for position, prediction in enumerate(example.predictions)
        ]
        if predictions:
            await self._session.execute(insert(example_predictions), predictions)
        return new

    async def link_contrast(self, example_id: UUID, *, other_id: UUID) -> None:
        """Say which attempt another one was made from."""
        await self._session.execute(
            update(examples).where(examples.c.id == example_id).values(contrast_of=other_id)
        )
