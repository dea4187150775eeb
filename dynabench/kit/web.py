"""What an endpoint gets from the application around it, without importing it.

`app/server` puts a `Surroundings` on the application's state; endpoints declare
`ActorDep`, `provide(Service)` and `RequestKeyDep` and stay one thin function each.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Request

from dynabench.kit.actor import Actor
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import RequestKey

ServiceT = TypeVar("ServiceT")


@dataclass(frozen=True)
class Surroundings:
    """What the application hands to its endpoints.

    Attributes:
        services: One instance of each service, by its class.
        identify: Tells who sent a request.
    """

    services: Mapping[type[object], object]
    identify: Callable[[Request], Awaitable[Actor]]


def surroundings(request: Request) -> Surroundings:
    """Return what the application that took this request provides."""
    found = request.app.state.surroundings
    assert isinstance(found, Surroundings)
    return found


def provide(service: type[ServiceT]) -> Callable[[Request], Awaitable[ServiceT]]:
    """Return a dependency that gives an endpoint its service."""

    # It waits for nothing, but FastAPI runs what is no coroutine in a thread: two hand-overs
    # of the processor for each request.
    async def provided(request: Request) -> ServiceT:
        found = surroundings(request).services[service]
        assert isinstance(found, service)
        return found

    return provided


async def current_actor(request: Request) -> Actor:
    """Tell who sent the request: by session cookie or API token, else a visitor."""
    return await surroundings(request).identify(request)


async def identify_again(request: Request) -> Actor:
    """Tell who sent a request that is still being answered, as of now.

    A stream outlives sign-outs: what was found when it began is not asked for again.
    """
    return await surroundings(request).identify(Request({**request.scope, "state": {}}))


ActorDep = Annotated[Actor, Depends(current_actor)]


async def request_key(
    request: Request,
    actor: ActorDep,
    idempotency_key: Annotated[
        str | None,
        Header(
            max_length=200,
            description="Send the same key again to get the same answer instead of a second "
            "creation (24 hours).",
        ),
    ] = None,
) -> RequestKey | None:
    """Return the key under which this creation is done once, if the client sent one."""
    if idempotency_key is None:
        return None
    route = f"{request.method} {request.url.path}"
    return RequestKey.of(
        actor_id=actor.user_id, route=route, key=idempotency_key, body=await request.body()
    )


RequestKeyDep = Annotated[RequestKey | None, Depends(request_key)]


def raises(*errors: type[DynabenchError]) -> dict[str, object]:
    """Declare the failures of a route; the OpenAPI document lists their codes.

    Returns:
        A value for `openapi_extra`; `app/server/openapi.py` turns it into responses.
    """
    return {"x-errors": sorted({error.code for error in errors})}
