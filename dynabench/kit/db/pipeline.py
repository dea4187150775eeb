"""Statements that travel together, for the paths that people wait for.

Elsewhere a statement is sent when it is written, and answered before the next one is. Where
a dozen are needed for one click that is a dozen round trips, and most of the time goes into
building statements that are always the same. Here they are compiled once and sent in one
trip (libpq's pipeline mode); each still has its own snapshot and sees what those before it
did.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

import orjson
import psycopg
from psycopg.abc import PQGen
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb
from sqlalchemy import Executable
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.sql.elements import CompilerElement

from dynabench.kit.db.database import Session

ResultT = TypeVar("ResultT")

# What a column holds is known to whoever reads it, not to the row.
PlainRow: TypeAlias = dict[str, Any]
Reader: TypeAlias = Callable[[Sequence[PlainRow]], ResultT]

# SQLAlchemy leaves the constructors of its dialects untyped.
_DIALECT = PGDialect_psycopg()  # type: ignore[no-untyped-call]


def nothing(rows: Sequence[PlainRow]) -> None:
    """Read no rows: what a statement is for that only writes."""
    del rows


def numbers_of(values: Iterable[int]) -> str:
    """Return whole numbers as an ARRAY column takes them.

    The driver would call a function for each of them.
    """
    return f"{{{','.join(map(str, values))}}}"


def json_of(value: object) -> Jsonb | None:
    """Return a value as a JSONB column takes it; None is NULL."""
    return None if value is None else Jsonb(value, dumps=orjson.dumps)


class Prepared:
    """A statement whose text is compiled once.

    Values are named by its `bindparam`s and given as the driver takes them: enums and
    times as they are, JSON through `json_of`, many numbers through `numbers_of`.
    """

    def __init__(self, statement: Executable) -> None:
        assert isinstance(statement, CompilerElement)
        compiled = statement.compile(dialect=_DIALECT)
        self._text = str(compiled).encode()
        self._defaults = {
            name: value for name, value in dict(compiled.params).items() if value is not None
        }

    def with_values(self, read: Reader[ResultT], /, **values: object) -> "Query[ResultT]":
        """Return the statement with its values, and how its rows are read."""
        return Query(self._text, self._defaults | values, read)


class Query(Generic[ResultT]):
    """A statement that is ready to go, and the place of its result."""

    __slots__ = ("_read", "_result", "text", "values")

    def __init__(self, text: bytes, values: dict[str, object], read: Reader[ResultT]) -> None:
        self.text = text
        self.values = values
        self._read = read
        self._result: list[ResultT] = []

    def take(self, rows: Sequence[PlainRow]) -> None:
        """Keep what the rows say."""
        self._result = [self._read(rows)]

    @property
    def result(self) -> ResultT:
        """What the rows said; only after the trip."""
        return self._result[0]


async def send(session: Session, *queries: "Query[Any]") -> None:
    """Send statements in one trip and give each its rows.

    An error in one undoes the transaction, like everywhere; those after it are not done.
    Where there is no transaction to undo, the connection is given up with it: the driver
    takes the statements that it meant to prepare after the error for prepared, and would
    fail on each of them from then on. A rollback makes it forget that.

    Raises:
        psycopg.Error: What the database says; `Database` turns the loss of it into a
            sentence.
    """
    # A session that is open has its connection; nothing is waited for here.
    assert session.sync_connection is not None
    connection = session.sync_connection.connection.driver_connection
    assert isinstance(connection, psycopg.AsyncConnection)
    if len(queries) == 1:
        await _send_alone(connection, queries[0])
        return
    cursors = []
    try:
        async with connection.pipeline() as pipeline:
            # The driver's own way of sending, replaced on this one trip; were it to call it
            # something else one day, each statement would be sent by itself again.
            pipeline._communicate_gen = partial(_hold_back, pipeline)  # type: ignore[method-assign]  # noqa: SLF001
            for query in queries:
                cursor = connection.cursor(row_factory=dict_row)
                cursors.append(await cursor.execute(query.text, query.values))
    except BaseException:
        if connection.autocommit:
            await session.invalidate()
        raise
    for query, cursor in zip(queries, cursors, strict=True):
        query.take(await _rows(cursor))


def _hold_back(pipeline: psycopg.AsyncPipeline) -> PQGen[None]:
    """Put what is queued into the connection's buffer, which the end of the trip sends.

    The driver would hand the database each statement by itself: a system call and a
    change of processes for each, while the locks of the first are held already.
    """
    while pipeline.command_queue:
        pipeline.command_queue.popleft()()
    yield from ()


async def _send_alone(connection: "psycopg.AsyncConnection[Any]", query: "Query[Any]") -> None:
    cursor = connection.cursor(row_factory=dict_row)
    await cursor.execute(query.text, query.values)
    query.take(await _rows(cursor))


async def _rows(cursor: "psycopg.AsyncCursor[PlainRow]") -> Sequence[PlainRow]:
    """Return what a statement answered; one that gives no rows has no row number."""
    return () if cursor.rownumber is None else await cursor.fetchall()


async def ask(session: Session, query: Query[ResultT]) -> ResultT:
    """Send one statement and return its result."""
    await send(session, query)
    return query.result
