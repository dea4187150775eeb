"""The web server's process: `python -m dynabench.app.server`."""

import sys

import uvicorn

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import wire
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings


def main() -> int:
    """Serve until told to stop; returns the exit status for the shell."""
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    uvicorn.run(
        create_application(wire(settings)),
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
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
