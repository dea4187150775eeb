"""What stands before every request: an id, a size limit, protection against other sites.

Written as plain ASGI because it runs on every request of the annotate path.
"""

import secrets
from collections.abc import Callable
from urllib.parse import urlsplit

import orjson
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dynabench.kit.errors import LimitError

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
MAX_BODY_BYTES = 2 * 1024 * 1024
MAX_UPLOAD_BYTES = 64 * 1024 * 1024
# What streams to the disk is limited by whoever takes it, with a sentence of its own.
MAX_FILE_BYTES = 16 * 1024**3


class BodyTooLargeError(LimitError):
    """The request's body is larger than the server takes (413)."""

    code = "request.too_large"

    def __init__(self, *, limit_bytes: int) -> None:
        limit = limit_bytes // 1024 // 1024
        super().__init__(
            f"The request is larger than {limit} MB. Send it in smaller parts.",
            limit_bytes=limit_bytes,
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


def _is_never_a_file(path: str) -> bool:
    del path
    return False


class RequestGuard:
    """Gives each request an id, refuses bodies that are too large and other sites' requests."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        upload_paths: Callable[[str], bool],
        file_paths: Callable[[str], bool] = _is_never_a_file,
    ) -> None:
        self._app = app
        self._is_upload = upload_paths
        self._is_file = file_paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = secrets.token_hex(8)
        scope.setdefault("state", {})["request_id"] = request_id

        fixed = _EMBEDDED_HEADERS if scope["path"].startswith(_EMBEDDED_PATH) else _HEADERS

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                out = MutableHeaders(scope=message)
                out["x-request-id"] = request_id
                for name, value in fixed.items():
                    out.setdefault(name, value)
                if scope["path"].startswith("/api/"):
                    out.setdefault("cache-control", "no-store")
            await send(message)

        limit = self._limit_of(scope["path"])
        refusal = self._refusal(scope, headers, limit=limit)
        if refusal is not None:
            await _refuse(send_with_headers, *refusal, request_id=request_id)
            return
        await self._app(scope, _limited(receive, limit), send_with_headers)

    def _limit_of(self, path: str) -> int:
        if self._is_file(path):
            return MAX_FILE_BYTES
        return MAX_UPLOAD_BYTES if self._is_upload(path) else MAX_BODY_BYTES

    def _refusal(
        self, scope: Scope, headers: Headers, *, limit: int
    ) -> tuple[int, str, str] | None:
        if scope["method"] not in _CHANGING:
            return None
        if comes_from_elsewhere(headers, host=headers.get("host", "")):
            return (
                403,
                "request.from_another_site",
                (
                    "This request came from another site and was not carried out. "
                    "Do it on the platform's own pages."
                ),
            )
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > limit:
            error = BodyTooLargeError(limit_bytes=limit)
            return (413, error.code, error.message)
        return None


def _limited(receive: Receive, limit: int) -> Receive:
    """Count the bytes of a body whose length was not announced."""
    seen = 0

    async def receive_some() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > limit:
                raise BodyTooLargeError(limit_bytes=limit)
        return message

    return receive_some


async def _refuse(send: Send, status: int, code: str, detail: str, *, request_id: str) -> None:
    body = orjson.dumps(
        {
            "type": "about:blank",
            "title": "Not allowed" if status == 403 else "Too large",  # noqa: PLR2004
            "status": status,
            "detail": detail,
            "code": code,
            "facts": {},
            "fields": {},
            "request_id": request_id,
        }
    )
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", b"application/problem+json"),
                (b"content-length", str(len(body)).encode()),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})
