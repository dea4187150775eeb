"""All SQL of examples."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Integer, Row, Uuid, any_, func, insert, literal, or_, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from dynabench.kit.db.database import Session
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.examples.values import Resemblance, StoredExample, StoredPrediction

_MAX_CANDIDATES = 50
# The first half of these locks' numbers, which keeps them apart from others' locks.
_LINE = 0x65786D70
_UUIDS = ARRAY(Uuid)
_COLUMNS = tuple(
    column
    for column in examples.columns
    if column.name not in {"duplicate_key", "similarity_bands"}
)


# SQLAlchemy types a row of chosen columns as Row[Any].
def _example_of(row: Row[Any], predictions: Sequence[StoredPrediction]) -> StoredExample:
    return StoredExample(**row._mapping, predictions=tuple(predictions))  # noqa: SLF001


def _prediction_of(row: Row[Any]) -> StoredPrediction:
    return StoredPrediction(
        model_id=row.model_id,
        outputs=row.outputs,
        probabilities=row.probabilities,
        is_wrong=row.is_wrong,
        latency_ms=row.latency_ms,
    )


class ExampleRepository:
    """Reads and writes attempts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def queue_up(self, numbers: Collection[int]) -> None:
        """Wait for every transaction that stores something alike, until this one ends.

        Numbers stand for what two attempts may share: a band, a text with its answer, a
        person's tries on a context. Everybody takes them in one order, so nobody deadlocks;
        what those before stored is seen by the statements that come after.

        The same statement has the planner look things up by index from here on: it takes
        twenty bands that nothing shares for a tenth of the table, and would read all of it.
        """
        line = func.unnest(literal(sorted(numbers), type_=ARRAY(Integer))).column_valued("number")
        by_index = select(func.set_config("enable_seqscan", "off", True)).scalar_subquery()
        await self._session.execute(select(func.pg_advisory_xact_lock(_LINE, line), by_index))

    async def candidates(
        self, *, round_id: UUID, duplicate_key: bytes, bands: Sequence[int]
    ) -> list[Resemblance]:
        """Return earlier examples of the round that share the key or a MinHash band.

        Bands are hashed with the round's id, so one index serves all rounds; the few
        examples of other rounds that collide are left out here.
        """
        is_same = examples.c.duplicate_key == duplicate_key
        near = examples.c.similarity_bands.overlap(literal(list(bands), type_=ARRAY(Integer)))
        statement = (
            select(
                examples.c.id,
                examples.c.annotator_id,
                examples.c.context_id,
                examples.c.inputs,
                is_same.label("is_same"),
            )
            .where(or_(is_same, near) if bands else is_same)
            .where(examples.c.round_id == round_id)
            .limit(_MAX_CANDIDATES)
        )
        return [
            Resemblance(
                example_id=row.id,
                annotator_id=row.annotator_id,
                context_id=row.context_id,
                inputs=row.inputs,
                is_same=bool(row.is_same),
            )
            for row in await self._session.execute(statement)
        ]

    async def tries(self, *, round_id: UUID, annotator_id: UUID, context_id: UUID) -> int:
        """Return the number of the annotator's last attempt on the context, 0 before one."""
        statement = select(func.coalesce(func.max(examples.c.attempt_number), 0)).where(
            examples.c.round_id == round_id,
            examples.c.annotator_id == annotator_id,
            examples.c.context_id == context_id,
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def add(
        self, example: StoredExample, *, duplicate_key: bytes | None, bands: Sequence[int]
    ) -> None:
        """Store an attempt and what the targets answered."""
        values = {column.name: getattr(example, column.name) for column in _COLUMNS}
        await self._session.execute(
            insert(examples),
            values | {"duplicate_key": duplicate_key, "similarity_bands": list(bands)},
        )
        if example.predictions:
            await self._session.execute(
                insert(example_predictions),
                [
                    {"example_id": example.id, "position": position, **asdict(prediction)}
                    for position, prediction in enumerate(example.predictions)
                ],
            )

    async def get(self, example_id: UUID, *, lock: bool = False) -> StoredExample | None:
        """Return an attempt by its id; locked until the transaction ends if asked."""
        statement = select(*_COLUMNS).where(examples.c.id == example_id)
        if lock:
            statement = statement.with_for_update(of=examples)
        row = (await self._session.execute(statement)).one_or_none()
        if row is None:
            return None
        predictions = await self._predictions([example_id])
        return _example_of(row, predictions.get(example_id, ()))

    async def get_many(self, example_ids: Sequence[UUID]) -> list[StoredExample]:
        """Return attempts in the order of the ids; unknown ids are left out."""
        if not example_ids:
            return []
        # One array parameter keeps the statement the same for any number of ids.
        wanted = examples.c.id == any_(literal(list(example_ids), type_=_UUIDS))
        rows = (await self._session.execute(select(*_COLUMNS).where(wanted))).all()
        predictions = await self._predictions(example_ids)
        found = {row.id: _example_of(row, predictions.get(row.id, ())) for row in rows}
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

    async def _predictions(
        self, example_ids: Sequence[UUID]
    ) -> Mapping[UUID, list[StoredPrediction]]:
        statement = (
            select(example_predictions)
            .where(
                example_predictions.c.example_id == any_(literal(list(example_ids), type_=_UUIDS))
            )
            .order_by(example_predictions.c.example_id, example_predictions.c.position)
        )
        found: dict[UUID, list[StoredPrediction]] = {}
        for row in await self._session.execute(statement):
            found.setdefault(row.example_id, []).append(_prediction_of(row))
        return found
