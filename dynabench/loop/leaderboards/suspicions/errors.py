"""What can go wrong with suspected errors."""

from dynabench.kit.errors import ForbiddenError, NotFoundError


class SuspicionNotFoundError(NotFoundError):
    """No such example is suspected, or the actor is no expert of its task."""

    code = "leaderboards.suspicion_not_found"

    def __init__(self) -> None:
        super().__init__("There is no such suspected error.")


class OwnSuspicionError(ForbiddenError):
    """Somebody settled a suspicion about an example of their own."""

    code = "leaderboards.own_suspicion"

    def __init__(self) -> None:
        super().__init__("You wrote this example. Ask another expert or owner to look at it.")
