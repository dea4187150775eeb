"""Addresses of the people and programs that send requests."""

import ipaddress
from collections.abc import Iterable
from functools import lru_cache

LOOPBACK = ("127.0.0.0/8", "::1")

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
# What one household or one rented machine gets: whoever has one address of it has them all.
_IPV6_SHARED_BITS = 64


class AddressSet:
    """Addresses and networks, each as in `192.0.2.7` or `192.0.2.0/24`.

    Raises:
        ValueError: If one of them is neither.
    """

    def __init__(self, entries: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(entry, strict=False) for entry in entries]

    def __contains__(self, host: object) -> bool:
        """Tell whether an address belongs to it; a name never does."""
        address = _parse(host) if isinstance(host, str) else None
        if address is None:
            return False
        return any(
            address in network for network in self._networks if network.version == address.version
        )


@lru_cache(maxsize=4096)
def address_group(host: str) -> str:
    """Return what counts as one sender: an IPv4 address, or the /64 of an IPv6 address.

    Example:
        >>> address_group("2001:db8:1:2:3::4") == address_group("2001:db8:1:2::9")
        True
    """
    address = _parse(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(address), _IPV6_SHARED_BITS), strict=False))
    return host if address is None else str(address)


@lru_cache(maxsize=4096)
def _parse(host: str) -> _Address | None:
    """Return an address; one of IPv4 that is written as IPv6 is the IPv4 one."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address
