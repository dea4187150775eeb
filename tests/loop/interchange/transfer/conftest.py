from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.conftest import HeldClock
from tests.factories.moving import Installation, installed


@pytest.fixture
def elsewhere_url(database_url: str, template_database: str) -> Iterator[str]:
    """The database of another installation."""
    start, _, name = database_url.partition("?")[0].rpartition("/")
    other = f"{name}_elsewhere"
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            f'CREATE DATABASE "{other}" TEMPLATE "{template_database}" STRATEGY file_copy'.encode()
        )
        options = database_url.partition("?")[2]
        yield f"{start}/{other}" + (f"?{options}" if options else "")
        connection.execute(f'DROP DATABASE "{other}" WITH (FORCE)'.encode())


@pytest.fixture
async def here(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Installation]:
    async with installed(database_url, tmp_path / "here", clock) as installation:
        yield installation


@pytest.fixture
async def elsewhere(
    elsewhere_url: str, tmp_path: Path, clock: HeldClock
) -> AsyncIterator[Installation]:
    async with installed(elsewhere_url, tmp_path / "elsewhere", clock) as installation:
        yield installation
