"""`dynabench db`: the database's schema, and whether what is derived agrees with the rows."""

import asyncio

import typer

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import counted, notice, say
from dynabench.app.verify import verify
from dynabench.app.wiring import wire
from dynabench.kit.errors import ConflictError
from dynabench.kit.settings import Settings
from dynabench.migrations import run as migrations

database = typer.Typer(no_args_is_help=True, help="The database: schema, and truth of its rows.")


class SchemaBehindError(ConflictError):
    """The database's schema is not the one that this version needs."""

    code = "cli.schema_differs"


class RowsDisagreeError(ConflictError):
    """What is derived does not agree with the rows that it comes from."""

    code = "cli.rows_disagree"


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(database, name="db")


@database.command("upgrade")
def upgrade() -> None:
    """Apply the migrations that the database lacks."""
    with connected_settings(may_be_new=True) as settings:
        state = migrations.upgrade(str(settings.database_url))
    say(f"The database is at revision {state.revision or 'none'}.")


@database.command("current")
def show_current() -> None:
    """Show the database's revision and the newest one."""
    with connected_settings() as settings:
        state = migrations.current(str(settings.database_url))
    say(f"database {state.revision or 'none'}, newest {state.head or 'none'}")


@database.command("check")
def check() -> None:
    """Compare the database's tables with the code's."""
    with connected_settings() as settings:
        state = migrations.check(str(settings.database_url))
    for difference in state.differences:
        say(difference)
    if not state.is_current:
        raise SchemaBehindError(
            f"The database is at revision {state.revision or 'none'} and this version needs "
            f"{state.head or 'none'}, with {counted(len(state.differences), 'difference')}. "
            "Bring it up to date: dynabench db upgrade"
        )
    say(f"The database is at revision {state.revision}, as it should be.")


@database.command("verify")
def verify_rows() -> None:
    """Recompute everything that is derived, and tell what does not agree with the rows."""
    with connected_settings() as settings:
        found = asyncio.run(_verify(settings))
    for sentence in found:
        say(sentence)
    if found:
        raise RowsDisagreeError(f"{counted(len(found), 'derived value')} not as the rows say.")
    say("Everything that is derived agrees with its rows.")


@database.command("url")
def show_url() -> None:
    """Print the database's URL, for psql and backups, while it is running."""
    settings = Settings.from_environment()
    if settings.database_url is None:
        notice("The embedded database; it stops when Dynabench does.")
    with connected_settings() as connected:
        typer.echo(connected.database_url)


async def _verify(settings: Settings) -> list[str]:
    wiring = wire(settings, application_name="dynabench db verify")
    try:
        return await verify(wiring)
    finally:
        await wiring.close()
