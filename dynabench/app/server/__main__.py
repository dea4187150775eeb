"""The web server's process: `python -m dynabench.app.server`."""

import contextlib
import gc
import sys

import structlog
import uvicorn

from dynabench.app.backups.unfinished import in_use
from dynabench.app.server.connections import LimitedProtocol, connection_limits
from dynabench.app.server.factory import create_application
from dynabench.app.server.serving import Server
from dynabench.app.starting import require_usable, run_process
from dynabench.app.wiring import wire
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings

# A request makes thousands of objects, nearly all gone with it: look for circles less often.
_YOUNG_OBJECTS = 20_000


def main() -> int:
    """Serve until told to stop; returns the exit status for the shell."""
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    with in_use(settings.home):
        return _serve(settings)


def _serve(settings: Settings) -> int:
    require_usable(settings)
    if settings.sign_up_note is not None:
        structlog.get_logger(__name__).warning("accounts_by_invitation", note=settings.sign_up_note)
    application = create_application(wire(settings))
    # What is loaded by now stays; the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        log_level="warning",
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies) or None,
        timeout_graceful_shutdown=5,
        # Annotators think for longer than the default five seconds.
        timeout_keep_alive=75,
        server_header=False,
        http=LimitedProtocol,
        ws="none",
    )
    server = Server(application, config, limits=connection_limits(settings))
    with contextlib.suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else 3


if __name__ == "__main__":
    sys.exit(run_process(main))
