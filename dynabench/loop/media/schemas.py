"""Wire shapes of pictures and sounds."""

from typing import Annotated

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.media.values import MediaKind


class MediaRead(WireModel):
    """A stored file; a field of an example holds its digest."""

    digest: str
    kind: MediaKind
    media_type: str
    size_bytes: int
    width: int | None
    height: int | None
    duration_seconds: float | None


class MediaFetch(WireModel):
    """Where a file lies that the server is to fetch and store once."""

    url: Annotated[str, Field(min_length=1, max_length=2_000, pattern="^https://")]
