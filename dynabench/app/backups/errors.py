"""Why an installation cannot be backed up or brought back."""

from pathlib import Path

from dynabench.kit.errors import ConflictError, InvalidError, UnavailableError


class FolderTakenError(ConflictError):
    """A backup was to be written where something lies already."""

    code = "backups.folder_taken"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} is there already. A backup is written to a new folder: name one that is "
            "not there yet.",
            folder=str(folder),
        )


class BackupInHomeError(ConflictError):
    """A backup lies, or would lie, in the installation that restoring it sets aside."""

    code = "backups.in_home"

    def __init__(self, folder: Path, *, home: Path) -> None:
        super().__init__(
            f"{folder} lies in {home}, which a restore empties or sets aside, and the backup with "
            "it. Keep backups elsewhere, best on another disk: move this one, or name another "
            "folder.",
            folder=str(folder),
            home=str(home),
        )


class BackupUnderWayError(ConflictError):
    """Another process writes a backup to the same folder."""

    code = "backups.under_way"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"Another process is writing a backup to {folder}. Name another folder, or wait.",
            folder=str(folder),
        )


class NothingToKeepError(ConflictError):
    """The database has no tables yet."""

    code = "backups.nothing_to_keep"

    def __init__(self) -> None:
        super().__init__("The database is empty, so there is nothing to back up yet.")


class BackupIncompleteError(InvalidError):
    """A folder is no backup, or one that was never finished."""

    code = "backups.incomplete"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"{folder} holds no whole backup: its manifest.json is missing. It is another folder, "
            "or the backup was interrupted. Choose one that was finished.",
            folder=str(folder),
        )


class BackupDamagedError(InvalidError):
    """A file of a backup is not as it was written."""

    code = "backups.damaged"

    def __init__(self, *, file: str, why: str) -> None:
        super().__init__(
            f"The backup is damaged: {file} {why}. Nothing was restored. Use another backup.",
            file=file,
        )


class BackupTooNewError(ConflictError):
    """A backup was made by newer code than this."""

    code = "backups.too_new"

    def __init__(self, *, version: str, revision: str) -> None:
        super().__init__(
            f"The backup was made by Dynabench {version}, whose database (revision {revision}) "
            "this version does not know. Install that version or a newer one.",
            version=version,
            revision=revision,
        )


class DatabaseTooOldError(ConflictError):
    """A backup comes from a newer PostgreSQL than the one that it is to go into."""

    code = "backups.database_too_old"

    def __init__(self, *, backup: int, database: int) -> None:
        super().__init__(
            f"The backup was made on PostgreSQL {backup}, and this database runs on "
            f"{database}. Restore into PostgreSQL {backup} or newer.",
            backup=backup,
            database=database,
        )


class HomeTakenError(ConflictError):
    """A backup was to be restored where an installation is."""

    code = "backups.home_taken"

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"{home} holds an installation or other files. Restore into a new folder with "
            "DYNABENCH_HOME=FOLDER, or replace what is there: dynabench restore --replace",
            home=str(home),
        )


class DatabaseTakenError(ConflictError):
    """A backup was to be restored into a database that has tables."""

    code = "backups.database_taken"

    def __init__(self) -> None:
        super().__init__(
            "The database in DYNABENCH_DATABASE_URL has tables already. Make an empty one "
            "(createdb) and name it there; the old one stays as it is."
        )


class ServerRunningError(ConflictError):
    """Something works with an installation that is to be restored or upgraded."""

    code = "backups.server_running"

    def __init__(self, *, where: str) -> None:
        super().__init__(
            f"A server, a worker or another command works with {where}. Stop it first.",
            where=where,
        )


class RowsMissingError(InvalidError):
    """A table does not have as many rows as it had when the backup was made."""

    code = "backups.rows_differ"

    def __init__(self, *, table: str, expected: int, found: int) -> None:
        super().__init__(
            f"The table {table} has {found:,} rows after the restore, and the backup names "
            f"{expected:,}. Use another backup.",
            table=table,
        )


class NotConfirmedError(InvalidError):
    """The name of what is to be replaced was typed wrongly."""

    code = "backups.not_confirmed"

    def __init__(self, *, expected: str) -> None:
        super().__init__(f"Nothing was replaced: the name is {expected}, and another was typed.")


class DatabaseGoneError(UnavailableError):
    """A home is started whose database is not where it would be."""

    code = "backups.database_gone"

    def __init__(self, home: Path, *, outside: Path) -> None:
        super().__init__(
            f"{home} belongs to an installation whose database is not here. If the home was moved "
            f"or copied, its database may lie in another folder of {outside.parent}: move that to "
            f"{outside}. If it has a database of your own, say where with "
            "DYNABENCH_DATABASE_URL. To bring a backup back: dynabench restore FOLDER --replace. "
            "To start anew, choose another folder with DYNABENCH_HOME.",
            home=str(home),
        )


class RestoreUnfinishedError(UnavailableError):
    """A process was started on an installation that is half restored."""

    code = "backups.restore_unfinished"

    def __init__(self, home: Path) -> None:
        super().__init__(
            f"A restore into {home} runs or was interrupted. Carry it out again: "
            "dynabench restore FOLDER",
            home=str(home),
        )
