"""Wire shapes of contexts."""

from datetime import datetime
from uuid import UUID

from dynabench.kit.wire import Values, WireModel


class ContextRead(WireModel):
    """What an annotator reads and writes about."""

    id: UUID
    content: Values
    tag: str
    metadata: Values
    created_at: datetime

    @property
    def context(self) -> Values:
        """Its fields, by the key under which they are uploaded."""
        return self.content


class ContextUploadRead(WireModel):
    """What became of an upload."""

    added: int
    already_there: int


class TagRead(WireModel):
    """A tag and how many contexts carry it."""

    tag: str
    contexts: int
