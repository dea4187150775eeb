"""The whole application in one process: real database, fake target models, a held clock."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from pathlib import Path

import httpx2
import pytest

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    TargetModel,
    TargetSpec,
)
from dynabench.kit.clock import Clock
from dynabench.kit.settings import Settings
from dynabench.people.service import PeopleService

PASSWORD = "correct horse battery"

Browser = httpx2.AsyncClient
SignedIn = Callable[[str], Awaitable[Browser]]


def _answer(model_input: ModelInput) -> Mapping[str, object]:
    """Answer what the text says it should: the models of these stories are easily led."""
    text = str(model_input["hypothesis"])
    for label in ("entailment", "contradiction"):
        if label in text:
            return {"label": label}
    return {"label": "neutral"}


def _build(spec: TargetSpec) -> TargetModel:
    return FakeTargetModel(_answer, name=spec.name, output_names=spec.output_names)


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    settings = Settings(database_url=database_url, home=tmp_path, database_pool_size=4)
    made = wire(settings, clock=clock, factory=_build, fold_patience_seconds=0)
    yield made
    await made.close()


@pytest.fixture
def transport(wiring: Wiring) -> httpx2.ASGITransport:
    return httpx2.ASGITransport(create_application(wiring, fold_in_background=False))


@pytest.fixture
async def visitor(transport: httpx2.ASGITransport) -> AsyncIterator[Browser]:
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as one:
        yield one


@pytest.fixture
async def sign_in(wiring: Wiring, transport: httpx2.ASGITransport) -> AsyncIterator[SignedIn]:
    """Make an account and a browser that is signed in with it; `admin` administrates."""
    opened: list[Browser] = []

    async def signed_in(username: str) -> Browser:
        people = wiring.get(PeopleService)
        await people.create_user(username, password=PASSWORD, is_admin=username == "admin")
        browser = httpx2.AsyncClient(transport=transport, base_url="http://localhost")
        opened.append(browser)
        answer = await browser.post(
            "/api/v1/session", json={"username": username, "password": PASSWORD}
        )
        assert answer.status_code == 200, answer.text
        return browser

    yield signed_in
    for browser in opened:
        await browser.aclose()
