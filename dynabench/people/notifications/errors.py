"""What can go wrong with notifications."""

from dynabench.kit.errors import NotFoundError


class NotificationNotFoundError(NotFoundError):
    """There is no such notification, or it is somebody else's."""

    code = "notifications.not_found"

    def __init__(self) -> None:
        super().__init__("There is no such notification. Look at the list of yours.")
