"""Where this installation's server listens: whether the port is free, and who answers there.

Imports little: `dynabench up` keeps it for as long as it lives.
"""

import errno
import http.client
import socket

from dynabench.kit.errors import ConflictError
from dynabench.kit.settings import Settings

INSTANCE_VARIABLE = "DYNABENCH_INSTANCE"
"""What `dynabench up` calls the server that it starts; the server says it again."""

INSTANCE_HEADER = "x-dynabench-instance"

SERVER_THREADS = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""What a server's environment says to the libraries that compute boards for it.

They would use every core for a product of milliseconds, and wait for each other whenever
these are busy: under load one thread was ten times as fast. What an operator says counts.
"""

_ANSWER_SECONDS = 5.0
_OK = 200
_LAST_PORT = 65535
# What listens everywhere is asked on this machine's own address.
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104


class PortTakenError(ConflictError):
    """The server cannot listen where it was told to."""

    code = "up.port_taken"


def require_free_port(settings: Settings) -> None:
    """Refuse to go on where the server could not listen.

    Raises:
        PortTakenError: If the port is taken, not allowed, or the address not this machine's.
    """
    host, port = settings.host, settings.port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        # As the server does: connections that have just ended do not hold the port.
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except OSError as error:
            raise PortTakenError(_reason(error, host=host, port=port), port=port) from error


def is_answered_by(settings: Settings, instance: str, *, path: str) -> bool:
    """Tell whether the server that was started as `instance` answers a path with 200.

    Another program at the address, even another Dynabench, does not know the name.
    """
    host = _EVERYWHERE.get(settings.host, settings.host)
    connection = http.client.HTTPConnection(host, settings.port, timeout=_ANSWER_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status == _OK and answer.getheader(INSTANCE_HEADER) == instance
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def keep_address(settings: Settings) -> None:
    """Note in the home folder where its server is, for commands that are typed beside it."""
    (settings.home / "address").write_text(f"{settings.base_url}\n", encoding="utf-8")


def address_of(settings: Settings) -> str:
    """Return where browsers find the server of a home.

    What the environment says counts first, then where the server was started last.
    """
    if settings.model_fields_set & {"public_url", "host", "port"}:
        return settings.base_url
    try:
        kept = (settings.home / "address").read_text(encoding="utf-8").strip()
    except OSError:
        return settings.base_url
    return kept or settings.base_url


def _reason(error: OSError, *, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < _LAST_PORT else port - 1
        return (
            f"Port {port} on {host or 'this machine'} is taken by another program (perhaps a "
            f"Dynabench that is running already). Stop that, or choose another port: "
            f"dynabench up --port {other} (with make: DYNABENCH_PORT={other} make run)."
        )
    if error.errno == errno.EACCES:
        return (
            f"This account may not listen on port {port}. Choose one from 1024 on: "
            "dynabench up --port 8000"
        )
    return (
        f"Nothing can listen on {host}, port {port}: {error.strerror or error}. "
        "Give an address of this machine: dynabench up --host 127.0.0.1"
    )
