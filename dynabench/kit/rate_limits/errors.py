"""What happens where something comes too often."""

from dynabench.kit.errors import LimitError
from dynabench.kit.rate_limits.values import RateName

_LONG_SECONDS = 120


class TooOftenError(LimitError):
    """Requests of this kind came more often than the server takes them."""

    code = "request.too_often"

    def __init__(self, *, limit: RateName, seconds: int) -> None:
        minutes = -(-seconds // 60)
        wait = f"{seconds} seconds" if seconds < _LONG_SECONDS else f"{minutes} minutes"
        super().__init__(
            f"That was too often in a short time. Try again in {wait}.",
            retry_after_seconds=seconds,
            limit=limit.value,
            seconds=seconds,
        )
