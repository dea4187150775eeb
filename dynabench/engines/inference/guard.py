"""No call of the server reaches a private address, unless the operator listed the host.

The name is resolved here, every address is checked, and the connection goes to a checked
address: a name server that answers differently a moment later changes nothing.
"""

import asyncio
import ipaddress
import socket

import httpx2

from dynabench.engines.inference.errors import AddressRefusedError

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_SCHEMES = {"http": 80, "https": 443}
# Addresses that carry an IPv4 address inside: a translator on the way would unpack it.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Resolves, checks and then connects; wraps httpx2's own transport.

    `allowed_hosts` holds names or addresses as they stand in the URL, with or without
    `:port`; a listed host may resolve to anything. For one host per client: connections are
    pooled by address.
    """

    def __init__(self, *, allowed_hosts: frozenset[str] = frozenset()) -> None:
        self._allowed_hosts = allowed_hosts
        # No proxy from the environment: it would resolve the name behind our back.
        self._inner = httpx2.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request to a checked address of its host."""
        host = request.url.host
        addresses = await checked_addresses(request.url, allowed_hosts=self._allowed_hosts)
        # Certificates are checked against the name, not the address.
        request.extensions = {**request.extensions, "sni_hostname": host}
        for address in addresses[:-1]:
            request.url = request.url.copy_with(host=str(address))
            try:
                return await self._inner.handle_async_request(request)
            except httpx2.ConnectError:
                continue
        request.url = request.url.copy_with(host=str(addresses[-1]))
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._inner.aclose()


async def checked_addresses(
    url: httpx2.URL | str, *, allowed_hosts: frozenset[str] = frozenset()
) -> list[IPAddress]:
    """Resolve a URL's host and return its addresses, all of them fit to be called.

    Also for a form that takes a URL: it refuses a bad one before anything is stored.

    Raises:
        AddressRefusedError: No address at all, not http(s), no host, credentials in it, or a
            private address.
        httpx2.ConnectError: The name does not resolve.
    """
    try:
        url = httpx2.URL(url)
    except httpx2.InvalidURL as error:
        raise AddressRefusedError(url=str(url), reason="it is not an address.") from error
    shown = f"{url.scheme}://{url.host}"
    if url.scheme not in _SCHEMES or not url.host:
        raise AddressRefusedError(url=shown, reason="only http:// and https:// can be called.")
    if url.userinfo:
        raise AddressRefusedError(url=shown, reason="it must not hold a user name or password.")
    port = url.port or _SCHEMES[url.scheme]
    addresses = await _resolved(url.host, port)
    if url.host in allowed_hosts or f"{url.host}:{port}" in allowed_hosts:
        return addresses
    if not all(is_public(address) for address in addresses):
        reason = "it leads to a private or local address. An operator can allow the host."
        raise AddressRefusedError(url=shown, reason=reason)
    return addresses


async def _resolved(host: str, port: int) -> list[IPAddress]:
    try:
        return [ipaddress.ip_address(host)]
    except ValueError:
        pass
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        # A part of a name is too long or empty: no name server is asked.
        raise httpx2.ConnectError(f"{host} does not resolve") from error
    return list(dict.fromkeys(ipaddress.ip_address(item[4][0]) for item in found))


def is_public(address: IPAddress) -> bool:
    """Whether an address is on the public internet, whatever it is wrapped in."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved
