"""The two faces of the client: they carry the steps of a call out, waiting or awaiting."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import httpx2

from dynabench.client.retries import RetryPolicy, carry_out
from dynabench.client.steps import Answer, NoAnswer, Pause, Reply, Request, Steps, T
from dynabench.client.watching import SILENCE_SECONDS, Subscription
from dynabench.kit.errors import DynabenchError, InvalidError

DEFAULT_URL = "http://127.0.0.1:8000"
DEFAULT_TIMEOUT_SECONDS = 60.0
_CONNECT_SECONDS = 10.0
_PART = 206


@dataclass(frozen=True, kw_only=True)
class Connection:
    """Where a client speaks to, as whom, and how patiently.

    Attributes:
        base_url: The server's address.
        api_key: An API token (`dyb_…`); None or empty is a visitor, until `sign_in`.
        timeout_seconds: The longest silence in an answer.
        policy: When requests are repeated.
    """

    base_url: str
    api_key: str | None
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    policy: RetryPolicy = field(default_factory=RetryPolicy)

    @classmethod
    def of(
        cls, *, api_key: str | None, base_url: str | None, timeout_seconds: float, retries: int
    ) -> Self:
        """Complete what was given from `DYNABENCH_URL` and `DYNABENCH_API_KEY`.

        Raises:
            InvalidError: If the address is not one of a web server.
        """
        url = base_url or os.environ.get("DYNABENCH_URL") or DEFAULT_URL
        if not url.startswith(("http://", "https://")):
            message = f"The address “{url}” must begin with http:// or https://."
            raise InvalidError(message, fields={"base_url": message})
        return cls(
            base_url=url.rstrip("/"),
            api_key=os.environ.get("DYNABENCH_API_KEY") if api_key is None else api_key,
            timeout_seconds=timeout_seconds,
            policy=RetryPolicy(retries=retries),
        )

    @property
    def headers(self) -> dict[str, str]:
        """The headers of every request."""
        headers = {"accept": "application/json, application/problem+json, */*;q=0.5"}
        if self.api_key:
            headers["authorization"] = f"Bearer {self.api_key}"
        return headers

    @property
    def timeout(self) -> httpx2.Timeout:
        """The limits in the HTTP client's words."""
        return httpx2.Timeout(self.timeout_seconds, connect=_CONNECT_SECONDS)

    @property
    def silence(self) -> httpx2.Timeout:
        """The same where the server speaks for as long as it is listened to."""
        return httpx2.Timeout(SILENCE_SECONDS, connect=_CONNECT_SECONDS)


def _headers(request: Request) -> dict[str, str]:
    headers = dict(request.headers)
    if request.length is not None:
        headers["content-length"] = str(request.length)
    return headers


def _answer(response: httpx2.Response, *, body: bytes) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Answer(status=response.status_code, url=str(response.url), headers=headers, body=body)


def _total(response: httpx2.Response) -> int | None:
    length = response.headers.get("content-length", "")
    is_plain = "content-encoding" not in response.headers
    return int(length) if is_plain and length.isdigit() else None


def _no_answer(error: httpx2.TransportError, *, url: str) -> NoAnswer:
    """Tell what broke; only a line that never stood is sure not to have carried anything."""
    was_sent = not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout)
    return NoAnswer(url=url, reason=str(error) or type(error).__name__, was_sent=was_sent)


class SyncFace:
    """Carries calls out and returns when they are done."""

    def __init__(
        self, connection: Connection, *, transport: httpx2.BaseTransport | None = None
    ) -> None:
        self._connection = connection
        self._http = httpx2.Client(
            base_url=connection.base_url,
            headers=connection.headers,
            timeout=connection.timeout,
            transport=transport,
        )

    def run(self, steps: Steps[T]) -> T:
        """Carry a call out and return its result."""
        going = carry_out(steps, policy=self._connection.policy)
        reply: Reply = None
        while True:
            try:
                effect = going.send(reply)
            except StopIteration as done:
                result: T = done.value
                return result
            except DynabenchError as error:
                # Whoever reads it looks for their own line, not for ours.
                raise error.with_traceback(None) from error.__cause__
            if isinstance(effect, Pause):
                time.sleep(effect.seconds)
                reply = None
            else:
                reply = self._send(effect)

    def watch(self, subscription: Subscription[T]) -> Iterator[T]:
        """Yield what is watched and each new state of it; the line is made again if it breaks."""
        while not subscription.is_over:
            try:
                with self._http.stream(
                    "GET",
                    subscription.path,
                    headers=dict(subscription.headers),
                    timeout=self._connection.silence,
                ) as response:
                    if response.is_success:
                        subscription.begin()
                        for line in response.iter_lines():
                            yield from subscription.take(line)
                    else:
                        subscription.refuse(_answer(response, body=response.read()))
            except httpx2.TransportError as error:
                subscription.lose(_no_answer(error, url=self._connection.base_url))
            if not subscription.is_over:
                time.sleep(subscription.pause())

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _send(self, request: Request) -> Reply:
        try:
            with self._http.stream(
                request.method,
                request.path,
                params=dict(request.parameters),
                headers=_headers(request),
                content=None if request.body is None else request.body(),
            ) as response:
                if request.sink is None or not response.is_success:
                    return _answer(response, body=response.read())
                request.sink.start(_total(response), is_part=response.status_code == _PART)
                for piece in response.iter_bytes():
                    request.sink.write(piece)
                return _answer(response, body=b"")
        except httpx2.TransportError as error:
            return _no_answer(error, url=self._connection.base_url)


class AsyncFace:
    """Carries calls out on the event loop."""

    def __init__(
        self, connection: Connection, *, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._connection = connection
        self._http = httpx2.AsyncClient(
            base_url=connection.base_url,
            headers=connection.headers,
            timeout=connection.timeout,
            transport=transport,
        )

    async def run(self, steps: Steps[T]) -> T:
        """Carry a call out and return its result."""
        going = carry_out(steps, policy=self._connection.policy)
        reply: Reply = None
        while True:
            try:
                effect = going.send(reply)
            except StopIteration as done:
                result: T = done.value
                return result
            except DynabenchError as error:
                # Whoever reads it looks for their own line, not for ours.
                raise error.with_traceback(None) from error.__cause__
            if isinstance(effect, Pause):
                await asyncio.sleep(effect.seconds)
                reply = None
            else:
                reply = await self._send(effect)

    async def watch(self, subscription: Subscription[T]) -> AsyncIterator[T]:
        """Yield what is watched and each new state of it; the line is made again if it breaks."""
        while not subscription.is_over:
            try:
                async with self._http.stream(
                    "GET",
                    subscription.path,
                    headers=dict(subscription.headers),
                    timeout=self._connection.silence,
                ) as response:
                    if response.is_success:
                        subscription.begin()
                        async for line in response.aiter_lines():
                            for state in subscription.take(line):
                                yield state
                    else:
                        subscription.refuse(_answer(response, body=await response.aread()))
            except httpx2.TransportError as error:
                subscription.lose(_no_answer(error, url=self._connection.base_url))
            if not subscription.is_over:
                await asyncio.sleep(subscription.pause())

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _send(self, request: Request) -> Reply:
        try:
            async with self._http.stream(
                request.method,
                request.path,
                params=dict(request.parameters),
                headers=_headers(request),
                content=None if request.body is None else _awaited(request.body()),
            ) as response:
                if request.sink is None or not response.is_success:
                    return _answer(response, body=await response.aread())
                request.sink.start(_total(response), is_part=response.status_code == _PART)
                async for piece in response.aiter_bytes():
                    request.sink.write(piece)
                return _answer(response, body=b"")
        except httpx2.TransportError as error:
            return _no_answer(error, url=self._connection.base_url)


async def _awaited(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
