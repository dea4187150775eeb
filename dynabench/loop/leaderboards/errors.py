"""What can go wrong with boards."""

from collections.abc import Sequence

from dynabench.kit.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError


class BoardNotFoundError(NotFoundError):
    """There is no such saved board, or the actor may not see its task."""

    code = "leaderboards.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such board.")


class BoardNameTakenError(ConflictError):
    """Another saved board of the task has this name."""

    code = "leaderboards.name_taken"

    def __init__(self, *, name: str) -> None:
        message = f"A board “{name}” of this task is already here. Choose another name."
        super().__init__(message, fields={"name": message}, name=name)


class BoardRightsError(ForbiddenError):
    """Only who saved a board, and the task's owners, may delete it."""

    code = "leaderboards.not_yours"

    def __init__(self) -> None:
        super().__init__(
            "A saved board is deleted by who saved it or by the task's owners. Ask one of them."
        )


class BoardWeightsError(InvalidError):
    """A weight, a column or a budget cannot be used; the field and the fix are named."""

    code = "leaderboards.weights_invalid"

    def __init__(self, *, field: str, problem: str, known: Sequence[str] = ()) -> None:
        choices = f" There are: {', '.join(known)}." if known else ""
        message = f"{field}: {problem}{choices}"
        super().__init__(message, fields={field: problem + choices}, known=list(known))


class TooManyBoardsError(ConflictError):
    """A person has saved as many boards of a task as one may."""

    code = "leaderboards.too_many"

    def __init__(self, *, most: int) -> None:
        super().__init__(
            f"One person keeps at most {most} boards of a task. Delete one that is not needed.",
            most=most,
        )
