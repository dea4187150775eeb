"""How the operator's commands reach the database: the configured one, or the embedded one."""

from collections.abc import Iterator
from contextlib import contextmanager

from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.settings import Settings


@contextmanager
def connected_settings(*, is_lasting: bool = False) -> Iterator[Settings]:
    """Give this machine's settings with a database that answers.

    Without `DYNABENCH_DATABASE_URL` the embedded server of the home folder is used:
    joined where it runs, started for the time of the command where it does not.

    Args:
        is_lasting: Whether the command stays, as a worker does.
    """
    settings = Settings.from_environment()
    if settings.database_url is not None:
        yield settings
        return
    with EmbeddedPostgres(settings.home, is_lasting=is_lasting) as url:
        yield settings.model_copy(update={"database_url": url})
