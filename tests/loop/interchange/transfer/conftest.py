from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.conftest import HeldClock
from tests.factories.databases import Databases
from tests.factories.moving import Installation, installed


@pytest.fixture
def elsewhere_url(databases: Databases) -> Iterator[str]:
    """The database of another installation."""
    with databases.lend() as url:
        yield url


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
