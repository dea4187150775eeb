"""What can go wrong with stored pictures and sounds."""

from dynabench.kit.errors import LimitError, NotFoundError


class MediaNotFoundError(NotFoundError):
    """No picture or sound is stored under this digest."""

    code = "media.not_found"

    def __init__(self) -> None:
        super().__init__("No picture or sound is stored under this digest. Upload it first.")


class MediaQuotaError(LimitError):
    """Somebody has brought as many bytes today as one person may."""

    code = "media.quota_spent"

    def __init__(self, *, limit_bytes: int) -> None:
        super().__init__(
            f"You have uploaded {limit_bytes // 1024 // 1024} MB within a day, which is the most. "
            "Go on tomorrow, or ask the task's owner to upload the files.",
            limit_bytes=limit_bytes,
        )


class MediaBusyError(LimitError):
    """A person has so many files on their way that another one has to wait."""

    code = "media.too_many_at_once"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"{limit} of your files are on their way already. Send this one when one of them is "
            "done.",
            limit=limit,
        )
