"""Ids that came in order, kept in sixteen bytes each."""

from uuid import UUID

_WIDTH = 16


class SortedIds:
    """Answers which ids a part of a file has, for millions of them."""

    def __init__(self) -> None:
        self._ids = bytearray()

    def add(self, one: UUID) -> None:
        """Keep an id, which follows all that were kept before."""
        self._ids += one.bytes

    def __len__(self) -> int:
        return len(self._ids) // _WIDTH

    def __contains__(self, one: object) -> bool:
        if not isinstance(one, UUID):
            return False
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._at(middle) < one.bytes:
                low = middle + 1
            else:
                high = middle
        return low < len(self) and self._at(low) == one.bytes

    def all(self) -> list[UUID]:
        """Return the ids; for parts of which there are few."""
        return [UUID(bytes=self._at(place)) for place in range(len(self))]

    def _at(self, place: int) -> bytes:
        return bytes(self._ids[place * _WIDTH : (place + 1) * _WIDTH])
