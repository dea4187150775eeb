"""Links that are shown once: their address, and the secret that is their last part."""

import re
from typing import TypeVar

from pydantic import BaseModel

from dynabench.client.calls import PREFIX, read, send
from dynabench.client.steps import Steps
from dynabench.loop.tasks.schemas import JoinLinkCreated
from dynabench.people.schemas import InvitationCreated, PasswordResetCreated


class _Linked(BaseModel):
    """A path to send: below the server's public address, or else the client's own of it."""

    path: str
    public_url: str | None = None
    origin: str = ""

    @property
    def url(self) -> str:
        """The whole address to send."""
        return self.public_url or f"{self.origin}{self.path}"

    @property
    def secret(self) -> str:
        """The last part of the path, or the value of its query."""
        return secret_of(self.path)


class JoinLink(JoinLinkCreated, _Linked):
    """A new join link: `url` is the address to send."""


class Invitation(InvitationCreated, _Linked):
    """A new invitation: `url` is the address to send."""


class ResetLink(PasswordResetCreated, _Linked):
    """A link for a new password: `url` is the address to send."""


LinkT = TypeVar("LinkT", bound=_Linked)


def make_link(where: str, kind: type[LinkT], body: BaseModel | None = None) -> Steps[LinkT]:
    """Have a link made; without a public address it is below the one that the request went to."""
    answer = yield from send("POST", where, body)
    origin = answer.url.partition(PREFIX)[0]
    return read(answer, kind).model_copy(update={"origin": origin})


def secret_of(link: str) -> str:
    """Return the secret of a link, which may be given by its address, path or secret.

    Example:
        >>> secret_of("http://127.0.0.1:8000/join/abc"), secret_of("/join/abc"), secret_of("abc")
        ('abc', 'abc', 'abc')
        >>> secret_of("https://example.org/sign-up?invitation=abc")
        'abc'
    """
    return re.split("[/=]", link.strip().rstrip("/"))[-1]
