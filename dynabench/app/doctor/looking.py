"""Everything that `dynabench doctor` looks at, in its order."""

from collections.abc import Iterator
from functools import partial

from dynabench.app.backups.errors import DatabaseGoneError, RestoreUnfinishedError
from dynabench.app.backups.unfinished import require_database, require_whole
from dynabench.app.doctor import machine
from dynabench.app.doctor.database import look_at_database
from dynabench.app.doctor.risks import look_at_settings
from dynabench.app.doctor.values import Finding, looked_at, problem, warning
from dynabench.kit.embedded_postgres.embedded import EmbeddedPostgres
from dynabench.kit.embedded_postgres.errors import ClusterClosedError, TwoClustersError
from dynabench.kit.embedded_postgres.folders import has_cluster
from dynabench.kit.errors import DynabenchError
from dynabench.kit.settings import BadSettingError, Settings


def look() -> Iterator[Finding]:
    """Look at one thing after the other; each is told as soon as it was looked at."""
    yield machine.look_at_versions()
    try:
        settings = Settings.from_environment()
    except BadSettingError as error:
        yield problem("settings", error.message, do="Correct it; the rest is looked at then.")
        return
    yield machine.look_at_home(settings)
    for name, see, do in (
        ("disk", machine.look_at_disk, "Look at the disk of DYNABENCH_HOME."),
        ("blob store", machine.look_at_blobs, "Make DYNABENCH_HOME, or the bucket, writable."),
        ("open files", machine.look_at_files, "Look at ulimit -n."),
        ("sandbox", machine.look_at_sandbox, "Look again: dynabench sandbox"),
    ):
        # A home that is not there yet gets no files by being looked at.
        if name != "blob store" or settings.home.is_dir():
            yield looked_at(name, partial(see, settings), do=do)
    yield machine.look_at_page()
    yield machine.look_at_mail()
    yield from look_at_settings(settings)
    yield from _database(settings)


def _database(settings: Settings) -> Iterator[Finding]:
    """Look at the database that is named, or at the embedded one, which is started if need be.

    One that is half restored is left alone, as looking would make an empty one in its place.
    """
    try:
        require_whole(settings.home)
    except RestoreUnfinishedError as error:
        yield problem("database", error.message, do="Use the backup that it was begun with.")
        return
    if settings.database_url is not None:
        yield from look_at_database(settings.database_url)
        return
    try:
        require_database(settings)
    except DatabaseGoneError as error:
        yield problem("database", error.message, do="Do as it says; nothing was made in its place.")
        return
    if not has_cluster(settings.home):
        yield warning(
            "database",
            f"There is no installation in {settings.home}, and DYNABENCH_DATABASE_URL is not set.",
            do="Start one: dynabench up. Or say where yours is: DYNABENCH_HOME=FOLDER",
        )
        return
    embedded = EmbeddedPostgres(settings.home)
    try:
        url = embedded.start()
    except (ClusterClosedError, TwoClustersError) as error:
        yield problem("database", error.message, do="Do as it says; nothing was made in its place.")
        return
    except (DynabenchError, OSError) as error:
        says = f"The embedded PostgreSQL does not start: {getattr(error, 'message', error)}"
        yield problem("database", says, do="Read the end of its log in the home folder.")
        return
    try:
        yield from look_at_database(url)
    finally:
        embedded.stop()
