"""The names under which this server is asked for.

A page of another site can have its own name lead to this machine ("DNS rebinding"). Its browser
then takes what listens here for that site. So only names that are this server's are answered.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from dynabench.kit.errors import DynabenchError
from dynabench.kit.settings import Settings

_LOCAL = "localhost"
_LONGEST_SHOWN = 200


class UnknownHostError(DynabenchError):
    """The request is for a name that this server does not answer to (421)."""

    code = "request.unknown_host"

    def __init__(self, *, host: str) -> None:
        shown = host[:_LONGEST_SHOWN]
        super().__init__(
            f"This server does not answer to the name “{shown}”. Its operator can add it to "
            "DYNABENCH_ALLOWED_HOSTS.",
            host=shown,
        )


class HostNames:
    """The names that a server answers to, and every address: an address cannot be rebound.

    Args:
        names: Names without a port; `.example.org` stands for all names below that.
    """

    def __init__(self, names: frozenset[str]) -> None:
        self._names = frozenset(name.lower() for name in names if not name.startswith("."))
        self._below = tuple(name.lower() for name in names if name.startswith("."))

    @classmethod
    def of(cls, settings: Settings) -> "HostNames":
        """Return the names of an installation, by its settings."""
        names = {_LOCAL, f".{_LOCAL}", settings.host, *settings.allowed_hosts}
        if settings.public_url is not None:
            names.add(urlsplit(settings.public_url).hostname or _LOCAL)
        if not _is_loopback(settings.host):
            names.add(socket.gethostname())
        return cls(frozenset(names))

    def __contains__(self, header: object) -> bool:
        """Tell whether a `Host` header names this server; its port does not matter."""
        if not isinstance(header, str):
            return False
        host = header.lower()
        if host.startswith("["):
            return _is_address(host[1:].partition("]")[0])
        name = host.partition(":")[0].removesuffix(".")
        return name in self._names or name.endswith(self._below) or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == _LOCAL or (_is_address(host) and ipaddress.ip_address(host).is_loopback)
