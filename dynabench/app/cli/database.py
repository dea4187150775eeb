"""How the operator's commands reach the database: the configured one, or the embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynabench.app.backups.unfinished import require_database, require_whole
from dynabench.app.cli.output import notice
from dynabench.kit.asking import Asking, asked_by
from dynabench.kit.db.database import DatabaseUnavailableError
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.folders import has_cluster
from dynabench.kit.errors import NotFoundError, UnavailableError
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings
from dynabench.migrations.start import require_schema

OPERATOR = Asking(name="operator")
"""Who types a command on the machine of the installation."""


class NoInstallationError(NotFoundError):
    """A command about what is there already was typed where nothing is."""

    code = "cli.no_installation"

    def __init__(self, *, home: Path) -> None:
        super().__init__(
            f"There is no installation in {home}. Say where yours is with "
            "DYNABENCH_HOME=FOLDER, or start a new one: dynabench up. What this machine has: "
            "dynabench doctor",
            home=str(home),
        )


class OwnDatabaseError(UnavailableError):
    """The database of this machine's installation does not answer a command."""

    code = "cli.database_unavailable"

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"The database in {where} does not answer. See what is wrong with it: dynabench doctor",
            where=where,
        )


@contextmanager
def telling_of_doctor(settings: Settings) -> Iterator[None]:
    """Name the command that finds out why a database does not answer.

    Raises:
        OwnDatabaseError: If it does not.
    """
    try:
        yield
    except DatabaseUnavailableError as error:
        where = "DYNABENCH_DATABASE_URL" if settings.database_url else str(settings.home)
        raise OwnDatabaseError(where=where) from error


@contextmanager
def connected_settings(
    *, is_lasting: bool = False, may_be_new: bool = False, has_any_schema: bool = False
) -> Iterator[Settings]:
    """Give this machine's settings with a database that answers.

    Log lines go to standard error from here on: standard output is the command's answer.

    Without `DYNABENCH_DATABASE_URL` the embedded server of the home folder is used:
    joined where it runs, started for the time of the command where it does not.

    Args:
        is_lasting: Whether the command stays, as a worker does.
        may_be_new: Whether an empty database is made where there is none. The command itself
            looks at the schema then, or brings it up to date.
        has_any_schema: Whether the command works with older schemas too.

    Raises:
        NoInstallationError: If there is none, and none may be made.
        DatabaseGoneError: If it was set up, and its data is not where it would lie.
        ClusterClosedError, TwoClustersError: If its data cannot be reached, or lies in two places.
        OwnDatabaseError: If the database does not answer what the command asks.
        SchemaBehindError, SchemaUnknownError: If the schema is not this code's, and must be.
        RestoreUnfinishedError: If a restore into its home runs or was interrupted.
    """
    settings = Settings.from_environment()
    require_whole(settings.home)
    require_database(settings)
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    if settings.database_url is not None:
        with asked_by(OPERATOR), telling_of_doctor(settings):
            if not (may_be_new or has_any_schema):
                require_schema(settings.database_url)
            yield settings
        return
    if not may_be_new and not has_cluster(settings.home):
        raise NoInstallationError(home=settings.home)
    notice(f"The installation in {settings.home}:")
    with (
        EmbeddedPostgres(settings.home, is_lasting=is_lasting) as url,
        asked_by(OPERATOR),
        telling_of_doctor(settings),
    ):
        if not (may_be_new or has_any_schema):
            require_schema(url)
        yield settings.model_copy(update={"database_url": url})
