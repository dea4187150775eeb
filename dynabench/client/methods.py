"""The kinds of methods that a client has: each is written once and serves both faces."""

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Iterator
from types import MethodType
from typing import (
    Concatenate,
    Generic,
    ParamSpec,
    Self,
    TypeVar,
    get_args,
    get_origin,
    overload,
)

from dynabench.client.addresses import addressed, taken
from dynabench.client.faces import AsyncFace, SyncFace
from dynabench.client.lists import AsyncPages, Pages
from dynabench.client.steps import Steps, T
from dynabench.client.watching import Subscription
from dynabench.kit.paging import Page

P = ParamSpec("P")
OwnerT = TypeVar("OwnerT")
NowT = TypeVar("NowT")
LaterT = TypeVar("LaterT")
FaceT = TypeVar("FaceT", bound=SyncFace | AsyncFace)


class Calls(Generic[FaceT]):
    """A namespace of a client: what can be done with one kind of thing."""

    def __init__(self, face: FaceT) -> None:
        self.face = face

    def __repr__(self) -> str:
        return f"<{', '.join(name for name in dir(self) if not name.startswith('_'))}>"

    def __dir__(self) -> list[str]:
        # The face is the client's business; methods are what is looked for here.
        return [name for name in object.__dir__(self) if name != "face"]


class FaceMethod(Generic[P, NowT, LaterT]):
    """A method that gives one thing on the sync face and another on the async one."""

    def __init__(
        self,
        make: Callable[..., object],
        *,
        call: Callable[Concatenate[Calls[SyncFace], P], NowT],
        call_async: Callable[Concatenate[Calls[AsyncFace], P], LaterT],
    ) -> None:
        self.__doc__ = make.__doc__
        self.make = make
        self._call = _dressed(call, make, now=True)
        self._call_async = _dressed(call_async, make, now=False)

    @overload
    def __get__(self, calls: None, owner: type) -> Self: ...
    @overload
    def __get__(self, calls: Calls[SyncFace], owner: type) -> Callable[P, NowT]: ...
    @overload
    def __get__(self, calls: Calls[AsyncFace], owner: type) -> Callable[P, LaterT]: ...
    def __get__(
        self, calls: Calls[SyncFace] | Calls[AsyncFace] | None, owner: type
    ) -> Self | Callable[P, NowT] | Callable[P, LaterT]:
        """Bind the method to a client."""
        if calls is None:
            return self
        is_now = isinstance(calls.face, SyncFace)
        return MethodType(self._call if is_now else self._call_async, calls)


def _dressed(call: Callable[..., T], make: Callable[..., object], *, now: bool) -> Callable[..., T]:
    """Give a call the name, the text and the arguments of what makes its steps.

    What it returns is read from the steps: help would show a generator otherwise.
    """
    dressed = functools.wraps(make)(call)
    shown = inspect.signature(make)
    returned = shown.return_annotation
    arguments = get_args(returned)
    if get_origin(returned) is Generator:
        returned = arguments[2]
    elif get_origin(returned) is Subscription:
        returned = (Iterator if now else AsyncIterator)[arguments[0]]
    elif arguments:
        # A list's turn makes the steps of a page, which knows its items.
        page = get_args(arguments[-1])[2]
        item = page.__pydantic_generic_metadata__["args"][0]
        returned = (Pages if now else AsyncPages)[item]
    # A function may carry the signature that it shows.
    dressed.__signature__ = shown.replace(return_annotation=returned)  # type: ignore[attr-defined]
    return dressed


class Endpoint(FaceMethod[P, T, Coroutine[object, None, T]]):
    """A method that waits on the sync face and is awaited on the async one."""

    def __init__(self, make: Callable[Concatenate[OwnerT, P], Steps[T]]) -> None:
        def steps(bound: inspect.BoundArguments) -> Steps[T]:
            yield from addressed(make, bound)
            return (yield from make(*bound.args, **bound.kwargs))

        def call(calls: Calls[SyncFace], /, *args: P.args, **kwargs: P.kwargs) -> T:
            return calls.face.run(steps(taken(make, calls, args, kwargs)))

        async def call_async(calls: Calls[AsyncFace], /, *args: P.args, **kwargs: P.kwargs) -> T:
            return await calls.face.run(steps(taken(make, calls, args, kwargs)))

        super().__init__(make, call=call, call_async=call_async)


class Listing(FaceMethod[P, Pages[T], AsyncPages[T]]):
    """A method that gives a whole list, with `for` or `async for`."""

    def __init__(
        self, make: Callable[Concatenate[OwnerT, P], Callable[[str | None], Steps[Page[T]]]]
    ) -> None:
        def turn(bound: inspect.BoundArguments, cursor: str | None) -> Steps[Page[T]]:
            yield from addressed(make, bound)
            return (yield from make(*bound.args, **bound.kwargs)(cursor))

        def call(calls: Calls[SyncFace], /, *args: P.args, **kwargs: P.kwargs) -> Pages[T]:
            return Pages(calls.face, functools.partial(turn, taken(make, calls, args, kwargs)))

        def call_async(
            calls: Calls[AsyncFace], /, *args: P.args, **kwargs: P.kwargs
        ) -> AsyncPages[T]:
            return AsyncPages(calls.face, functools.partial(turn, taken(make, calls, args, kwargs)))

        super().__init__(make, call=call, call_async=call_async)


class Watching(FaceMethod[P, Iterator[T], AsyncIterator[T]]):
    """A method that watches something, with `for` or `async for`, until it is over."""

    def __init__(self, make: Callable[Concatenate[OwnerT, P], Subscription[T]]) -> None:
        def call(calls: Calls[SyncFace], /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
            bound = taken(make, calls, args, kwargs)
            calls.face.run(addressed(make, bound))
            return calls.face.watch(make(*bound.args, **bound.kwargs))

        async def call_async(
            calls: Calls[AsyncFace], /, *args: P.args, **kwargs: P.kwargs
        ) -> AsyncIterator[T]:
            bound = taken(make, calls, args, kwargs)
            await calls.face.run(addressed(make, bound))
            async for state in calls.face.watch(make(*bound.args, **bound.kwargs)):
                yield state

        super().__init__(make, call=call, call_async=call_async)
