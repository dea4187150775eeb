"""What can go wrong with a task that moves."""

from dynabench.kit.errors import ConflictError, InvalidError, LimitError, UnavailableError


class TaskFileError(InvalidError):
    """The file of a task cannot be used, from some line of one of its parts on."""

    code = "interchange.task_file_unusable"

    def __init__(
        self, reason: str, *, part: str | None = None, line: int | None = None, field: str = ""
    ) -> None:
        where = ", ".join(
            one for one in (part or "", "" if line is None else f"line {line:,}", field) if one
        )
        message = f"The task's file cannot be used. {where}: {reason}"
        if not where:
            message = f"The task's file cannot be used. {reason}"
        super().__init__(message, part=part, line=line, field=field or None)


class NewerTaskFileError(InvalidError):
    """The file of a task was written by a later version, in a form that is not known here."""

    code = "interchange.task_file_newer"

    def __init__(self, *, version: int, known: int) -> None:
        super().__init__(
            f"The file is of format version {version}, and this installation reads up to"
            f" {known}. Bring Dynabench up to date, then import it.",
            version=version,
            known=known,
        )


class ImportSlugTakenError(ConflictError):
    """A task is imported under the short name of another one."""

    code = "interchange.slug_taken"

    def __init__(self, *, slug: str) -> None:
        super().__init__(
            f"There is a task “{slug}” here already. Import it under another name with --slug.",
            slug=slug,
        )


class AlreadyHereError(ConflictError):
    """What a file holds is in this installation already."""

    code = "interchange.already_here"

    def __init__(self, *, what: str) -> None:
        super().__init__(
            f"{what} is here already: the file comes from this installation, or was imported"
            " before. To have it twice, add --copy.",
            what=what,
        )


class ExportUnderWayError(LimitError):
    """Somebody asks for a task's file while another is written for them, or sent to them."""

    code = "interchange.export_under_way"

    def __init__(self, most: int) -> None:
        super().__init__(
            "A task's file is on its way to you already. Wait until you have it, then ask for this"
            " one.",
            most=most,
        )


class TaskBusyError(UnavailableError):
    """So much is written about a task that no moment of it is whole."""

    code = "interchange.task_busy"

    def __init__(self, *, slug: str) -> None:
        super().__init__(
            f"So much is written about “{slug}” at the moment that it cannot be exported. Try"
            " again in a minute.",
            slug=slug,
        )
