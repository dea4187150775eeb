"""What can go wrong with comparing models."""

from dynabench.kit.errors import InvalidError


class ComparisonError(InvalidError):
    """Only two different models of one task can be compared."""

    code = "evaluations.not_comparable"

    def __init__(self) -> None:
        message = "Choose two different models of one task."
        super().__init__(message, fields={"right": message})
