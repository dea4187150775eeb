"""How isolating code, or unpacking what came with it, fails."""

from dynabench.kit.errors import InvalidError, UnavailableError


class SandboxUnavailableError(UnavailableError):
    """This machine cannot isolate other people's code; no fault of the model's."""

    code = "sandbox.unavailable"

    def __init__(self, *, reason: str) -> None:
        super().__init__(
            f"Uploaded code cannot be run here: {reason} "
            "An operator can repair this, as docs/design/sandbox.md tells."
        )
        self.reason = reason


class ArchiveError(InvalidError):
    """An archive is not taken; the sentence names the entry and what is wrong with it."""

    code = "sandbox.archive_refused"

    def __init__(self, *, problem: str, entry: str | None = None) -> None:
        super().__init__(problem, entry=entry)
        self.problem = problem
