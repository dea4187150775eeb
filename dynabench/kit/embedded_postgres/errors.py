"""Why the embedded database cannot run."""

import shlex
from pathlib import Path

from dynabench.kit.errors import ConflictError, NotFoundError, UnavailableError

_ELSEWHERE = "or set DYNABENCH_DATABASE_URL to a PostgreSQL server (15 or newer)"


class NoPostgresError(UnavailableError):
    """No PostgreSQL binaries are on this machine, or not of the major version needed."""

    code = "embedded_postgres.not_installed"

    def __init__(self, *, needed_major: int | None = None, newest_major: int | None = None) -> None:
        if needed_major is None:
            message = f"No PostgreSQL was found. Install dynabench-platform[server], {_ELSEWHERE}."
        else:
            message = (
                f"The data was written by PostgreSQL {needed_major}, which is not installed. "
                f"Install that version, {_ELSEWHERE}."
            )
            if newest_major is not None and newest_major > needed_major:
                message += (
                    f" Or bring the data over to PostgreSQL {newest_major} with the programs of "
                    "the old version: dynabench db upgrade-cluster --old-binaries FOLDER"
                )
        super().__init__(message, needed_major=needed_major)


class PostgresFailedError(UnavailableError):
    """The embedded server did not come up."""

    code = "embedded_postgres.failed"

    def __init__(self, *, log: Path, last_lines: str) -> None:
        super().__init__(
            f"The embedded PostgreSQL did not start; its log is {log}. It ends with:\n{last_lines}",
            log=str(log),
        )


class NoAccountError(UnavailableError):
    """PostgreSQL refuses to run as root, and there is no other account to use."""

    code = "embedded_postgres.no_account"

    def __init__(self) -> None:
        super().__init__(
            "PostgreSQL does not run as root, and this machine has neither the account "
            f"'postgres' nor 'nobody'. Start as another user, {_ELSEWHERE}."
        )


class NoDumpProgramsError(UnavailableError):
    """`pg_dump` and `pg_restore` of the server's version are not on this machine."""

    code = "postgres.no_dump_programs"

    def __init__(self, *, major: int, folder: Path | None) -> None:
        where = "on this machine" if folder is None else f"in {folder}"
        super().__init__(
            f"The database runs on PostgreSQL {major}, and {where} are no pg_dump and pg_restore "
            f"of that version. Install them (Debian: postgresql-client-{major}), or name their "
            "folder with --binaries.",
            major=major,
        )


class NoClusterError(NotFoundError):
    """A home has no data of the embedded server."""

    code = "embedded_postgres.no_data"

    def __init__(self, *, home: Path) -> None:
        super().__init__(
            f"There is no embedded database in {home}. Say where yours is with "
            "DYNABENCH_HOME=FOLDER.",
            home=str(home),
        )


class ClusterClosedError(UnavailableError):
    """The data is there, and the account that the server runs as cannot reach it any more."""

    code = "embedded_postgres.closed"

    def __init__(self, *, folder: Path, do: str) -> None:
        super().__init__(
            f"The database lies in {folder}, and its server cannot reach it. {do}",
            folder=str(folder),
        )


class TwoClustersError(ConflictError):
    """A home has two databases, and only its operator knows which one is right.

    Args:
        home: The home.
        folders: Where they lie, each with the words that tell how old it is.
    """

    code = "embedded_postgres.two"

    def __init__(self, *, home: Path, folders: tuple[tuple[Path, str], tuple[Path, str]]) -> None:
        (inner, inner_age), (outer, outer_age) = folders
        unused = shlex.join([str(outer), f"{outer}.unused"])
        other = shlex.join([str(inner), f"{inner}.unused"])
        super().__init__(
            f"The installation in {home} has two databases with rows of their own: {inner} "
            f"({inner_age}) and {outer} ({outer_age}). Nothing was changed. Set the wrong one "
            f"aside: mv {unused} keeps the first, mv {other} the second.",
            home=str(home),
            folders=[str(inner), str(outer)],
        )


class ClusterInUseError(ConflictError):
    """A process uses the data that is to be brought over."""

    code = "embedded_postgres.in_use"

    def __init__(self, *, home: Path) -> None:
        super().__init__(
            f"A server, a worker or another command uses the database in {home}. Stop it first.",
            home=str(home),
        )


class ClusterNewestError(ConflictError):
    """The data is of the newest version that is installed."""

    code = "embedded_postgres.newest"

    def __init__(self, *, major: int) -> None:
        super().__init__(
            f"The data is of PostgreSQL {major}, and no newer version is installed. There is "
            "nothing to do.",
            major=major,
        )


class RowsLostError(UnavailableError):
    """Data that was brought over does not have the rows of the old data."""

    code = "embedded_postgres.rows_lost"

    def __init__(self, *, table: str) -> None:
        super().__init__(
            f"The table {table} does not have as many rows after the restore as before. Nothing "
            "was changed: the old data is still in use. Try again.",
            table=table,
        )
