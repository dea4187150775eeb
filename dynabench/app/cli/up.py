"""`dynabench up`: everything on this machine, with one command.

Imports little: this process lives as long as the product.
"""

import os
import threading
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.backups.unfinished import SET_UP
from dynabench.app.cli.output import notice, say
from dynabench.app.listening import is_answered_by, keep_address
from dynabench.app.supervisor import Supervisor
from dynabench.kit.settings import Settings

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 6.0


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(up)


def up(
    *,
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="Default: 8000.")] = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; this machine's own by default.")
    ] = None,
    home: Annotated[
        Path | None, typer.Option(file_okay=False, help="Where everything is kept.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, max=64, help="Processes for jobs.")] = 1,
    core_tasks: Annotated[
        bool, typer.Option("--core-tasks/--no-core-tasks", help="Set up the four core tasks.")
    ] = True,
) -> None:
    """Run everything: database, server and worker, until Ctrl-C."""
    settings = Settings.from_environment(
        dict(os.environ) | _given(DYNABENCH_PORT=port, DYNABENCH_HOST=host, DYNABENCH_HOME=home)
    )
    supervisor = Supervisor(settings, workers=workers, say=notice, with_core_tasks=core_tasks)
    watch = ReadyWatch(settings, instance=supervisor.instance)
    watch.start()
    try:
        status = supervisor.run()
    finally:
        watch.stop()
    raise typer.Exit(status)


class ReadyWatch:
    """Tells the address and how to sign in, once the server answers that it is ready."""

    def __init__(self, settings: Settings, *, instance: str) -> None:
        self._settings = settings
        self._instance = instance
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="ready-watch", daemon=True)

    def start(self) -> None:
        """Begin to ask."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._stopping.set()
        self._thread.join(timeout=_PATIENCE_SECONDS)

    def _watch(self) -> None:
        while not self._stopping.wait(_POLL_SECONDS):
            if is_answered_by(self._settings, self._instance, path="/readyz"):
                self._tell()
                return

    def _tell(self) -> None:
        keep_address(self._settings)
        say(f"\nDynabench is at {self._settings.base_url}")
        password = self._settings.home / SET_UP
        if password.exists():
            say(f"Sign in as admin with the password in {password}")
        else:
            say("Sign in with your account; a new password: dynabench user reset-password NAME")
        if self._settings.sign_up_note is not None:
            say(self._settings.sign_up_note)
        notice("Ctrl-C stops it; everything is kept for the next start.")


def _given(**values: object) -> dict[str, str]:
    """Return the variables of the options that were given."""
    return {name: str(value) for name, value in values.items() if value is not None}
