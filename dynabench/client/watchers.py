"""Methods of the client that watch something for as long as it goes on."""

import functools
from collections.abc import AsyncIterator, Callable, Iterator
from types import MethodType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from dynabench.client.faces import AsyncFace, SyncFace
from dynabench.client.steps import T
from dynabench.client.watching import Subscription

P = ParamSpec("P")
OwnerT = TypeVar("OwnerT")


class Watching(Generic[P, T]):
    """A method that watches something, with `for` or `async for`, until it is over."""

    def __init__(self, make: Callable[Concatenate[OwnerT, P], Subscription[T]]) -> None:
        self.__doc__ = make.__doc__

        @functools.wraps(make)
        def call(face: SyncFace, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            # A mixin's methods know no face; what they make does not depend on it.
            return face.watch(make(face, *args, **kwargs))  # type: ignore[arg-type]

        @functools.wraps(make)
        def call_async(face: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
            # The same.
            return face.watch(make(face, *args, **kwargs))  # type: ignore[arg-type]

        self._call, self._call_async = call, call_async

    @overload
    def __get__(self, face: None, owner: type) -> Self: ...
    @overload
    def __get__(self, face: SyncFace, owner: type) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, face: AsyncFace, owner: type) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(
        self, face: SyncFace | AsyncFace | None, owner: type
    ) -> Self | Callable[P, Iterator[T]] | Callable[P, AsyncIterator[T]]:
        """Bind the method to a client."""
        if face is None:
            return self
        if isinstance(face, SyncFace):
            return MethodType(self._call, face)
        return MethodType(self._call_async, face)
