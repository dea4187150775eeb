"""Random choices that are the same on every machine and every Python."""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar
from zlib import adler32

_T = TypeVar("_T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


class Draws:
    """The draws of one transform on one item.

    They depend on the run's seed, the item's uid and the transform's name alone, so that one item
    can be made anew by itself and transforms share no draws. The numbers are those of SplitMix64
    (Steele, Lea & Flood 2014), which begins at once; Python's own generator takes longer to begin
    than an item's draws take.

    Args:
        seed: The run's seed.
        uid: The item's name.
        transform: The transform's name.
    """

    def __init__(self, *, seed: int, uid: str, transform: str) -> None:
        number = seed + adler32(uid.encode("utf-8", "surrogatepass"))
        digest = sha256(f"{number}/{transform}".encode()).digest()
        self._state = int.from_bytes(digest[:8], "big")

    def below(self, count: int) -> int:
        """Return a whole number from 0 up to, not including, the count."""
        self._state = mixed = (self._state + _STEP) & _MASK
        mixed = ((mixed ^ mixed >> 30) * _FIRST) & _MASK
        mixed = ((mixed ^ mixed >> 27) * _SECOND) & _MASK
        return (mixed ^ mixed >> 31) * count >> 64

    def one_of(self, choices: Sequence[_T]) -> _T:
        """Return one of the choices."""
        return choices[self.below(len(choices))]

    def some_of(self, choices: Sequence[_T], count: int) -> list[_T]:
        """Return so many of the choices, or all there are, in their order."""
        size = len(choices)
        if count >= size:
            return list(choices)
        places = list(range(size))
        for done in range(count):
            other = done + self.below(size - done)
            places[done], places[other] = places[other], places[done]
        return [choices[place] for place in sorted(places[:count])]

    def weighted(self, choices: Sequence[_T], sums: Sequence[int]) -> _T:
        """Return one of the choices by weight; `sums` are the weights added up so far."""
        return choices[bisect_right(sums, self.below(sums[-1]))]


def share_of(count: int, *, one_in: int) -> int:
    """Return how many of so many places are changed: one in `one_in`, and at least one.

    Example:
        >>> share_of(25, one_in=8), share_of(2, one_in=8)
        (3, 1)
    """
    return max(1, count // one_in)
