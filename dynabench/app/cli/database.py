"""How the operator's commands reach the database: the configured one, or the embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dynabench.app.backups.unfinished import require_whole
from dynabench.app.cli.output import notice
from dynabench.kit.asking import Asking, asking
from dynabench.kit.embedded_postgres.embedded import OWNER_LOCK, EmbeddedPostgres
from dynabench.kit.errors import NotFoundError
from dynabench.kit.logging import configure_logging
from dynabench.kit.settings import Settings


class NoInstallationError(NotFoundError):
    """A command about what is there already was typed where nothing is."""

    code = "cli.no_installation"

    def __init__(self, *, home: Path) -> None:
        super().__init__(
            f"There is no installation in {home}. Say where yours is with "
            "DYNABENCH_HOME=FOLDER, or start a new one: dynabench up",
            home=str(home),
        )


@contextmanager
def connected_settings(*, is_lasting: bool = False, may_be_new: bool = False) -> Iterator[Settings]:
    """Give this machine's settings with a database that answers.

    Log lines go to standard error from here on: standard output is the command's answer.

    Without `DYNABENCH_DATABASE_URL` the embedded server of the home folder is used:
    joined where it runs, started for the time of the command where it does not.

    Args:
        is_lasting: Whether the command stays, as a worker does.
        may_be_new: Whether an empty database is made where there is none.

    Raises:
        NoInstallationError: If there is none, and none may be made.
        RestoreUnfinishedError: If a restore into its home runs or was interrupted.
    """
    settings = Settings.from_environment()
    require_whole(settings.home)
    asking.set(Asking(name="operator"))
    configure_logging(level=settings.log_level, as_json=settings.log_json)
    if settings.database_url is not None:
        yield settings
        return
    # Every start of the embedded server leaves its lock behind.
    if not may_be_new and not (settings.home / OWNER_LOCK).exists():
        raise NoInstallationError(home=settings.home)
    notice(f"The installation in {settings.home}:")
    with EmbeddedPostgres(settings.home, is_lasting=is_lasting) as url:
        yield settings.model_copy(update={"database_url": url})
