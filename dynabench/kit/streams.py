"""Server-sent events: what somebody watches, told anew whenever it has changed.

A stream reads the newest state of what it shows and sends it where it differs from what was
sent last. It reads again when the database tells of a change and, whatever happens, at every
tick; a tick is sent too, so that both sides notice a dead line.
"""

import asyncio
import contextlib
import time
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.sse import format_sse_event
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from dynabench.kit.actor import Actor
from dynabench.kit.db.listening import Listener, Topic
from dynabench.kit.errors import DynabenchError, LimitError, UnavailableError
from dynabench.kit.web import identify_again, provide

TICK_SECONDS = 15.0
PAUSE_SECONDS = 1.0
RETRY_MILLISECONDS = 3_000
MOST_STREAMS = 2_000
MOST_STREAMS_OF_ONE = 24
"""Windows of one person, or of everybody behind one address who is not signed in."""

TICK_EVENT = "tick"
END_EVENT = "end"

_TICK = format_sse_event(event=TICK_EVENT, data_str="{}")
_END = format_sse_event(event=END_EVENT, data_str="{}")
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


class TooManyStreamsError(LimitError):
    """A person, or this server, has as many streams open as it may have."""

    code = "streams.too_many"

    def __init__(self) -> None:
        super().__init__(
            "Too many pages that update themselves are open. Close some of them, or load this "
            "page again in a minute."
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a stream shows at one moment.

    Attributes:
        body: JSON in UTF-8.
        digest: Differs where what is shown differs; the event's id.
        is_last: Whether nothing will change any more.
    """

    body: bytes
    digest: str
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a stream watches.

    Attributes:
        event: What its events are called.
        channel: Where changes of it are told.
        subject: Returns what they are told about; asked at every tick.
        read: Returns the newest snapshot that was not read before a moment (monotonic).
        require_visible: Raises where an actor may not see it, or no longer.
    """

    event: str
    channel: str
    subject: Callable[[], Awaitable[str]]
    read: Callable[[float], Awaitable[Snapshot]]
    require_visible: Callable[[Actor], Awaitable[None]]


class EventStream(StreamingResponse):
    """Events that hold a place among the streams until they were sent.

    FastAPI's own class would have the route itself make the events; here they are refused,
    with a status of their own, before the first one is sent.

    Args:
        events: What is sent.
        status_code: The answer's status.
        leave: Gives the place back; called once, also where nothing is ever sent.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        events: AsyncIterator[bytes],
        status_code: int = 200,
        *,
        leave: Callable[[], None],
    ) -> None:
        super().__init__(events, status_code, headers=_HEADERS)
        # A response that is never started is only ever thrown away.
        self._leave = weakref.finalize(self, leave)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until they end or the reader is gone."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


class StreamHost:
    """The streams of one process: how many there are, and how they end.

    Args:
        listener: Hears what changes.
        tick_seconds: How long a stream is silent at most; then it looks again, at what it
            shows and at whether its reader may still see it.
        pause_seconds: How long a stream waits after an event before the next one.
        most: So many streams are open in this process at most.
        most_of_one: So many are of one person, or of visitors from one address.
    """

    def __init__(
        self,
        listener: Listener,
        *,
        tick_seconds: float = TICK_SECONDS,
        pause_seconds: float = PAUSE_SECONDS,
        most: int = MOST_STREAMS,
        most_of_one: int = MOST_STREAMS_OF_ONE,
    ) -> None:
        self._listener = listener
        self._tick = tick_seconds
        self._pause = pause_seconds
        self._most = most
        self._most_of_one = most_of_one
        # Whose each place is. Single steps on a dictionary only: what is thrown away may leave
        # from any thread.
        self._places: dict[object, str] = {}
        self._is_stopping = False

    @property
    def open_streams(self) -> int:
        """How many streams are open in this process."""
        return len(self._places)

    def stop(self) -> None:
        """End every stream within a second or so: the server is about to stop."""
        self._is_stopping = True
        self._listener.tell_everybody()

    async def close(self) -> None:
        """End every stream, and close the listening connection."""
        self.stop()
        await self._listener.close()

    async def respond(
        self, source: Source, *, request: Request, actor: Actor, last_id: str | None
    ) -> EventStream:
        """Return a response that streams a source to somebody for as long as they may see it.

        Args:
            source: What is watched.
            request: The request; at every tick it is asked anew who sent it.
            actor: Who that is now.
            last_id: The id of the last event that the reader has; it is not sent again.

        Raises:
            TooManyStreamsError: If there are too many streams already.
            DynabenchError: If the actor may not see it.
        """
        await source.require_visible(actor)
        host = request.client.host if request.client else ""
        whose = host if actor.user_id is None else str(actor.user_id)
        # Nothing waits between the look and the taking, so that no two take the same place.
        taken = list(self._places.values())
        if len(taken) >= self._most or taken.count(whose) >= self._most_of_one:
            raise TooManyStreamsError
        place, places = object(), self._places
        places[place] = whose
        events = self._events(source, request=request, actor=actor, sent=last_id)
        return EventStream(events, leave=lambda: _leave(places, place))

    async def _events(
        self, source: Source, *, request: Request, actor: Actor, sent: str | None
    ) -> AsyncIterator[bytes]:
        yield format_sse_event(retry=RETRY_MILLISECONDS)
        subject, topic, age = "", None, self._pause
        with contextlib.ExitStack() as hearing:
            while not self._is_stopping:
                found = subject
                with contextlib.suppress(UnavailableError):
                    found = await source.subject()
                if topic is None or found != subject:
                    hearing.close()
                    subject = found
                    topic = hearing.enter_context(self._listener.hearing(source.channel, found))
                async for snapshot in self._until_tick(source, topic, sent=sent, age=age):
                    sent = snapshot.digest
                    yield _event_of(snapshot, source.event)
                    if snapshot.is_last:
                        yield _END
                        return
                if not await _may_still_see(source, request, actor):
                    yield _END
                    return
                yield _TICK
                age = self._tick

    async def _until_tick(
        self, source: Source, topic: Topic, *, sent: str | None, age: float
    ) -> AsyncIterator[Snapshot]:
        """Yield what differs from what was sent, until the next tick is due."""
        due = time.monotonic() + self._tick
        while not self._is_stopping:
            topic.heard.clear()
            with contextlib.suppress(UnavailableError):
                snapshot = await source.read(max(topic.told_at, time.monotonic() - age))
                if snapshot.digest != sent:
                    sent = snapshot.digest
                    yield snapshot
            await asyncio.sleep(self._pause)
            # Where something was told during the pause, waiting for it would not even look
            # at the time: a busy stream would never come to its tick.
            if time.monotonic() >= due:
                return
            try:
                async with asyncio.timeout_at(_loop_time(due)):
                    await topic.heard.wait()
            except TimeoutError:
                return


def _leave(places: dict[object, str], place: object) -> None:
    places.pop(place, None)


async def _may_still_see(source: Source, request: Request, actor: Actor) -> bool:
    """Tell whether a reader is who they were, and may still see what they watch."""
    try:
        now = await identify_again(request)
        if now.user_id != actor.user_id:
            return False
        await source.require_visible(now)
    except UnavailableError:
        return True
    except DynabenchError:
        return False
    return True


def _event_of(snapshot: Snapshot, event: str) -> bytes:
    return format_sse_event(data_str=snapshot.body.decode(), event=event, id=snapshot.digest)


def _loop_time(moment: float) -> float:
    """Return a moment of the monotonic clock in the event loop's time."""
    return asyncio.get_running_loop().time() + moment - time.monotonic()


LastEventId = Annotated[
    str | None, Header(max_length=200, description="The last event that arrived, as browsers say.")
]
StreamsDep = Annotated[StreamHost, Depends(provide(StreamHost))]
