"""What can go wrong with the gallery."""

from collections.abc import Sequence

from dynabench.kit.errors import NotFoundError


class GalleryEntryNotFoundError(NotFoundError):
    """The gallery has no task of this name."""

    code = "gallery.entry_not_found"

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        super().__init__(
            f"The gallery has no task “{name}”. It has: {', '.join(known)}.",
            name=name,
            known=[*known],
        )
