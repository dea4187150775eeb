"""Why a model cannot be deleted."""

from dynabench.kit.errors import ConflictError


class ModelInUseError(ConflictError):
    """A round that is not over names the model as a target."""

    code = "models.in_use"

    def __init__(self, *, name: str, round_number: int) -> None:
        super().__init__(
            f"“{name}” is a target of round {round_number}. Once that round is closed, or has "
            "another target, the model can be deleted.",
            name=name,
            round_number=round_number,
        )
