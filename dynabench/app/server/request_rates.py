"""How often requests may come: of one person, one address, to one round or task."""

from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from dynabench.app.server.identity import Identity
from dynabench.app.server.problems import refuse
from dynabench.app.server.route_table import RouteTable
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.addresses import LOOPBACK, AddressSet, address_group
from dynabench.kit.errors import DynabenchError
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.rate_limits.values import RateName
from dynabench.people.endpoints import SESSION_COOKIE

_API = "/api/"
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_FORWARDED = ("x-forwarded-for", "forwarded")
_HERE = AddressSet(LOOPBACK)


@dataclass(frozen=True, slots=True)
class Rates:
    """What a route's requests count as.

    Attributes:
        person: Of who is signed in.
        visitor: Of the address of who is not.
        thing: Of the round or task in the path, whoever asks.
    """

    person: RateName
    visitor: RateName = RateName.VISITOR_WRITES
    thing: RateName | None = None


_READS = Rates(RateName.READS, RateName.VISITOR_READS)
_WRITES = Rates(RateName.WRITES)
_DOWNLOADS = Rates(RateName.DOWNLOADS, RateName.VISITOR_DOWNLOADS)
_ATTEMPTS = Rates(RateName.ATTEMPTS, thing=RateName.ROUND_ATTEMPTS)
_TURNS = Rates(RateName.ATTEMPTS)
_TRIES = Rates(RateName.TRIES, RateName.VISITOR_TRIES, thing=RateName.TASK_TRIES)
_VOTES = Rates(RateName.VOTES)
_CHECKS = Rates(RateName.CHECKS)
_ORDERS = Rates(RateName.ORDERS)
_UPLOADS = Rates(RateName.UPLOADS)
_MEDIA = Rates(RateName.MEDIA)

# What is not named here is a read or a write.
REQUEST_RATES = RouteTable(
    {
        f"{name.split()[0]} /api/v1{name.split()[1]}": rates
        for rates, names in {
            _ATTEMPTS: ("POST /rounds/{round_id}/examples",),
            _TURNS: (
                "POST /rounds/{round_id}/chats",
                "POST /chats/{chat_id}/turns",
                "PUT /chats/{chat_id}/turns/{number}",
                "POST /chats/{chat_id}/turns/{number}/regenerate",
                # The judge of a rubric is a model, too.
                "PATCH /examples/{example_id}",
            ),
            _TRIES: ("POST /tasks/{slug}/tries", "POST /tasks/{slug}/tries/replies"),
            _VOTES: (
                "POST /examples/{example_id}/validations",
                "DELETE /validations/{validation_id}",
                "POST /rounds/{round_id}/expert-decisions",
            ),
            _CHECKS: (
                "POST /task-config-checks",
                "POST /tasks/{slug}/training-plan",
                "POST /models/{model_id}/check",
            ),
            _ORDERS: (
                "POST /models/{model_id}/evaluations",
                "POST /evaluations/{evaluation_id}/retry",
                "POST /tasks/{slug}/trainings",
                "POST /tasks/{slug}/trainings/{training_id}/resume",
                "POST /dataset-versions/{version_id}/perturbations",
                "POST /dataset-versions/{version_id}/archive",
                "POST /rounds/{round_id}/release",
                "POST /tasks/{slug}/datasets",
                "POST /tasks/{slug}/scale",
                "POST /tasks/{slug}/submissions",
                "POST /models/{model_id}/retry",
                "POST /gallery/{name}",
            ),
            _UPLOADS: (
                "POST /tasks/{slug}/contexts",
                "POST /tasks/{slug}/dataset-files",
                "PUT /models/{model_id}/artifact",
                "PUT /models/{model_id}/predictions/{dataset_version_id}",
            ),
            _MEDIA: ("POST /tasks/{slug}/media", "POST /tasks/{slug}/media/fetch"),
            _DOWNLOADS: (
                "GET /dataset-versions/{version_id}/archive",
                "GET /dataset-versions/{version_id}/splits/{split}",
                "GET /rounds/{round_id}/export",
                "GET /tasks/{slug}/export",
            ),
        }.items()
        for name in names
    }
)


def comes_from_here(request: Request) -> bool:
    """Tell whether a program of this machine asks, and for nobody behind it."""
    host = request.client.host if request.client else ""
    return host in _HERE and not any(name in request.headers for name in _FORWARDED)


class RequestRates:
    """Refuses requests that come more often than the rates say, before they cost anything.

    Who is on this machine is not counted: benchmarks, the demo and the operator's programs.
    Where a web server in front is not named in the settings, visitors cannot be told apart, so
    that only people who are signed in are counted.
    """

    def __init__(
        self, app: ASGIApp, *, limiter: RateLimiter, identify: Identity, unlimited: AddressSet
    ) -> None:
        self._app = app
        self._limiter = limiter
        self._identify = identify
        self._unlimited = unlimited

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count one request, and pass it on or refuse it."""
        if scope["type"] == "http" and scope["path"].startswith(_API):
            try:
                await self._count(scope)
            except DynabenchError as error:
                request_id = str(scope.get("state", {}).get("request_id", ""))
                await refuse(error, request_id=request_id)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _count(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = scope["client"][0] if scope.get("client") else ""
        is_hidden = False
        if not host or host in self._unlimited:
            is_hidden = any(name in headers for name in _FORWARDED)
            if not is_hidden:
                return
        method, path = scope["method"], scope["path"]
        rates = REQUEST_RATES.find(method=method, path=path)
        if rates is None:
            rates = _READS if method in _READING else _WRITES
        actor = await self._actor(scope, headers)
        if actor.user_id is not None:
            await self._limiter.take(rates.person, str(actor.user_id))
        elif not is_hidden:
            await self._limiter.take(rates.visitor, address_group(host))
        if rates.thing is not None:
            # /api/v1/rounds/{round_id}/…
            await self._limiter.take(rates.thing, path.split("/")[4])

    async def _actor(self, scope: Scope, headers: Headers) -> Actor:
        if "authorization" not in headers and SESSION_COOKIE not in headers.get("cookie", ""):
            return VISITOR
        try:
            return await self._identify(Request(scope))
        except DynabenchError:
            # The route says what is wrong; a wrong secret counts as a visitor's.
            return VISITOR
