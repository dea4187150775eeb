"""Fetching a file from an address that somebody else wrote: guarded, bounded, to the point."""

import asyncio
from pathlib import Path

import anyio
import httpx2

from dynabench.engines.inference.errors import AddressRefusedError
from dynabench.engines.inference.guard import GuardedTransport
from dynabench.engines.media.errors import MediaFetchError
from dynabench.engines.media.formats import MAX_MEDIA_BYTES

_MAX_HOPS = 4
_MAX_URL_LENGTH = 2_048
_SECONDS = 20.0
_AT_ONCE = 16
_OK = 200
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
# Identity only: what is counted on the way in is what lands on the disk.
_HEADERS = {"accept": "image/*, audio/*", "accept-encoding": "identity", "user-agent": "dynabench"}


class MediaFetcher:
    """Fetches files. Every address is checked as it is called, also those redirected to.

    Args:
        allowed_hosts: Private hosts that the operator lets files come from.
        max_bytes: How much of an answer is read.
        timeout_seconds: How long one file may take, redirects and all.
    """

    def __init__(
        self,
        *,
        allowed_hosts: frozenset[str] = frozenset(),
        max_bytes: int = MAX_MEDIA_BYTES,
        timeout_seconds: float = _SECONDS,
    ) -> None:
        self._allowed_hosts = allowed_hosts
        self._max_bytes = max_bytes
        self._timeout_seconds = timeout_seconds
        # Whatever people ask for, this server is no crowd before anybody's door.
        self._places = asyncio.Semaphore(_AT_ONCE)

    async def fetch(self, url: str, to: Path) -> None:
        """Write what lies at an address to a file.

        Raises:
            MediaFetchError: If it cannot be had; the sentence says why.
        """
        if len(url) > _MAX_URL_LENGTH:
            raise MediaFetchError(url=url, reason="the address is too long.")
        try:
            async with self._places, asyncio.timeout(self._timeout_seconds):
                await self._follow(url, to)
        except TimeoutError:
            reason = f"it did not arrive within {self._timeout_seconds:g} seconds."
            raise MediaFetchError(url=url, reason=reason) from None
        except AddressRefusedError as error:
            # The server's own sentence would tell what a private name resolves to.
            reason = "only public http:// and https:// addresses without a password are fetched."
            raise MediaFetchError(url=url, reason=reason) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError, OSError) as error:
            raise MediaFetchError(url=url, reason="its server cannot be reached.") from error

    async def _follow(self, url: str, to: Path) -> None:
        where = httpx2.URL(url)
        for _ in range(_MAX_HOPS):
            following = await self._take(where, to, asked=url)
            if following is None:
                return
            where = following
        raise MediaFetchError(url=url, reason="it redirects too often.")

    async def _take(self, where: httpx2.URL, to: Path, *, asked: str) -> httpx2.URL | None:
        """Write the answer of one address, or return the address that it names instead."""
        transport = GuardedTransport(allowed_hosts=self._allowed_hosts)
        async with (
            httpx2.AsyncClient(
                transport=transport,
                timeout=self._timeout_seconds,
                follow_redirects=False,
                headers=_HEADERS,
            ) as client,
            client.stream("GET", where) as response,
        ):
            if response.status_code in _REDIRECTS and "location" in response.headers:
                return where.join(response.headers["location"])
            if response.status_code != _OK:
                reason = f"its server answered {response.status_code}."
                raise MediaFetchError(url=asked, reason=reason)
            received = 0
            async with await anyio.open_file(to, "wb") as file:
                async for chunk in response.aiter_raw():
                    received += len(chunk)
                    if received > self._max_bytes:
                        limit = self._max_bytes // 1024 // 1024
                        raise MediaFetchError(url=asked, reason=f"it is larger than {limit} MB.")
                    await file.write(chunk)
        return None
