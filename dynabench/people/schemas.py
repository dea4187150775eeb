"""Wire shapes of people: accounts, sessions, API tokens, invitations."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from dynabench.kit.wire import WireModel
from dynabench.people.rules import plain_name, why_not_shown
from dynabench.people.values import MINIMUM_PASSWORD_LENGTH, TokenScope
from dynabench.science.texts.wire_texts import OneLine

_LONGEST_NAME = 80
_TOO_LONG = f"It has more than {_LONGEST_NAME} characters when written out; shorten it"

Username = Annotated[
    str,
    Field(
        min_length=2,
        max_length=32,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*[A-Za-z0-9]$",
        description="Letters, digits, and between them dot, dash and underscore; shown to others.",
    ),
]


def _shown(name: str) -> str:
    plain = plain_name(name)
    # One character may stand for a whole sentence.
    reason = _TOO_LONG if len(plain) > _LONGEST_NAME else why_not_shown(plain)
    if reason is not None:
        raise PydanticCustomError("not_shown", "{reason}", {"reason": reason})
    return plain


DisplayName = Annotated[OneLine, Field(max_length=_LONGEST_NAME), AfterValidator(_shown)]
Password = Annotated[str, Field(min_length=MINIMUM_PASSWORD_LENGTH, max_length=200)]


class SignUp(WireModel):
    """A new account; `invitation` is needed where registration is by invitation."""

    username: Username
    password: Password
    display_name: DisplayName = ""
    invitation: Annotated[str, Field(max_length=100)] | None = None


class SignIn(WireModel):
    """Name and password."""

    username: Annotated[str, Field(max_length=100)]
    password: Annotated[str, Field(max_length=200)]


class UserRead(WireModel):
    """A person as the person, or an administrator, sees them."""

    id: UUID
    username: str
    display_name: str
    is_admin: bool
    created_at: datetime
    disabled_at: datetime | None


class SessionRead(WireModel):
    """Who is signed in here; `user` is null for a visitor."""

    user: UserRead | None
    registration: str


class ProfileRead(WireModel):
    """A person as everyone sees them."""

    username: str
    display_name: str
    created_at: datetime


class UserPatch(WireModel):
    """What people change about themselves."""

    display_name: DisplayName | None = None


class PasswordChange(WireModel):
    """A new password, proved by the old one; whoever knew the old one is shut out."""

    current_password: Annotated[str, Field(max_length=200)]
    new_password: Password
    keep_tokens: Annotated[
        bool, Field(description="Whether API tokens stay good; every other one is revoked else.")
    ] = False


class ApiTokenCreate(WireModel):
    """A name to recognise the token by, and what it may do."""

    name: Annotated[OneLine, Field(min_length=1, max_length=80)]
    scope: TokenScope = TokenScope.WRITE
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] | None = None


class ApiTokenRead(WireModel):
    """An API token without its secret."""

    id: UUID
    name: str
    scope: TokenScope
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class ApiTokenCreated(ApiTokenRead):
    """A new API token; `secret` is shown this once."""

    secret: str


class InvitationCreate(WireModel):
    """A note for whom the invitation is; it makes one account."""

    note: Annotated[OneLine, Field(max_length=200)] = ""


class InvitationRead(WireModel):
    """An invitation without its secret."""

    id: UUID
    note: str
    created_at: datetime
    expires_at: datetime
    accepted_by: str | None
    accepted_at: datetime | None


class InvitationCreated(InvitationRead):
    """A new invitation; `path` is the page to send, shown this once.

    Attributes:
        public_url: The same as a whole address, where the operator has said the server's.
    """

    path: str
    public_url: str | None = None


class PasswordResetCreated(WireModel):
    """A link with which one person sets a new password; shown this once.

    Attributes:
        public_url: The same as a whole address, where the operator has said the server's.
    """

    path: str
    public_url: str | None = None
    expires_at: datetime


class PasswordReset(WireModel):
    """The new password."""

    new_password: Password


class UserAdminPatch(WireModel):
    """What an administrator changes about a person."""

    is_admin: bool | None = None
    is_disabled: bool | None = None
