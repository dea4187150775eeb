"""Services on a database of the test's own, with targets that are easily led."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from tests.factories.examples import Stage, make_stage, make_wiring


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    made = make_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


@pytest.fixture
async def stage(wiring: Wiring, clock: Clock) -> Stage:
    return await make_stage(wiring, clock)
