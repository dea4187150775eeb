"""How unpacking what came from outside fails."""

from dynabench.kit.errors import InvalidError


class ArchiveError(InvalidError):
    """An archive is not taken; the sentence names the entry and what is wrong with it."""

    code = "archives.refused"

    def __init__(self, *, problem: str, entry: str | None = None) -> None:
        super().__init__(problem, entry=entry)
        self.problem = problem
