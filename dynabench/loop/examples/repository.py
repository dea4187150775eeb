"""All SQL of examples."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Uuid, any_, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import PlainRow, Prepared, ask, send
from dynabench.loop.examples.storing.repository import adding, counting_tries
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.examples.values import Origin, StoredExample, StoredPrediction

_COLUMNS = tuple(
    column
    for column in examples.columns
    if column.name not in {"duplicate_key", "similarity_bands"}
)


# One array of ids keeps a statement the same for any number of them.
_IDS = bindparam("ids", type_=ARRAY(Uuid))
_EXAMPLES = Prepared(select(*_COLUMNS).where(examples.c.id == any_(_IDS)))
_PREDICTIONS = Prepared(
    select(example_predictions)
    .where(example_predictions.c.example_id == any_(_IDS))
    .order_by(example_predictions.c.example_id, example_predictions.c.position)
)


def _predictions_of(rows: Sequence[PlainRow]) -> dict[UUID, list[StoredPrediction]]:
    found: dict[UUID, list[StoredPrediction]] = {}
    for row in rows:
        found.setdefault(row["example_id"], []).append(
            StoredPrediction(
                model_id=row["model_id"],
                outputs=row["outputs"],
                probabilities=row["probabilities"],
                is_wrong=row["is_wrong"],
                latency_ms=row["latency_ms"],
            )
        )
    return found


class ExampleRepository:
    """Reads and writes attempts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def tries(self, *, round_id: UUID, annotator_id: UUID, context_id: UUID) -> int:
        """Return the number of the annotator's last attempt on the context, 0 before one."""
        query = counting_tries(round_id=round_id, annotator_id=annotator_id, context_id=context_id)
        return await ask(self._session, query)

    async def add(
        self, example: StoredExample, *, duplicate_key: bytes | None, bands: Sequence[int]
    ) -> None:
        """Store an attempt and what the targets answered."""
        await send(self._session, *adding(example, duplicate_key=duplicate_key, bands=list(bands)))

    async def get(self, example_id: UUID, *, lock: bool = False) -> StoredExample | None:
        """Return an attempt by its id; locked until the transaction ends if asked."""
        if lock:
            held = select(examples.c.id).where(examples.c.id == example_id).with_for_update()
            await self._session.execute(held)
        found = await self.get_many([example_id])
        return found[0] if found else None

    async def get_many(self, example_ids: Sequence[UUID]) -> list[StoredExample]:
        """Return attempts in the order of the ids; unknown ids are left out."""
        if not example_ids:
            return []
        ids = list(example_ids)
        predictions = _PREDICTIONS.with_values(_predictions_of, ids=ids)
        rows = _EXAMPLES.with_values(list, ids=ids)
        await send(self._session, predictions, rows)
        found = {
            row["id"]: StoredExample(
                **{**row, "origin": Origin(row["origin"])},
                predictions=tuple(predictions.result.get(row["id"], ())),
            )
            for row in rows.result
        }
        return [found[example_id] for example_id in example_ids if example_id in found]

    async def mine(
        self, *, round_id: UUID, annotator_id: UUID, context_id: UUID | None, limit: int
    ) -> list[StoredExample]:
        """Return an annotator's attempts in a round, newest first."""
        statement = (
            select(examples.c.id)
            .where(examples.c.round_id == round_id, examples.c.annotator_id == annotator_id)
            .order_by(examples.c.created_at.desc(), examples.c.id.desc())
            .limit(limit)
        )
        if context_id is not None:
            statement = statement.where(examples.c.context_id == context_id)
        ids = (await self._session.execute(statement)).scalars().all()
        return await self.get_many(ids)

    async def change(self, example_id: UUID, **changes: object) -> None:
        """Set columns of an attempt."""
        await self._session.execute(
            update(examples).where(examples.c.id == example_id).values(changes)
        )

    async def set_prediction_wrong(self, example_id: UUID, *, is_wrong: bool) -> None:
        """Record the author's word on every target's answer."""
        await self._session.execute(
            update(example_predictions)
            .where(example_predictions.c.example_id == example_id)
            .values(is_wrong=is_wrong)
        )

    async def count(self, round_id: UUID) -> int:
        """Return how many attempts a round holds."""
        statement = select(func.count()).where(examples.c.round_id == round_id)
        return int((await self._session.execute(statement)).scalar_one())

    async def page_ids(
        self, *, round_id: UUID, after: tuple[datetime, UUID] | None, limit: int
    ) -> Sequence[tuple[datetime, UUID]]:
        """Return the next attempts of a round in the order they were stored."""
        key = (examples.c.created_at, examples.c.id)
        statement = select(*key).where(examples.c.round_id == round_id).order_by(*key).limit(limit)
        if after is not None:
            statement = statement.where(func.row(*key) > func.row(*after))
        return [(row.created_at, row.id) for row in await self._session.execute(statement)]
