"""Random choices that are the same on every machine and every Python."""

from bisect import bisect_right
from collections.abc import Sequence
from random import Random
from typing import TypeVar
from zlib import adler32

_T = TypeVar("_T")


class Draws:
    """The draws of one transform on one item.

    They depend on the run's seed, the item's uid and the transform's name alone, so that one item
    can be made anew by itself and transforms share no draws. Of Python's generator only
    `random()` is used, the one method whose sequence is promised to stay.

    Args:
        seed: The run's seed.
        uid: The item's name.
        transform: The transform's name.
    """

    def __init__(self, *, seed: int, uid: str, transform: str) -> None:
        number = seed + adler32(uid.encode("utf-8", "surrogatepass"))
        # Repeatable choices are wanted here, not secret ones.
        self._next = Random(f"{number}/{transform}").random  # noqa: S311

    def below(self, count: int) -> int:
        """Return a whole number from 0 up to, not including, the count."""
        return int(self._next() * count)

    def one_of(self, choices: Sequence[_T]) -> _T:
        """Return one of the choices."""
        return choices[int(self._next() * len(choices))]

    def some_of(self, choices: Sequence[_T], count: int) -> list[_T]:
        """Return so many of the choices, or all there are, in their order."""
        size = len(choices)
        if count >= size:
            return list(choices)
        places = list(range(size))
        for done in range(count):
            other = done + int(self._next() * (size - done))
            places[done], places[other] = places[other], places[done]
        return [choices[place] for place in sorted(places[:count])]

    def weighted(self, choices: Sequence[_T], sums: Sequence[int]) -> _T:
        """Return one of the choices by weight; `sums` are the weights added up so far."""
        return choices[bisect_right(sums, int(self._next() * sums[-1]))]


def share_of(count: int, *, one_in: int) -> int:
    """Return how many of so many places are changed: one in `one_in`, and at least one.

    Example:
        >>> share_of(25, one_in=8), share_of(2, one_in=8)
        (3, 1)
    """
    return max(1, count // one_in)
