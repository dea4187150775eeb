"""A whole server on a port of this machine, for tests of what speaks to one."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from dynabench.app.server.connections import LimitedProtocol
from dynabench.app.server.factory import create_application
from dynabench.app.server.serving import Server
from dynabench.app.wiring import wire
from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.protocol import FakeTargetModel, TargetSpec
from dynabench.kit.settings import Settings

_PATIENCE_SECONDS = 20


def _entailment(spec: TargetSpec) -> FakeTargetModel:
    """Build a target that always answers the same, and so is wrong about everything else."""
    return FakeTargetModel(
        lambda _: {"label": "entailment"}, name=spec.name, output_names=("label",)
    )


@contextmanager
def live_server(
    *,
    database_url: str,
    home: Path,
    factory: TargetFactory | None = _entailment,
    public_url: str | None = None,
) -> Iterator[str]:
    """Serve the whole API on a free port until the block ends; gives its address.

    Every target model of it answers `entailment`, unless None asks for the real ones. With
    `public_url` it believes that browsers find it there.
    """
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(128)
        port = listener.getsockname()[1]
        settings = Settings(
            database_url=database_url,
            home=home,
            port=port,
            database_pool_size=5,
            public_url=public_url,
        )
        wiring = wire(settings, factory=factory, fold_patience_seconds=0)
        application = create_application(wiring)
        server = Server(
            application,
            uvicorn.Config(
                application,
                log_config=None,
                access_log=False,
                ws="none",
                http=LimitedProtocol,
                timeout_graceful_shutdown=2,
            ),
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            _wait_until_started(server, thread)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join(timeout=_PATIENCE_SECONDS)


def _wait_until_started(server: uvicorn.Server, thread: threading.Thread) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not server.started:
        assert thread.is_alive(), "the server ended while it started"
        assert time.monotonic() < deadline, "the server did not start in time"
        time.sleep(0.01)


def free_port() -> int:
    """Return a port that nothing listens on now, for a server in a process of its own."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_until(is_so: Callable[[], bool], *, seconds: float = _PATIENCE_SECONDS) -> None:
    """Ask again and again until something is so; a test that waits in vain fails."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, f"it was not so within {seconds:g} seconds"
        time.sleep(0.1)
