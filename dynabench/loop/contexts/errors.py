"""What can go wrong with contexts."""

from dynabench.kit.errors import InvalidError, NotFoundError


class ContextNotFoundError(NotFoundError):
    """There is no such context in this task."""

    code = "contexts.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such context in this task.")


class ContextFileError(InvalidError):
    """Lines of an uploaded file are wrong; nothing of it was stored."""

    code = "contexts.file_invalid"

    def __init__(self, *, problems: list[dict[str, object]], more: int = 0) -> None:
        first = problems[0]
        super().__init__(
            f"Line {first['line']}: {first['message']} Nothing was stored; "
            "correct the file and send it again.",
            problems=problems,
            more=more,
        )
