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
                f"Install that version, {_ELSEWHERE}."
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
