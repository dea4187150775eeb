"""Who is asking: a person signed in by session or API token, or a visitor."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from dynabench.kit.errors import ForbiddenError, UnauthenticatedError


@dataclass(frozen=True, slots=True)
class Actor:
    """The one on whose behalf a use case runs.

    Attributes:
        user_id: The person's id; None for a visitor who is not signed in.
        username: The name shown to others; empty for a visitor.
        is_admin: Whether the person runs this installation.
        is_read_only: Whether the API token in use was made for reading only.
        token_id: The API token in use; None for a session.
        token_expires_at: When that token ends; None where it does not.
    """

    user_id: UUID | None
    username: str = ""
    is_admin: bool = False
    is_read_only: bool = False
    token_id: UUID | None = None
    token_expires_at: datetime | None = None


VISITOR = Actor(user_id=None)


class ReadOnlyTokenError(ForbiddenError):
    """An API token for reading was used to change something."""

    code = "request.read_only_token"

    def __init__(self) -> None:
        super().__init__("This API token may only read. Make one with the scope 'write'.")


class SignInRequiredError(UnauthenticatedError):
    """A visitor asked for something that needs an account."""

    code = "request.sign_in_required"

    def __init__(self) -> None:
        super().__init__("Sign in first; what you wrote is kept in this browser.")


def require_writer(actor: Actor) -> UUID:
    """Return the id of somebody who may change things, where a route that reads also writes.

    Raises:
        SignInRequiredError: If the actor is a visitor.
        ReadOnlyTokenError: If the actor's API token is for reading only.
    """
    user_id = require_signed_in(actor)
    if actor.is_read_only:
        raise ReadOnlyTokenError
    return user_id


def require_signed_in(actor: Actor) -> UUID:
    """Return the actor's user id, or refuse.

    Raises:
        SignInRequiredError: If the actor is a visitor.
    """
    if actor.user_id is None:
        raise SignInRequiredError
    return actor.user_id
