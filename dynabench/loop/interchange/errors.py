"""What can go wrong with collections made elsewhere."""

from dynabench.kit.errors import InvalidError


class SourceFileError(InvalidError):
    """A file of a collection made elsewhere cannot be used from some line on."""

    code = "interchange.file_unusable"

    def __init__(self, *, file: str, line: int | None, field: str | None, reason: str) -> None:
        where = file if line is None else f"{file}, line {line}"
        named = where if field is None else f"{where}: {field}"
        super().__init__(
            f"{named}: {reason}",
            fields={} if field is None else {field: reason},
            file=file,
            line=line,
        )


class OutputFileError(InvalidError):
    """The derived numbers cannot be written where they were asked for."""

    code = "interchange.output_unusable"

    def __init__(self, *, file: str, reason: str) -> None:
        super().__init__(f"{file} cannot be written: {reason}.", file=file)
