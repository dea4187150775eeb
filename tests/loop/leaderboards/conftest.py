"""Services on a database of the test's own, with models that talk."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from tests.factories.chats import make_talking_wiring


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    made = make_talking_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()
