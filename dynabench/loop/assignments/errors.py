"""What can go wrong with assignments."""

from dynabench.kit.errors import NotFoundError


class NoContextLeftError(NotFoundError):
    """The annotator has seen every context of the round, or there is none."""

    code = "assignments.no_context_left"

    def __init__(self, *, has_any: bool) -> None:
        super().__init__(
            "You have worked through every context of this round. Thank you!"
            if has_any
            else "This round has no contexts yet. Its owner can upload some.",
            has_any=has_any,
        )
