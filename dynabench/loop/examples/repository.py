"""All SQL of examples."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    Integer,
    LargeBinary,
    Uuid,
    any_,
    bindparam,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY

from dynabench.kit.db.database import Session
from dynabench.kit.db.pipeline import (
    PlainRow,
    Prepared,
    Query,
    ask,
    json_of,
    nothing,
    numbers_of,
    send,
)
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.examples.values import (
    Fingerprint,
    Origin,
    Resemblance,
    StoredExample,
    StoredPrediction,
)
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import Arm, RoundStatus

_MAX_CANDIDATES = 50
# The first half of these locks' numbers, which keeps them apart from others' locks.
_LINE = 0x65786D70
_JSON = frozenset({"inputs", "answer", "explanations", "outputs", "probabilities", "judgement"})
_PREDICTION = tuple(field.name for field in fields(StoredPrediction))
_NOT_STORED = frozenset({"duplicate_key", "similarity_bands"})
_COLUMNS = tuple(
    column
    for column in examples.columns
    if column.name not in {"duplicate_key", "similarity_bands"}
)

_line = func.unnest(bindparam("numbers", type_=ARRAY(Integer))).column_valued("number")
_QUEUE_UP = Prepared(
    select(
        func.pg_advisory_xact_lock(literal(_LINE, type_=Integer), _line),
        select(func.set_config("enable_seqscan", "off", True)).scalar_subquery(),
    )
)
_is_same = examples.c.duplicate_key == any_(bindparam("keys", type_=ARRAY(LargeBinary)))
_shares_band = examples.c.similarity_bands.overlap(bindparam("bands", type_=ARRAY(Integer)))
_RESEMBLANCE = select(
    examples.c.id.label("example_id"),
    examples.c.annotator_id,
    examples.c.context_id,
    examples.c.round_id,
    examples.c.inputs,
    _is_same.label("is_same"),
)
# Found by key and by band before rounds are looked at: the planner takes twenty bands that
# nothing shares for a tenth of the table, and would rather read all of a round.
_alike = (
    union_all(_RESEMBLANCE.where(_is_same), _RESEMBLANCE.where(_shares_band))
    .cte("alike")
    .prefix_with("MATERIALIZED", dialect="postgresql")
)
_CANDIDATES = Prepared(
    select(
        _alike.c.example_id,
        _alike.c.annotator_id,
        _alike.c.context_id,
        _alike.c.inputs,
        _alike.c.is_same,
    )
    .where(_alike.c.round_id == any_(bindparam("round_ids", type_=ARRAY(Uuid))))
    .order_by(_alike.c.is_same.desc())
    .limit(_MAX_CANDIDATES)
)
_UNRELEASED = Prepared(
    select(rounds.c.id).where(
        rounds.c.task_id == bindparam("task_id", type_=Uuid),
        or_(rounds.c.status == RoundStatus.OPEN, rounds.c.status == RoundStatus.CLOSED),
        rounds.c.is_replay.is_(False),
    )
)
_TRIES = Prepared(
    select(func.coalesce(func.max(examples.c.attempt_number), 0).label("tries")).where(
        examples.c.round_id == bindparam("round_id", type_=Uuid),
        examples.c.annotator_id == bindparam("annotator_id", type_=Uuid),
        examples.c.context_id == bindparam("context_id", type_=Uuid),
    )
)
_ADD = Prepared(
    insert(examples).inline().values({one.name: bindparam(one.name) for one in examples.columns})
)
_ADD_PREDICTION = Prepared(
    insert(example_predictions)
    .inline()
    .values({one.name: bindparam(one.name) for one in example_predictions.columns})
)
# One array of ids keeps a statement the same for any number of them.
_IDS = bindparam("ids", type_=ARRAY(Uuid))
_EXAMPLES = Prepared(select(*_COLUMNS).where(examples.c.id == any_(_IDS)))
_PREDICTIONS = Prepared(
    select(example_predictions)
    .where(example_predictions.c.example_id == any_(_IDS))
    .order_by(example_predictions.c.example_id, example_predictions.c.position)
)


class Reading:
    """The queries that read attempts, to be sent alone or with others."""

    def __init__(self, example_ids: Sequence[UUID]) -> None:
        ids = list(example_ids)
        self._predictions = _PREDICTIONS.with_values(_predictions_of, ids=ids)
        self._rows = _EXAMPLES.with_values(list, ids=ids)
        self.queries = (self._predictions, self._rows)

    def found(self) -> dict[UUID, StoredExample]:
        """Return the attempts that are there, by id; only after the trip."""
        return {
            row["id"]: StoredExample(
                **{**row, "origin": Origin(row["origin"]), "arm": Arm(row["arm"])},
                predictions=tuple(self._predictions.result.get(row["id"], ())),
            )
            for row in self._rows.result
        }


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
        await send(self._session, *adding(example, duplicate_key=duplicate_key, bands=bands))

    async def get(self, example_id: UUID, *, lock: bool = False) -> StoredExample | None:
        """Return an attempt by its id; locked until the transaction ends if asked."""
        if lock:
            one = select(examples.c.id).where(examples.c.id == example_id)
            # Votes that name the attempt need not wait.
            await self._session.execute(one.with_for_update(key_share=True))
        found = await self.get_many([example_id])
        return found[0] if found else None

    async def get_many(self, example_ids: Sequence[UUID]) -> list[StoredExample]:
        """Return attempts in the order of the ids; unknown ids are left out."""
        if not example_ids:
            return []
        reading = Reading(example_ids)
        await send(self._session, *reading.queries)
        found = reading.found()
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

    async def change_predictions(self, example: StoredExample) -> None:
        """Write which answers are wrong, and what judge and author say of each."""
        for position, prediction in enumerate(example.predictions):
            await self._session.execute(
                update(example_predictions)
                .where(
                    example_predictions.c.example_id == example.id,
                    example_predictions.c.position == position,
                )
                .values(is_wrong=prediction.is_wrong, judgement=prediction.judgement)
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


def queueing_up(numbers: Collection[int]) -> Query[None]:
    """Return the query that waits for every transaction that stores something alike.

    Numbers stand for what two attempts may share: a band, a text with its answer, a
    person's tries on a context. Everybody takes them in one order, so nobody deadlocks;
    what those before stored is seen by the statements that come after.

    The same statement has the planner look things up by index from here on.
    """
    return _QUEUE_UP.with_values(nothing, numbers=numbers_of(sorted(numbers)))


def finding_candidates(fingerprints: Sequence[Fingerprint]) -> Query[list[Resemblance]]:
    """Return the query for earlier examples of some rounds that share a key or a MinHash band.

    Bands are hashed with the round's id, so one index serves all rounds; the few examples
    of other rounds that collide are left out by it.
    """
    return _CANDIDATES.with_values(
        lambda rows: [Resemblance(**row) for row in rows],
        round_ids=[one.round_id for one in fingerprints],
        keys=[one.key for one in fingerprints],
        bands=numbers_of(band for one in fingerprints for band in one.bands),
    )


def finding_unreleased(task_id: UUID) -> Query[list[UUID]]:
    """Return the query for the rounds of a task that collected here and are not released."""
    return _UNRELEASED.with_values(lambda rows: [row["id"] for row in rows], task_id=task_id)


def counting_tries(*, round_id: UUID, annotator_id: UUID, context_id: UUID) -> Query[int]:
    """Return the query for the number of an annotator's last attempt on a context."""
    return _TRIES.with_values(
        lambda rows: int(rows[0]["tries"]),
        round_id=round_id,
        annotator_id=annotator_id,
        context_id=context_id,
    )


def adding(
    example: StoredExample, *, duplicate_key: bytes | None, bands: Sequence[int]
) -> list[Query[None]]:
    """Return the queries that store an attempt and what the targets answered."""
    names = [one.name for one in examples.columns if one.name not in _NOT_STORED]
    stored = _ADD.with_values(
        nothing,
        **{name: _value(name, getattr(example, name)) for name in names},
        duplicate_key=duplicate_key,
        similarity_bands=numbers_of(bands),
    )
    answers = [
        _ADD_PREDICTION.with_values(
            nothing,
            example_id=example.id,
            position=position,
            **{name: _value(name, getattr(prediction, name)) for name in _PREDICTION},
        )
        for position, prediction in enumerate(example.predictions)
    ]
    return [stored, *answers]


def _value(name: str, value: object) -> object:
    return json_of(value) if name in _JSON else value


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
                judgement=row["judgement"],
            )
        )
    return found
