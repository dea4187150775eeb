"""What can go wrong with datasets."""

from dynabench.kit.errors import ConflictError, NotFoundError


class DatasetNotFoundError(NotFoundError):
    """There is no such dataset version or split."""

    code = "datasets.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such dataset version or split.")


class NothingToReleaseError(ConflictError):
    """A round has no example that could be released."""

    code = "datasets.nothing_to_release"

    def __init__(self, *, reason: str) -> None:
        super().__init__(f"This round cannot be released: {reason}")
