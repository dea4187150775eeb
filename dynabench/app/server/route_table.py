"""Finds what is said of a route by a request's method and path, before the request is routed."""

from collections.abc import Mapping
from typing import Generic, TypeVar

ValueT = TypeVar("ValueT")

_ANY = "{}"


class RouteTable(Generic[ValueT]):
    """What holds for some routes, by method and path as their endpoints declare them.

    A path costs one look-up for each of its parts, whatever the number of routes.
    """

    def __init__(self, entries: Mapping[str, ValueT]) -> None:
        """Build the table.

        Args:
            entries: Values by method and path, as in `POST /api/v1/rounds/{round_id}/examples`.
        """
        self.entries = dict(entries)
        self._root = _Part[ValueT]()
        for name, value in entries.items():
            method, _, path = name.partition(" ")
            part = self._root
            for word in path.split("/"):
                part = part.next.setdefault(_ANY if word.startswith("{") else word, _Part())
            part.values[method] = value

    def find(self, *, method: str, path: str) -> ValueT | None:
        """Return what is said of the route of a request, or None if nothing is."""
        return self._root.find(method, path.split("/"), 0)


class _Part(Generic[ValueT]):
    """One part of a path, and what may follow it."""

    def __init__(self) -> None:
        self.next: dict[str, _Part[ValueT]] = {}
        self.values: dict[str, ValueT] = {}

    def find(self, method: str, words: list[str], place: int) -> ValueT | None:
        if place == len(words):
            return self.values.get(method)
        for key in (words[place], _ANY):
            # `/users/me/…` and `/users/{username}/…`: a word may lead nowhere.
            following = self.next.get(key)
            found = None if following is None else following.find(method, words, place + 1)
            if found is not None:
                return found
        return None
