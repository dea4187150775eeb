"""The statements by which an attempt is stored, made to be sent together."""

from collections.abc import Collection, Sequence
from dataclasses import fields
from uuid import UUID

from sqlalchemy import Integer, LargeBinary, Uuid, bindparam, func, insert, literal, or_, select
from sqlalchemy.dialects.postgresql import ARRAY

from dynabench.kit.db.pipeline import PlainRow, Prepared, Query, json_of, nothing
from dynabench.loop.examples.tables import example_predictions, examples
from dynabench.loop.examples.values import Resemblance, StoredExample, StoredPrediction

_MAX_CANDIDATES = 50
# The first half of these locks' numbers, which keeps them apart from others' locks.
_LINE = 0x65786D70
_JSON = frozenset({"inputs", "answer", "explanations", "outputs", "probabilities"})
_PREDICTION = tuple(field.name for field in fields(StoredPrediction))
_NOT_STORED = frozenset({"duplicate_key", "similarity_bands"})

_line = func.unnest(bindparam("numbers", type_=ARRAY(Integer))).column_valued("number")
_QUEUE_UP = Prepared(
    select(
        func.pg_advisory_xact_lock(literal(_LINE, type_=Integer), _line),
        select(func.set_config("enable_seqscan", "off", True)).scalar_subquery(),
    )
)
_is_same = examples.c.duplicate_key == bindparam("duplicate_key", type_=LargeBinary)
_CANDIDATES = Prepared(
    select(
        examples.c.id,
        examples.c.annotator_id,
        examples.c.context_id,
        examples.c.inputs,
        _is_same.label("is_same"),
    )
    .where(
        or_(_is_same, examples.c.similarity_bands.overlap(bindparam("bands", type_=ARRAY(Integer))))
    )
    .where(examples.c.round_id == bindparam("round_id", type_=Uuid))
    .limit(_MAX_CANDIDATES)
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


def queueing_up(numbers: Collection[int]) -> Query[None]:
    """Return the query that waits for every transaction that stores something alike.

    Numbers stand for what two attempts may share: a band, a text with its answer, a
    person's tries on a context. Everybody takes them in one order, so nobody deadlocks;
    what those before stored is seen by the statements that come after.

    The same statement has the planner look things up by index from here on: it takes
    twenty bands that nothing shares for a tenth of the table, and would read all of it.
    """
    return _QUEUE_UP.with_values(nothing, numbers=sorted(numbers))


def finding_candidates(
    *, round_id: UUID, duplicate_key: bytes, bands: Sequence[int]
) -> Query[list[Resemblance]]:
    """Return the query for earlier examples of the round that share the key or a MinHash band.

    Bands are hashed with the round's id, so one index serves all rounds; the few examples
    of other rounds that collide are left out by it.
    """
    return _CANDIDATES.with_values(
        lambda rows: [Resemblance(**row) for row in _renamed(rows)],
        round_id=round_id,
        duplicate_key=duplicate_key,
        bands=list(bands),
    )


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
        similarity_bands=list(bands),
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


def _renamed(rows: Sequence[PlainRow]) -> list[PlainRow]:
    return [
        {("example_id" if name == "id" else name): value for name, value in row.items()}
        for row in rows
    ]
