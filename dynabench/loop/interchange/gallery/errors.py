"""What can go wrong with the gallery."""

from collections.abc import Sequence

from dynabench.kit.errors import ForbiddenError, NotFoundError


class GalleryOrderLapsedError(ForbiddenError):
    """Who asked for a task of the gallery is no administrator any more, so it was not begun."""

    code = "gallery.order_lapsed"

    def __init__(self, *, username: str) -> None:
        super().__init__(
            f"{username} asked for this task and is no administrator any more, or their account "
            f"is disabled. Nothing was begun. An administrator can ask for it again.",
            username=username,
        )


class GalleryEntryNotFoundError(NotFoundError):
    """The gallery has no task of this name."""

    code = "gallery.entry_not_found"

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"The gallery has no task “{name}”. It has: {', '.join(known)}.",
            name=name,
            known=[*known],
        )
