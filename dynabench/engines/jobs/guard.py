"""Who is alive among the workers: each holds an advisory lock, and takes over from the lost."""

from collections.abc import Sequence
from types import TracebackType
from typing import Self

import psycopg

from dynabench.engines.jobs.queue import WORKFLOW
from dynabench.kit.db.database import libpq_url

_OTHERS = """
    SELECT DISTINCT executor_id FROM dbos.workflow_status
    WHERE status = 'PENDING' AND name = %s AND executor_id <> %s
"""
_PENDING = """
    SELECT workflow_uuid FROM dbos.workflow_status
    WHERE status = 'PENDING' AND name = %s AND executor_id = %s
"""
_KEY = "hashtextextended('dynabench worker ' || %s, 0)"


class WorkerGuard:
    """A connection of its own that holds this worker's lock for as long as it lives.

    PostgreSQL gives the lock back when the connection is lost, however the worker ended;
    who then gets it may take the lost worker's jobs over.
    """

    def __init__(self, connection: psycopg.AsyncConnection[tuple[object, ...]], me: str) -> None:
        self._connection = connection
        self._me = me

    @classmethod
    async def hold(cls, url: str, *, executor_id: str) -> Self:
        """Connect, and wait for this worker's own lock.

        Raises:
            psycopg.Error: If the database does not answer.
        """
        connection = await psycopg.AsyncConnection.connect(
            libpq_url(url),
            autocommit=True,
            connect_timeout=10,
            application_name="dynabench worker guard",
            keepalives_idle=5,
            keepalives_interval=2,
            keepalives_count=3,
        )
        try:
            await connection.execute(f"SELECT pg_advisory_lock({_KEY})".encode(), [executor_id])
        except BaseException:
            await connection.close()
            raise
        return cls(connection, executor_id)

    async def lost_workers(self) -> Sequence[str]:
        """Return workers that have jobs in hand but not their lock, and hold it for them.

        Raises:
            psycopg.Error: If this worker's own connection, and so its lock, is lost.
        """
        rows = await (await self._connection.execute(_OTHERS, [WORKFLOW, self._me])).fetchall()
        lost = []
        for (other,) in rows:
            query = f"SELECT pg_try_advisory_lock({_KEY})".encode()
            got = await (await self._connection.execute(query, [other])).fetchone()
            if got is not None and got[0]:
                lost.append(str(other))
        return lost

    async def jobs_of(self, executor_id: str) -> list[str]:
        """Return the jobs that a worker has in hand."""
        rows = await self._connection.execute(_PENDING, [WORKFLOW, executor_id])
        return [str(row[0]) for row in await rows.fetchall()]

    async def release(self, executor_id: str) -> None:
        """Give a lost worker's lock back, once its jobs are in the queue again."""
        query = f"SELECT pg_advisory_unlock({_KEY})".encode()
        await self._connection.execute(query, [executor_id])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._connection.close()
