"""Streams of a process: how they tell of changes, who may have them and how they end."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import psycopg
import pytest
from starlette.requests import Request

from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import libpq_url
from dynabench.kit.db.listening import Listener
from dynabench.kit.errors import NotFoundError, UnavailableError
from dynabench.kit.ids import new_id
from dynabench.kit.streams import EventStream, Snapshot, Source, StreamHost, TooManyStreamsError
from dynabench.kit.web import Surroundings

pytestmark = pytest.mark.anyio

_CHANNEL = "dynabench_test"
_TICK_SECONDS = 0.3


@dataclass
class _App:
    """What a request's application provides: who is asking."""

    actor: Actor = VISITOR
    state: "_App | None" = None

    def __post_init__(self) -> None:
        self.state = self
        self.surroundings = Surroundings(services={}, identify=self._identify)

    async def _identify(self, request: Request) -> Actor:
        del request
        return self.actor


@dataclass
class _Thing:
    """Something that can be watched."""

    value: int = 1
    is_last: bool = False
    is_visible: bool = True
    is_away: bool = False
    reads: int = 0
    moments: list[float] = field(default_factory=list)

    def source(self) -> Source:
        return Source(
            event="thing",
            channel=_CHANNEL,
            subject=self._subject,
            read=self._read,
            require_visible=self._require_visible,
        )

    async def _subject(self) -> str:
        return "thing"

    async def _read(self, not_before: float) -> Snapshot:
        self.reads += 1
        self.moments.append(not_before)
        if self.is_away:
            raise UnavailableError("The database does not answer.")
        return Snapshot(
            body=str(self.value).encode(), digest=f"d{self.value}", is_last=self.is_last
        )

    async def _require_visible(self, actor: Actor) -> None:
        del actor
        if not self.is_visible:
            raise NotFoundError("There is no such thing.")


@pytest.fixture
async def host(database_url: str) -> AsyncIterator[StreamHost]:
    listener = Listener(database_url, channels=(_CHANNEL,))
    made = StreamHost(
        listener, tick_seconds=_TICK_SECONDS, pause_seconds=0.02, most=3, most_of_one=2
    )
    yield made
    await made.close()


@pytest.fixture
async def patient_host(database_url: str) -> AsyncIterator[StreamHost]:
    """One that looks again only when it is told to: its tick comes after any test."""
    listener = Listener(database_url, channels=(_CHANNEL,))
    made = StreamHost(listener, tick_seconds=600, pause_seconds=0.02)
    with listener.hearing(_CHANNEL, "something else") as topic:
        # Everybody is told once the connection listens; from here on only of what happens.
        await asyncio.wait_for(topic.heard.wait(), timeout=60)
        yield made
    await made.close()


def _request(app: _App) -> Request:
    return Request({"type": "http", "app": app, "client": ("127.0.0.1", 1), "headers": []})


async def _open(
    host: StreamHost, thing: _Thing, app: _App, *, last_id: str | None = None
) -> AsyncIterator[str]:
    response = await host.respond(
        thing.source(), request=_request(app), actor=app.actor, last_id=last_id
    )
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"
    body = response.body_iterator

    async def texts() -> AsyncIterator[str]:
        async for piece in body:
            assert isinstance(piece, bytes)
            yield piece.decode()

    return texts()


async def _next(stream: AsyncIterator[str]) -> str:
    return await asyncio.wait_for(anext(stream), timeout=60)


async def _tell(database_url: str) -> None:
    async with await psycopg.AsyncConnection.connect(
        libpq_url(database_url), autocommit=True
    ) as connection:
        await connection.execute(f"NOTIFY {_CHANNEL}, 'thing'".encode())


async def test_a_stream_begins_with_the_present_and_is_silent_while_nothing_differs(
    host: StreamHost,
) -> None:
    thing = _Thing()
    stream = await _open(host, thing, _App())
    assert "retry: 3000" in await _next(stream)
    assert await _next(stream) == "event: thing\ndata: 1\nid: d1\n\n"
    # Silence until the next tick, though it was read again.
    assert "event: tick" in await _next(stream)


async def test_a_stream_goes_on_with_what_differs_once_it_is_told_and_not_before(
    patient_host: StreamHost, database_url: str
) -> None:
    thing = _Thing()
    stream = await _open(patient_host, thing, _App())
    await _next(stream)
    await _next(stream)
    waiting = asyncio.create_task(_next(stream))
    thing.value = 2
    told_at = time.monotonic()
    await _tell(database_url)
    assert "data: 2" in await waiting
    # It was read anew: what somebody else had read before would not have done.
    assert max(thing.moments) >= told_at


async def test_what_a_reader_has_is_not_sent_again(host: StreamHost) -> None:
    stream = await _open(host, _Thing(), _App(), last_id="d1")
    await _next(stream)
    assert "event: tick" in await _next(stream)


async def test_a_database_that_is_away_ends_no_stream(host: StreamHost) -> None:
    thing = _Thing(is_away=True)
    stream = await _open(host, thing, _App())
    await _next(stream)
    assert "event: tick" in await _next(stream)
    thing.is_away = False
    assert "data: 1" in await _next(stream)


async def test_what_is_over_ends_with_its_last_state(host: StreamHost) -> None:
    stream = await _open(host, _Thing(is_last=True), _App())
    said = [piece async for piece in stream]
    assert "data: 1" in said[1]
    assert "event: end" in said[-1]


@pytest.mark.parametrize("is_signed_out", [True, False])
async def test_a_stream_ends_when_its_reader_may_no_longer_see_it(
    host: StreamHost, *, is_signed_out: bool
) -> None:
    app, thing = _App(Actor(user_id=new_id(), username="ada")), _Thing()
    stream = await _open(host, thing, app)
    await _next(stream)
    await _next(stream)
    if is_signed_out:
        app.actor = VISITOR
    else:
        thing.is_visible = False
    assert "event: end" in await _next(stream)
    with pytest.raises(StopAsyncIteration):
        await _next(stream)


async def test_a_stream_with_news_at_every_moment_still_asks_who_reads_it(
    host: StreamHost, database_url: str
) -> None:
    thing = _Thing()
    stream = await _open(host, thing, _App())

    async def tell_on() -> None:
        async with await psycopg.AsyncConnection.connect(
            libpq_url(database_url), autocommit=True
        ) as connection:
            while True:
                await connection.execute(f"NOTIFY {_CHANNEL}, 'thing'".encode())
                await asyncio.sleep(0.002)

    telling = asyncio.create_task(tell_on())
    try:
        await _next(stream)
        await _next(stream)
        thing.is_visible = False
        assert "event: end" in await _next(stream)
    finally:
        telling.cancel()


async def test_what_may_not_be_seen_is_refused_before_anything_is_sent(host: StreamHost) -> None:
    with pytest.raises(NotFoundError):
        await _open(host, _Thing(is_visible=False), _App())


async def test_nobody_has_more_streams_than_may_be(host: StreamHost) -> None:
    ada, bo = (_App(Actor(user_id=new_id(), username=name)) for name in ("ada", "bo"))

    async def serve(app: _App) -> "asyncio.Task[None]":
        response = await host.respond(
            _Thing().source(), request=_request(app), actor=app.actor, last_id=None
        )

        async def receive() -> dict[str, str]:
            await asyncio.sleep(60)
            return {"type": "http.disconnect"}

        async def send(message: object) -> None:
            del message

        task = asyncio.create_task(
            response({"type": "http"}, receive, send),
        )
        await asyncio.sleep(0.01)
        return task

    tasks = [await serve(ada), await serve(ada)]
    with pytest.raises(TooManyStreamsError):
        await serve(ada)
    tasks.append(await serve(bo))
    with pytest.raises(TooManyStreamsError):
        await serve(_App())
    assert host.open_streams == 3
    host.stop()
    await asyncio.wait_for(asyncio.gather(*tasks), timeout=60)
    assert host.open_streams == 0


async def test_a_place_is_taken_with_the_answer_and_left_by_one_that_never_starts(
    host: StreamHost,
) -> None:
    async def answer() -> EventStream:
        return await host.respond(
            _Thing().source(), request=_request(_App()), actor=VISITOR, last_id=None
        )

    answers = [await answer(), await answer()]
    with pytest.raises(TooManyStreamsError):
        await answer()
    answers.clear()
    gc.collect()
    assert host.open_streams == 0
    await answer()


async def test_a_lost_listening_connection_is_made_again_and_everybody_looks(
    patient_host: StreamHost, database_url: str
) -> None:
    thing = _Thing()
    stream = await _open(patient_host, thing, _App())
    await _next(stream)
    await _next(stream)
    waiting = asyncio.create_task(_next(stream))
    thing.value = 2
    async with await psycopg.AsyncConnection.connect(
        libpq_url(database_url), autocommit=True
    ) as connection:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'dynabench listener' AND datname = current_database()"
        )
    assert "data: 2" in await waiting
