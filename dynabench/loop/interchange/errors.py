"""What can go wrong with collections made elsewhere."""

from dynabench.kit.errors import ConflictError, InvalidError


class SourceFileError(InvalidError):
    """A file of a collection made elsewhere cannot be used from some line on."""

    code = "interchange.file_unusable"

    def __init__(self, *, file: str, line: int | None, field: str | None, reason: str) -> None:
        where = file if line is None else f"{file}, line {line}"
        named = where if field is None else f"{where}: {field}"
        super().__init__(f"{named}: {reason}", file=file, line=line, field=field)


class TaskSlugError(InvalidError):
    """A collection is to be replayed into a task that cannot be made under its slug."""

    code = "interchange.slug_unusable"

    def __init__(self, *, task_slug: str) -> None:
        super().__init__(
            f"“{task_slug}” cannot be a task's slug: take 2 to 64 small letters, digits and"
            " hyphens, with no hyphen first.",
            task_slug=task_slug,
        )


class TaskNeededError(InvalidError):
    """A format brings no task of its own, and the task that was named is not there."""

    code = "interchange.task_needed"

    def __init__(self, *, task_slug: str) -> None:
        which = f"There is no task “{task_slug}”" if task_slug else "This format needs a task"
        super().__init__(
            f"{which}; make it first (dynabench task create) and name it: --task SLUG.",
            task_slug=task_slug,
        )


class RoundTakenError(ConflictError):
    """The task that a collection is replayed into has collected a round of that number itself."""

    code = "interchange.round_taken"

    def __init__(self, *, task_slug: str, round_number: int) -> None:
        super().__init__(
            f"The task “{task_slug}” collected round {round_number} here; name another task to"
            " replay into.",
            task_slug=task_slug,
            round_number=round_number,
        )


class OutputFileError(InvalidError):
    """The derived numbers cannot be written where they were asked for."""

    code = "interchange.output_unusable"

    def __init__(self, *, file: str, reason: str) -> None:
        super().__init__(f"{file} cannot be written: {reason}.", file=file)
