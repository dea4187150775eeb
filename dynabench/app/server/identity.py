"""Who sent a request: the API token in its header, else the session in its cookie."""

from fastapi import Request

from dynabench.kit.actor import VISITOR, Actor, ReadOnlyTokenError
from dynabench.kit.asking import Asking, asking
from dynabench.kit.errors import UnauthenticatedError
from dynabench.people.authentication.service import Authenticator
from dynabench.people.endpoints import SESSION_COOKIE

_BEARER = "bearer "
# Attempts, votes and turns of a conversation: their rows say whose they are.
_NOT_RECORDED = ("/examples", "/validations", "/turns", "/tries", "/replies")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class TokenInvalidError(UnauthenticatedError):
    """The API token is unknown, expired or revoked."""

    code = "request.token_invalid"

    def __init__(self) -> None:
        super().__init__("This API token is unknown, has expired or was revoked. Make a new one.")


def _note(request: Request, actor: Actor) -> None:
    """Note for the audit trail who asks, but where people wait and nothing is recorded."""
    if request.method in _READING or request.url.path.endswith(_NOT_RECORDED):
        return
    request_id = str(getattr(request.state, "request_id", ""))
    name = actor.username or "visitor"
    asking.set(Asking(name=name, user_id=actor.user_id, request_id=request_id))


class Identity:
    """Turns a request's credentials into an actor, once per request."""

    def __init__(self, authenticator: Authenticator) -> None:
        self._authenticator = authenticator

    async def __call__(self, request: Request) -> Actor:
        """Return the actor of a request; a visitor where it carries no credentials.

        Raises:
            TokenInvalidError: If it carries a token that is not good: a program should be
                told, where a browser with an old cookie is simply not signed in.
            ReadOnlyTokenError: If a token for reading is used to change something.
        """
        known = getattr(request.state, "actor", None)
        if isinstance(known, Actor):
            return known
        actor = await self._identify(request)
        request.state.actor = actor
        _note(request, actor)
        return actor

    async def _identify(self, request: Request) -> Actor:
        header = request.headers.get("authorization", "")
        if header.lower().startswith(_BEARER):
            secret = header[len(_BEARER) :].strip()
            actor = await self._authenticator.identify_token(secret)
            if actor is None:
                raise TokenInvalidError
            if actor.is_read_only and request.method not in _READING:
                raise ReadOnlyTokenError
            return actor
        cookie = request.cookies.get(SESSION_COOKIE)
        if cookie is None:
            return VISITOR
        return await self._authenticator.identify_session(cookie) or VISITOR
