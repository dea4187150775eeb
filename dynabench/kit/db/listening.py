"""What other processes tell through PostgreSQL: one listening connection per process."""

import asyncio
import contextlib
import contextvars
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from psycopg import sql

from dynabench.kit.db.database import libpq_url

_PAUSE_SECONDS = 1.0
_log = logging.getLogger(__name__)


class Topic:
    """Something of which one wants to hear, such as a round; made by `Listener.hearing`."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()
        # When it was last told of (monotonic): what is read after that is new enough.
        self.told_at = float("-inf")

    def tell(self) -> None:
        """Note that it has changed, or may have."""
        self.told_at = time.monotonic()
        self.heard.set()


class Listener:
    """Hears notifications for everybody in this process.

    The connection is made when somebody first wants to hear, and made again when it is lost;
    then everybody is told, for nobody knows what was missed.

    Args:
        url: The database.
        channels: The PostgreSQL channels that are listened to.
    """

    def __init__(self, url: str, *, channels: Sequence[str]) -> None:
        self._url = libpq_url(url)
        self._channels = channels
        self._topics: dict[tuple[str, str], set[Topic]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def hearing(self, channel: str, payload: str) -> Iterator[Topic]:
        """Hear, until the block ends, whenever `payload` is told on `channel`."""
        assert channel in self._channels, "a listener is made with its channels"
        topic = Topic()
        key = (channel, payload)
        self._topics.setdefault(key, set()).add(topic)
        if self._task is None or self._task.done():
            # It listens for everybody, not for the request that happens to be the first.
            nobodys = contextvars.Context()
            self._task = asyncio.get_running_loop().create_task(self._listen(), context=nobodys)
        try:
            yield topic
        finally:
            listening = self._topics[key]
            listening.discard(topic)
            if not listening:
                del self._topics[key]

    def tell_everybody(self) -> None:
        """Have everybody look again."""
        for topics in self._topics.values():
            for topic in topics:
                topic.tell()

    async def close(self) -> None:
        """Stop listening; somebody who wants to hear again makes it begin anew."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except psycopg.Error as error:
                _log.warning("The listening connection was lost (%s).", type(error).__name__)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _listen_once(self) -> None:
        connection = await psycopg.AsyncConnection.connect(
            self._url,
            autocommit=True,
            connect_timeout=10,
            application_name="dynabench listener",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
        )
        async with connection:
            for channel in self._channels:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
            # What was told before this connection listened is lost: everybody looks again.
            self.tell_everybody()
            async for told in connection.notifies():
                for topic in self._topics.get((told.channel, told.payload), ()):
                    topic.tell()
