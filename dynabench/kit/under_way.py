"""Counts what each person has under way in this process, and refuses too much at once."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import UUID

from dynabench.kit.errors import LimitError


class UnderWay:
    """A limit to how much of something costly one person keeps this process busy with.

    Args:
        most: How much each may have under way.
        refuse: Makes the error that says so, of that number.
    """

    def __init__(self, *, most: int, refuse: Callable[[int], LimitError]) -> None:
        self._most = most
        self._refuse = refuse
        self._counts: Counter[UUID] = Counter()

    @contextmanager
    def one_more(self, user_id: UUID) -> Iterator[None]:
        """Count one more for as long as the block runs.

        Raises:
            LimitError: If the person has too much under way.
        """
        if self._counts[user_id] >= self._most:
            raise self._refuse(self._most)
        self._counts[user_id] += 1
        try:
            yield
        finally:
            self._counts[user_id] -= 1
            if not self._counts[user_id]:
                del self._counts[user_id]
