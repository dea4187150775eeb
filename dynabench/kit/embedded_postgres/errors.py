"""Why the embedded database cannot run."""

from pathlib import Path

from dynabench.kit.errors import UnavailableError

_ELSEWHERE = "or set DYNABENCH_DATABASE_URL to a PostgreSQL server (15 or newer)"


class NoPostgresError(UnavailableError):
    """No PostgreSQL binaries are on this machine, or not of the major version needed."""

    code = "embedded_postgres.not_installed"

    def __init__(self, *, needed_major: int | None = None) -> None:
        if needed_major is None:
            message = f"No PostgreSQL was found. Install dynabench-platform[server], {_ELSEWHERE}."
        else:
            message = (
                f"The data was written by PostgreSQL {needed_major}, which is not installed. "
                "Bring it over to the version that is, with the programs of the old one: "
                "dynabench db upgrade-cluster --old-binaries FOLDER. Or install that version, "
                f"{_ELSEWHERE}."
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
