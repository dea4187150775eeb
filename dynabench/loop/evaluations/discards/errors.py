"""Why a dataset cannot be deleted."""

from dynabench.kit.errors import ConflictError


class DatasetInUseError(ConflictError):
    """A dataset was released, or something was made of it, so it stays."""

    code = "datasets.in_use"

    def __init__(self, *, name: str, reason: str) -> None:
        super().__init__(
            f"“{name}” stays: {reason} Hide it, or upload a new version in its place.", name=name
        )
