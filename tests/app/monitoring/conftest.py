"""A round that was played on an application, and what `/metrics` says of it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import httpx2
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from dynabench.kit.errors import UnavailableError
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.values import Vote
from tests.factories.examples import Stage, make_stage, make_wiring
from tests.factories.validations import vote

HERE = ("127.0.0.1", 4711)
ELSEWHERE = ("192.0.2.7", 4711)

Figures = dict[str, Metric]
Scrape = Callable[[], Awaitable[Figures]]


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    made = make_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


def browser(wiring: Wiring, *, client: tuple[str, int] = HERE) -> httpx2.AsyncClient:
    """Return a client of a new server, which has read no figure yet."""
    application = create_application(wiring, fold_in_background=False)
    transport = httpx2.ASGITransport(application, client=client)
    return httpx2.AsyncClient(transport=transport, base_url="http://localhost")


@pytest.fixture
def scrape(wiring: Wiring) -> Scrape:
    async def read() -> Figures:
        async with browser(wiring) as client:
            # An answer that is counted.
            assert (await client.get("/healthz")).status_code == 200
            answer = await client.get("/metrics")
        assert answer.status_code == 200, answer.text
        return {family.name: family for family in text_string_to_metric_families(answer.text)}

    return read


@pytest.fixture
async def stage(wiring: Wiring, clock: Clock) -> Stage:
    """Play: three attempts of which one fools, one vote, a target that is dead, a blob."""
    made = await make_stage(wiring, clock)
    examples = [await made.write(fooling=fooling) for fooling in (True, False, False)]
    await vote(made, examples[0].id, Vote.INCORRECT)
    dead = await make_stage(wiring, clock, targets=("dead",))
    with pytest.raises(UnavailableError):
        await dead.write()
    await wiring.get(FoldService).catch_up(at_once=True)
    blob = wiring.settings.blobs_folder / "one"
    blob.parent.mkdir(parents=True, exist_ok=True)
    blob.write_bytes(b"x" * 1234)
    return made


def value(figures: Figures, sample: str, **labels: str) -> float:
    """Return one sample of a scrape; it must be there."""
    found = [
        one.value
        for family in figures.values()
        for one in family.samples
        if one.name == sample and one.labels == labels
    ]
    assert len(found) == 1, f"{sample} {labels}: {found}"
    return float(found[0])
