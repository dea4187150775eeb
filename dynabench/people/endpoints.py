"""Routes of people: sign-in, own account, API tokens, administration."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Cookie, Depends, Query, Request, Response

from dynabench.kit.paging import Cursor, Page
from dynabench.kit.rate_limits.errors import TooOftenError
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.people import errors
from dynabench.people.schemas import (
    ApiTokenCreate,
    ApiTokenCreated,
    ApiTokenRead,
    InvitationCreate,
    InvitationCreated,
    InvitationRead,
    PasswordChange,
    PasswordReset,
    PasswordResetCreated,
    ProfileRead,
    SessionRead,
    SignIn,
    SignUp,
    UserAdminPatch,
    UserPatch,
    UserRead,
)
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService

SESSION_COOKIE = "dynabench_session"

router = APIRouter(prefix="/api/v1", tags=["people"])

People = Annotated[PeopleService, Depends(provide(PeopleService))]
SignIns = Annotated[SignInService, Depends(provide(SignInService))]
SessionSecret = Annotated[str | None, Cookie(alias=SESSION_COOKIE)]


def _remember(response: Response, request: Request, *, secret: str, days: int) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        secret,
        max_age=days * 86_400,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
        path="/",
    )


@router.get("/session")
async def read_session(
    actor: ActorDep,
    request: Request,
    response: Response,
    sign_ins: SignIns,
    secret: SessionSecret = None,
) -> SessionRead:
    """Tell who is signed in; the cookie lasts on while the session is used."""
    found = await sign_ins.describe(actor)
    if secret is not None and found.user is not None:
        _remember(response, request, secret=secret, days=sign_ins.session_days)
    return found


@router.post(
    "/session",
    openapi_extra=raises(errors.WrongPasswordError, errors.TooManySignInsError),
)
async def sign_in(
    body: SignIn, request: Request, response: Response, sign_ins: SignIns
) -> SessionRead:
    """Sign in with name and password; sets the session cookie."""
    address = request.client.host if request.client else ""
    signed_in = await sign_ins.sign_in(body, address=address)
    _remember(response, request, secret=signed_in.secret, days=signed_in.days)
    return signed_in.session


@router.delete("/session", status_code=204)
async def sign_out(response: Response, sign_ins: SignIns, secret: SessionSecret = None) -> None:
    """Sign out and forget the session."""
    await sign_ins.sign_out(secret)
    response.delete_cookie(SESSION_COOKIE, path="/")


@router.post(
    "/users",
    status_code=201,
    openapi_extra=raises(
        errors.UsernameTakenError,
        errors.NameReservedError,
        errors.InvitationNeededError,
        errors.InvitationInvalidError,
        TooOftenError,
    ),
)
async def sign_up(
    body: SignUp, request: Request, response: Response, sign_ins: SignIns
) -> SessionRead:
    """Make an account and sign in."""
    address = request.client.host if request.client else ""
    signed_in = await sign_ins.sign_up(body, address=address)
    _remember(response, request, secret=signed_in.secret, days=signed_in.days)
    return signed_in.session


@router.get("/users")
async def list_users(
    actor: ActorDep,
    people: People,
    search: Annotated[str, Query(max_length=100)] = "",
    cursor: Cursor = None,
) -> Page[UserRead]:
    """List people (administrators)."""
    return await people.list(actor=actor, search=search, cursor=cursor)


@router.get("/users/{username}", openapi_extra=raises(errors.UserNotFoundError))
async def read_profile(username: str, people: People) -> ProfileRead:
    """Show a person as everyone sees them."""
    return await people.profile(username)


@router.patch("/users/me", openapi_extra=raises(errors.NameReservedError))
async def change_me(body: UserPatch, actor: ActorDep, people: People) -> UserRead:
    """Change the own display name."""
    return await people.change_me(body, actor=actor)


@router.post(
    "/users/me/password",
    status_code=204,
    openapi_extra=raises(errors.WrongPasswordError, errors.TooManySignInsError),
)
async def change_password(
    body: PasswordChange, actor: ActorDep, sign_ins: SignIns, secret: SessionSecret = None
) -> None:
    """Set a new password; every other session ends, and API tokens unless they are kept."""
    await sign_ins.change_password(body, actor=actor, keep=secret)


@router.get("/users/me/tokens")
async def list_tokens(actor: ActorDep, people: People) -> list[ApiTokenRead]:
    """List the own API tokens."""
    return await people.tokens(actor=actor)


@router.post("/users/me/tokens", status_code=201, openapi_extra=raises(errors.TokenOutlivesError))
async def create_token(body: ApiTokenCreate, actor: ActorDep, people: People) -> ApiTokenCreated:
    """Make an API token; its secret is shown this once."""
    return await people.create_token(body, actor=actor)


@router.delete(
    "/users/me/tokens/{token_id}", status_code=204, openapi_extra=raises(errors.TokenNotFoundError)
)
async def revoke_token(token_id: UUID, actor: ActorDep, people: People) -> None:
    """Revoke an API token at once."""
    await people.revoke_token(token_id, actor=actor)


@router.patch("/users/{username}/account", openapi_extra=raises(errors.UserNotFoundError))
async def administrate(
    username: str, body: UserAdminPatch, actor: ActorDep, people: People
) -> UserRead:
    """Make a person an administrator, or disable their account (administrators)."""
    return await people.administrate(username, body, actor=actor)


@router.post(
    "/users/{username}/password-reset",
    status_code=201,
    openapi_extra=raises(errors.UserNotFoundError),
)
async def create_password_reset(
    username: str, actor: ActorDep, people: People
) -> PasswordResetCreated:
    """Make a link with which a person sets a new password (administrators)."""
    return await people.create_password_reset(username, actor=actor)


@router.post(
    "/password-resets/{secret}",
    status_code=204,
    openapi_extra=raises(errors.PasswordResetInvalidError),
)
async def reset_password(secret: str, body: PasswordReset, sign_ins: SignIns) -> None:
    """Set a new password with a reset link; every session and API token ends."""
    await sign_ins.reset_password(secret, body)


@router.get("/invitations")
async def list_invitations(actor: ActorDep, people: People) -> list[InvitationRead]:
    """List invitations (administrators)."""
    return await people.invitations(actor=actor)


@router.post("/invitations", status_code=201)
async def create_invitation(
    body: InvitationCreate, actor: ActorDep, people: People
) -> InvitationCreated:
    """Invite a person by link (administrators)."""
    return await people.invite(body, actor=actor)


@router.delete(
    "/invitations/{invitation_id}",
    status_code=204,
    openapi_extra=raises(errors.InvitationInvalidError),
)
async def revoke_invitation(invitation_id: UUID, actor: ActorDep, people: People) -> None:
    """Take an invitation back (administrators)."""
    await people.revoke_invitation(invitation_id, actor=actor)
