"""One process's connection to PostgreSQL: transactions, reads and bounded retries."""

import asyncio
import random
import select
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Self, TypeAlias, TypeVar

import orjson
import psycopg
from sqlalchemy import URL, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    DBAPIError,
    InterfaceError,
    InvalidatePoolError,
    InvalidRequestError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from dynabench.kit.asking import asking
from dynabench.kit.errors import UnavailableError

Session: TypeAlias = AsyncConnection
ResultT = TypeVar("ResultT")

_ONE_MOMENT = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
# For this transaction alone.
_ASKED_BY = text("SELECT set_config('dynabench.asked_by', :note, true)")
_SERIALIZATION_FAILURE = "40001"
_DEADLOCK = "40P01"
_QUERY_CANCELLED = "57014"
# Connection exceptions, too many connections, and a server that starts or stops.
_CONNECTION_STATES = ("08", "53300", "57P")


class DatabaseUnavailableError(UnavailableError):
    """The database does not answer."""

    code = "database.unavailable"

    def __init__(self) -> None:
        super().__init__("The database does not answer at the moment. Try again in a few seconds.")


class DatabaseBusyError(UnavailableError):
    """The database took too long, or all of this process's connections were in use."""

    code = "database.busy"

    def __init__(self) -> None:
        super().__init__("The database is too busy at the moment. Try again in a few seconds.")


def sqlalchemy_url(url: str) -> URL:
    """Return the URL with the psycopg driver that sync and async engines share."""
    return make_url(url.replace("postgres://", "postgresql://", 1)).set(
        drivername="postgresql+psycopg"
    )


def libpq_url(url: str) -> str:
    """Return the URL as psycopg itself and libpq's tools read it."""
    return sqlalchemy_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


@dataclass(frozen=True, slots=True)
class _Block:
    """A block that is under way, and the task that it belongs to.

    Tasks started inside a block inherit its context, and must not share its connection.
    """

    session: Session
    task: "asyncio.Task[object] | None"


class Database:
    """Hands out transactions on a pool of connections.

    A service takes one transaction per use case; nobody else commits. Rows read in a
    transaction are one snapshot per statement (READ COMMITTED).
    """

    def __init__(self, engine: AsyncEngine, *, reading: AsyncEngine, url: str) -> None:
        self.url = url
        self._engine = engine
        self._reading = reading
        self._current: ContextVar[_Block | None] = ContextVar("current", default=None)

    @classmethod
    def from_url(
        cls,
        url: str,
        *,
        pool_size: int = 10,
        application_name: str = "dynabench",
        statement_timeout_seconds: float = 30,
    ) -> Self:
        """Make a pool; it connects when it is first used.

        Args:
            url: `postgresql://…`, as in `DYNABENCH_DATABASE_URL`.
            pool_size: Connections kept open. More requests than these wait for their turn,
                which on few cores is faster than letting all of them into the database.
            application_name: How the connections are called in `pg_stat_activity`.
            statement_timeout_seconds: After this long the database gives up on a statement.
        """
        options = (
            f"-c statement_timeout={int(statement_timeout_seconds * 1000)}"
            " -c idle_in_transaction_session_timeout=60000 -c timezone=UTC"
        )
        writing = _engine(url, pool_size=pool_size, name=application_name, options=options)
        # Each statement of a reader stands alone, so none needs a BEGIN and a ROLLBACK.
        reading = _engine(
            url,
            pool_size=pool_size,
            name=application_name,
            options=f"{options} -c default_transaction_read_only=on",
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
        )
        return cls(writing, reading=reading, url=url)

    @asynccontextmanager
    async def transaction(self, *, sees_one_moment: bool = False) -> AsyncIterator[Session]:
        """Open a transaction: committed once at the end of the block, rolled back if it raises.

        Args:
            sees_one_moment: Whether all its statements see the same rows.

        Raises:
            DatabaseUnavailableError: If the database does not answer.
            DatabaseBusyError: If it took too long, or no connection became free.
        """
        with _sentences():
            async with self._engine.begin() as session:
                if sees_one_moment:
                    # Nothing may come before it.
                    await session.execute(_ONE_MOMENT)
                note = asking.get()
                if note is not None:
                    await session.execute(_ASKED_BY, {"note": note.to_json()})
                with self._inside(session):
                    yield session

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Session]:
        """Lend a connection that the database itself keeps from writing; no transaction.

        Inside another block of the same task it reads through that block's connection. With
        a second one, as many requests as there are connections could each hold one and wait
        for each other's.

        Raises:
            DatabaseUnavailableError: If the database does not answer.
            DatabaseBusyError: If it took too long, or no connection became free.
        """
        block = self._current.get()
        if block is not None and block.task is asyncio.current_task():
            yield block.session
            return
        with _sentences():
            async with self._reading.connect() as session:
                with self._inside(session):
                    yield session

    @contextmanager
    def _inside(self, session: Session) -> Iterator[None]:
        before = self._current.get()
        self._current.set(_Block(session, asyncio.current_task()))
        try:
            yield
        finally:
            self._current.set(before)

    async def run(
        self, work: Callable[[Session], Awaitable[ResultT]], *, attempts: int = 4
    ) -> ResultT:
        """Run `work` in a transaction, again if it lost a race with another one.

        Serialisation failures and deadlocks are tried again after a short random pause;
        `work` must therefore do nothing outside the database.

        Raises:
            DatabaseBusyError: If the last attempt lost the race too.
        """
        for attempt in range(attempts):
            try:
                async with self.transaction() as session:
                    return await work(session)
            except DBAPIError as error:
                if _sqlstate(error) not in {_SERIALIZATION_FAILURE, _DEADLOCK}:
                    raise
            # The pause is no secret: it only spreads the contenders.
            await asyncio.sleep(random.uniform(0.002, 0.02) * 2**attempt)  # noqa: S311
        raise DatabaseBusyError

    async def close(self) -> None:
        """Close every connection; the database can be used again afterwards."""
        await self._engine.dispose()
        await self._reading.dispose()


def _engine(
    url: str, *, pool_size: int, name: str, options: str, **settings: object
) -> AsyncEngine:
    """Make a pool of connections whose death is noticed before they are used."""
    engine = create_async_engine(
        sqlalchemy_url(url),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=15,
        pool_use_lifo=True,
        json_serializer=orjson.dumps,
        json_deserializer=orjson.loads,
        # An error goes into the log: not with what people wrote, nor with their secrets.
        hide_parameters=True,
        connect_args={
            "application_name": name,
            "connect_timeout": 10,
            # A statement is prepared on the server at its second use.
            "prepare_threshold": 2,
            "options": options,
        },
        **settings,
    )
    event.listen(engine.sync_engine, "checkout", _refuse_dead_connection)
    return engine


@contextmanager
def _sentences() -> Iterator[None]:
    """Turn the loss of the database into our own errors; others pass as they are."""
    try:
        yield
    except PoolTimeoutError as error:
        raise DatabaseBusyError from error
    except InvalidRequestError as error:
        # The pool gave up after two dead connections in a row.
        if "connection is closed" in str(error):
            raise DatabaseUnavailableError from error
        raise
    except DBAPIError as error:
        state = _sqlstate(error)
        if state == _QUERY_CANCELLED:
            raise DatabaseBusyError from error
        # Without a state the failure is the driver's: it never reached a server.
        unreached = state is None and isinstance(error, OperationalError | InterfaceError)
        lost = state is not None and state.startswith(_CONNECTION_STATES)
        if error.connection_invalidated or unreached or lost:
            raise DatabaseUnavailableError from error
        raise
    except psycopg.Error as error:
        # From statements that travel together: the driver's own, in nobody's wrapping.
        if error.sqlstate == _QUERY_CANCELLED:
            raise DatabaseBusyError from error
        state = error.sqlstate
        # Without a state it never reached a server; a statement that is wrong is our mistake.
        unreached = state is None and not isinstance(error, psycopg.ProgrammingError)
        if unreached or (state is not None and state.startswith(_CONNECTION_STATES)):
            raise DatabaseUnavailableError from error
        raise


def _sqlstate(error: DBAPIError) -> str | None:
    state = getattr(error.orig, "sqlstate", None)
    return state if isinstance(state, str) else None


def _refuse_dead_connection(
    dbapi_connection: DBAPIConnection,
    record: ConnectionPoolEntry,
    proxy: PoolProxiedConnection,
) -> None:
    """Notice a closed connection before it is used, without asking the server.

    An idle connection has nothing to read; one that the server closed (restart, kill)
    reads as ended. This costs one system call where a ping would cost a round trip.
    """
    del record, proxy
    connection = dbapi_connection.driver_connection
    if connection.closed:
        # It died in somebody's hands, who had nothing to roll back that would have told.
        raise InvalidatePoolError
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN | select.POLLHUP)
    if poll.poll(0):
        raise InvalidatePoolError
