"""The kinds of methods that a client has: each is written once and serves both faces."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from types import MethodType
from typing import Concatenate, Generic, ParamSpec, Self, TypeVar, get_args, get_origin, overload

from dynabench.client.faces import AsyncFace, SyncFace
from dynabench.client.steps import Steps, T
from dynabench.client.watching import Subscription
from dynabench.kit.paging import Page

P = ParamSpec("P")
OwnerT = TypeVar("OwnerT")
NowT = TypeVar("NowT")
LaterT = TypeVar("LaterT")


class FaceMethod(Generic[P, NowT, LaterT]):
    """A method that gives one thing on the sync face and another on the async one."""

    def __init__(
        self,
        make: Callable[..., object],
        *,
        call: Callable[Concatenate[SyncFace, P], NowT],
        call_async: Callable[Concatenate[AsyncFace, P], LaterT],
    ) -> None:
        self.__doc__ = make.__doc__
        self.make = make
        self._call = _dressed(call, make, iterator=Iterator)
        self._call_async = _dressed(call_async, make, iterator=AsyncIterator)

    @overload
    def __get__(self, face: None, owner: type) -> Self: ...
    @overload
    def __get__(self, face: SyncFace, owner: type) -> Callable[P, NowT]: ...
    @overload
    def __get__(self, face: AsyncFace, owner: type) -> Callable[P, LaterT]: ...
    def __get__(
        self, face: SyncFace | AsyncFace | None, owner: type
    ) -> Self | Callable[P, NowT] | Callable[P, LaterT]:
        """Bind the method to a client."""
        if face is None:
            return self
        if isinstance(face, SyncFace):
            return MethodType(self._call, face)
        return MethodType(self._call_async, face)


def _dressed(
    call: Callable[..., T], make: Callable[..., object], *, iterator: object
) -> Callable[..., T]:
    """Give a call the name, the text and the arguments of what makes its steps.

    What it returns is read from the steps: help would tell of a generator otherwise.
    """
    dressed = functools.wraps(make)(call)
    signature = inspect.signature(make)
    given = signature.return_annotation
    arguments = get_args(given)
    if get_origin(given) is Generator:
        (*_, given) = arguments
    elif isinstance(given, type) or arguments:
        # A page's turn returns steps whose page names the item; a subscription names its state.
        (*_, last) = arguments
        (*_, page) = get_args(last) or (last,)
        made_of = getattr(page, "__pydantic_generic_metadata__", {}).get("args") or (page,)
        given = iterator[made_of[0]]  # type: ignore[index]
    # A function may carry the signature that it shows.
    dressed.__signature__ = signature.replace(return_annotation=given)  # type: ignore[attr-defined]
    return dressed


class Endpoint(FaceMethod[P, T, Coroutine[object, None, T]]):
    """A method that waits on the sync face and is awaited on the async one."""

    def __init__(self, make: Callable[Concatenate[OwnerT, P], Steps[T]]) -> None:
        def call(face: SyncFace, /, *args: P.args, **kwargs: P.kwargs) -> T:
            # A mixin's methods know no face; what they make does not depend on it.
            return face.run(make(face, *args, **kwargs))  # type: ignore[arg-type]

        async def call_async(face: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> T:
            # The same.
            return await face.run(make(face, *args, **kwargs))  # type: ignore[arg-type]

        super().__init__(make, call=call, call_async=call_async)


class Listing(FaceMethod[P, Iterator[T], AsyncIterator[T]]):
    """A method that goes through a whole list, with `for` or `async for`."""

    def __init__(
        self, make: Callable[Concatenate[OwnerT, P], Callable[[str | None], Steps[Page[T]]]]
    ) -> None:
        def call(face: SyncFace, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            # A mixin's methods know no face; what they make does not depend on it.
            return face.pages(make(face, *args, **kwargs))  # type: ignore[arg-type]

        def call_async(face: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
            # The same.
            return face.pages(make(face, *args, **kwargs))  # type: ignore[arg-type]

        super().__init__(make, call=call, call_async=call_async)


class Watching(FaceMethod[P, Iterator[T], AsyncIterator[T]]):
    """A method that watches something, with `for` or `async for`, until it is over."""

    def __init__(self, make: Callable[Concatenate[OwnerT, P], Subscription[T]]) -> None:
        def call(face: SyncFace, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            # A mixin's methods know no face; what they make does not depend on it.
            return face.watch(make(face, *args, **kwargs))  # type: ignore[arg-type]

        def call_async(face: AsyncFace, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
            # The same.
            return face.watch(make(face, *args, **kwargs))  # type: ignore[arg-type]

        super().__init__(make, call=call, call_async=call_async)
