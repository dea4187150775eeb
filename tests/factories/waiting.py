"""Waiting in tests for what other transactions come to, never for a time."""

import asyncio

import pytest
from sqlalchemy import text

from dynabench.kit.db.database import Database

# Who waits for a row or a unique value waits for a transaction, which is of no database; what
# else it holds is of one.
_WAITING = text(
    """
    SELECT count(DISTINCT waiting.pid)
      FROM pg_locks waiting
      JOIN pg_locks held ON held.pid = waiting.pid
      JOIN pg_database ON pg_database.oid = held.database
     WHERE NOT waiting.granted AND datname = current_database()
    """
)


async def until_waiting(database: Database, *, count: int = 1) -> None:
    """Return once so many transactions of this database wait for others."""
    async with database.read() as session:
        for _ in range(1000):
            if (await session.execute(_WAITING)).scalar_one() >= count:
                return
            await asyncio.sleep(0.02)
    pytest.fail("Nobody waits.")
