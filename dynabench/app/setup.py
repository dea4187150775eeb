"""Brings an installation up to date: schema, first administrator, core tasks and targets.

Run by `dynabench up` in a process of its own (`python -m dynabench.app.setup`), so that
what it imports is gone again when the server starts. Every step finds out by itself
whether it has been done.
"""

import argparse
import asyncio
import os
import sys

from rich.console import Console

from dynabench.app.backups.unfinished import SET_UP
from dynabench.app.core_tasks import set_up_core_tasks
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.asking import Asking, asking
from dynabench.kit.embedded_postgres.folders import make_home
from dynabench.kit.errors import DynabenchError
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings
from dynabench.migrations.run import upgrade
from dynabench.migrations.start import require_sessions
from dynabench.people.service import PeopleService

ADMIN = "admin"


async def _first_administrator(wiring: Wiring, console: Console) -> None:
    made = await wiring.get(PeopleService).ensure_admin(ADMIN)
    if made is None:
        return
    secret_file = wiring.settings.home / SET_UP
    # Created closed to others before anything is in it.
    descriptor = os.open(secret_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(f"{made.password}\n")
    console.print(f"Made the first account: [bold]{ADMIN}[/], password in {secret_file}")


async def _run(settings: Settings, *, with_core_tasks: bool, console: Console) -> None:
    wiring = wire(settings)
    asking.set(Asking(name="installation"))
    try:
        await _first_administrator(wiring, console)
        if with_core_tasks:
            await set_up_core_tasks(wiring, console)
    finally:
        await wiring.close()


def main() -> int:
    """Set an installation up; returns the exit status for the shell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without-core-tasks", action="store_true")
    arguments = parser.parse_args()
    console = Console()
    settings = Settings.from_environment()
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    assert settings.database_url is not None, "the supervisor names the database"
    make_home(settings.home)
    try:
        require_sessions(settings.database_url)
        upgrade(settings.database_url)
        asyncio.run(
            _run(settings, with_core_tasks=not arguments.without_core_tasks, console=console)
        )
    except DynabenchError as error:
        console.print(f"[red]{error.message}[/]")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
