"""What stands before every request: an id, limits of its body, protection against other sites.

Written as plain ASGI because it runs on every request of the annotate path.
"""

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dynabench.app.server.bodies import BodyTooLargeError, body_limit, counted, read_whole
from dynabench.app.server.host_names import HostNames, UnknownHostError
from dynabench.app.server.problems import refuse, something_broke
from dynabench.kit.errors import DynabenchError, ForbiddenError

# They tell nothing, and are asked for by addresses of machines and containers.
_PROBES = frozenset({"/healthz", "/readyz"})
# Browsers speak no other protocol with this name for a year.
_ENCRYPTED = {"strict-transport-security": "max-age=31536000"}
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_NOWHERE = "frame-ancestors 'none'"
_PAGE_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self'; "
    "font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    f"{_NOWHERE}"
)
_HEADERS = {
    "content-security-policy": _PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
# Boards stand on other people's pages. A browser sends no cookie of ours with a page in a
# frame of another site, so that nobody is signed in there and nothing can be clicked away.
_EMBEDDED_PATH = "/embed/"
_EMBEDDED_HEADERS = {
    **_HEADERS,
    "content-security-policy": _PAGE_POLICY.replace(_NOWHERE, "frame-ancestors *"),
}


class FromAnotherSiteError(ForbiddenError):
    """A browser sent a changing request on behalf of another site."""

    code = "request.from_another_site"

    def __init__(self) -> None:
        super().__init__(
            "This request came from another site and was not carried out. "
            "Do it on the platform's own pages."
        )


def comes_from_elsewhere(headers: Headers, *, host: str) -> bool:
    """Tell whether a browser sent a changing request on behalf of another site.

    Browsers say so in `Sec-Fetch-Site`; older ones in `Origin`. Programs send neither, and
    carry a token instead of a cookie.
    """
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site not in {"same-origin", "none"}
    origin = headers.get("origin")
    if origin is None:
        return False
    return urlsplit(origin).netloc != host


def _tell_nobody(status: int) -> None:
    """Count nothing."""


class RequestGuard:
    """Gives each request an id, and answers for what breaks.

    It refuses bodies that are too large and other sites' requests.

    Args:
        app: What takes the requests that are let in.
        hosts: The names that the server answers to.
        is_https: Whether browsers reach it by HTTPS alone.
        answered: Told the status of each answer.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: HostNames,
        is_https: bool = False,
        answered: Callable[[int], None] = _tell_nobody,
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._answered = answered
        more = _ENCRYPTED if is_https else {}
        self._headers = {**_HEADERS, **more}
        self._embedded_headers = {**_EMBEDDED_HEADERS, **more}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id
        # For every line that is written from here on; each request is a task of its own.
        structlog.contextvars.bind_contextvars(request_id=request_id)
        is_embedded = scope["path"].startswith(_EMBEDDED_PATH)
        fixed = self._embedded_headers if is_embedded else self._headers

        is_begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal is_begun
            is_begun = True
            if message["type"] == "http.response.start":
                self._answered(message["status"])
                out = MutableHeaders(scope=message)
                out["x-request-id"] = request_id
                for name, value in fixed.items():
                    out.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    out.setdefault("cache-control", "no-store")
            await send(message)

        try:
            let_in = await self._let_in(scope, receive)
        except ClientDisconnect:
            return
        except DynabenchError as error:
            await refuse(error, request_id=request_id)(scope, receive, send_with_headers)
            return
        try:
            await self._app(scope, let_in, send_with_headers)
        # The edge of the server: the answer has the same headers as every other.
        except Exception as error:
            if is_begun:
                raise
            await something_broke(error, scope=scope)(scope, receive, send_with_headers)

    async def _let_in(self, scope: Scope, receive: Receive) -> Receive:
        """Return how the body of a request is read, or refuse the request."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        path = scope["path"]
        if path not in _PROBES and host not in self._hosts:
            raise UnknownHostError(host=host)
        limit = body_limit(method=scope["method"], path=path)
        if scope["method"] not in _CHANGING:
            return counted(receive, limit=limit)
        if comes_from_elsewhere(headers, host=host):
            raise FromAnotherSiteError
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            raise BodyTooLargeError(limit_bytes=limit)
        if limit.is_streamed:
            return counted(receive, limit=limit)
        return await read_whole(receive, limit=limit)
