"""JSON over HTTP to a model somewhere else: guarded, bounded, retried once, never redirected."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import httpx2

from dynabench.engines.inference.errors import (
    AddressRefusedError,
    TargetStatusError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.guard import GuardedTransport
from dynabench.engines.inference.outputs import AnswerProblemError
from dynabench.science.task_config.characters import without_refused

_SHOWN = 200
_OK = range(200, 300)
_REDIRECTS = range(300, 400)
_BUSY = 429


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """What the operator allows models that are reached over HTTP.

    Attributes:
        allowed_hosts: Hosts that may lie on a private address, as `host` or `host:port`.
        api_keys: Environment variable -> the only host that its value is sent to. A model
            may name no other variable: its URL could be anybody's.
        timeout_seconds: How long one call may take.
        max_response_bytes: How much of an answer is read.
    """

    allowed_hosts: frozenset[str] = frozenset()
    api_keys: Mapping[str, str] = field(default_factory=dict)
    timeout_seconds: float = 10.0
    max_response_bytes: int = 4 * 1024 * 1024


class JsonCaller:
    """Calls one server. What goes wrong is told in a sentence without secrets."""

    def __init__(
        self,
        base_url: str,
        *,
        name: str,
        settings: HttpSettings,
        api_key: str | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._name = name
        self._settings = settings
        self._api_key = api_key
        self._client: httpx2.AsyncClient | None = None

    async def call(self, method: str, path: str, body: object = None) -> object:
        """Send a request and return the JSON of its answer.

        Raises:
            TargetUnavailableError: No connection (tried twice), a refused address.
            TargetStatusError: The server answered with an error status.
            TargetTimeoutError: No answer in time.
            AnswerProblemError: The answer is no JSON, or too large.
        """
        try:
            try:
                status, content = await self._send(method, path, body)
            except (httpx2.ConnectError, httpx2.RemoteProtocolError, httpx2.ReadError):
                status, content = await self._send(method, path, body)
        except httpx2.TimeoutException as error:
            seconds = self._settings.timeout_seconds
            raise TargetTimeoutError(name=self._name, timeout_seconds=seconds) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unavailable("its server cannot be reached.") from error
        except AddressRefusedError as error:
            raise self._unavailable(error.message) from error
        if status == _BUSY:
            raise self._unavailable("its server says that it is busy.")
        if status in _REDIRECTS:
            raise self._unavailable("its server redirects elsewhere, which is not followed.")
        if status not in _OK:
            raise TargetStatusError(name=self._name, status=status, told=self._told(content))
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise AnswerProblemError("The server's answer is not JSON.") from error

    async def close(self) -> None:
        """Close the connections; the next call opens new ones."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()

    async def _send(self, method: str, path: str, body: object) -> tuple[int, bytes]:
        if self._client is None:
            self._client = self._new_client()
        limit = self._settings.max_response_bytes
        content = b"" if body is None else json.dumps(body).encode()
        url = f"{self._base_url}{path}"
        async with self._client.stream(method, url, content=content) as response:
            received = bytearray()
            async for chunk in response.aiter_bytes():
                received += chunk
                if len(received) > limit:
                    raise AnswerProblemError(
                        f"The server's answer is larger than {limit // 1024} KiB."
                    )
        return response.status_code, bytes(received)

    def _new_client(self) -> httpx2.AsyncClient:
        # Identity only: a small compressed answer must not unfold into a large one.
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        if self._api_key is not None:
            headers["authorization"] = f"Bearer {self._api_key}"
        return httpx2.AsyncClient(
            transport=GuardedTransport(allowed_hosts=self._settings.allowed_hosts),
            timeout=self._settings.timeout_seconds,
            follow_redirects=False,
            headers=headers,
        )

    def _told(self, content: bytes) -> str:
        """Return what a server says of its error, as a sentence without its end."""
        text = " ".join(_explanation(content).split())
        if self._api_key is not None:
            text = text.replace(self._api_key, "…")
        return without_refused(text[:_SHOWN]).rstrip(" .")

    def _unavailable(self, reason: str) -> TargetUnavailableError:
        return TargetUnavailableError(name=self._name, reason=reason)


def _explanation(content: bytes) -> str:
    """Return the sentence in an error answer: where servers usually put it, or all of a text."""
    text = content.decode("utf-8", "replace")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return "" if text.lstrip().startswith("<") else text
    for key in ("error", "message", "detail"):
        if isinstance(found, Mapping) and key in found:
            found = found[key]
    return found if isinstance(found, str) else ""
