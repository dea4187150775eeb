"""Calls about people: sign-in, own account, API tokens, administration."""

from collections.abc import Callable

from dynabench.client.addresses import Id
from dynabench.client.calls import delete, get, patch, path, post, shape, tell
from dynabench.client.links import Invitation, ResetLink, make_link, secret_of
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
from dynabench.loop.validations.schemas import CreditRead
from dynabench.people.schemas import (
    ApiTokenCreate,
    ApiTokenCreated,
    ApiTokenRead,
    InvitationCreate,
    InvitationRead,
    PasswordChange,
    PasswordReset,
    ProfileRead,
    SessionRead,
    SignIn,
    SignUp,
    UserAdminPatch,
    UserPatch,
    UserRead,
)


class AccountCalls(Calls[FaceT]):
    """Who this client is.

    Example::

        client.account.sign_in("ada", "a long password")
    """

    @Endpoint
    def get(self) -> Steps[SessionRead]:
        """Tell who this client is; `user` is None for a visitor."""
        return get(path("session"), SessionRead)

    @Endpoint
    def sign_in(self, username: str, password: str) -> Steps[SessionRead]:
        """Sign in with name and password; this client keeps the session."""
        body = shape(SignIn, {"username": username, "password": password})
        return post(path("session"), SessionRead, body)

    @Endpoint
    def sign_out(self) -> Steps[None]:
        """End the session."""
        return delete(path("session"))

    @Endpoint
    def sign_up(
        self, username: str, password: str, *, display_name: str = "", invitation: str | None = None
    ) -> Steps[SessionRead]:
        """Make an account and sign in; `invitation` is an invitation's link or its secret."""
        body = shape(
            SignUp,
            {
                "username": username,
                "password": password,
                "display_name": display_name,
                "invitation": None if invitation is None else secret_of(invitation),
            },
        )
        return post(path("users"), SessionRead, body)

    @Endpoint
    def update(self, *, display_name: str) -> Steps[UserRead]:
        """Change the own display name."""
        return patch(
            path("users", "me"), UserRead, shape(UserPatch, {"display_name": display_name})
        )

    @Endpoint
    def change_password(self, *, current: str, new: str, keep_tokens: bool = False) -> Steps[None]:
        """Set a new password; every other session and, unless kept, API token ends."""
        body = shape(
            PasswordChange,
            {"current_password": current, "new_password": new, "keep_tokens": keep_tokens},
        )
        return tell("POST", path("users", "me", "password"), body)

    @Endpoint
    def reset_password(self, link: str, new_password: str) -> Steps[None]:
        """Set a new password with a reset link or its secret."""
        body = shape(PasswordReset, {"new_password": new_password})
        return tell("POST", path("password-resets", secret_of(link)), body)


class TokenCalls(Calls[FaceT]):
    """API tokens of one's own.

    Example::

        secret = client.tokens.create("laptop", scope="read").secret
    """

    @Endpoint
    def list(self) -> Steps[Table[ApiTokenRead]]:
        """List the own API tokens."""
        return get(path("users", "me", "tokens"), Table[ApiTokenRead])

    @Endpoint
    def create(
        self, name: str, *, scope: str = "write", expires_in_days: int | None = None
    ) -> Steps[ApiTokenCreated]:
        """Make an API token; its `secret` is shown this once."""
        values = {"name": name, "scope": scope, "expires_in_days": expires_in_days}
        return post(path("users", "me", "tokens"), ApiTokenCreated, shape(ApiTokenCreate, values))

    @Endpoint
    def delete(self, token_id: Id) -> Steps[None]:
        """Revoke an API token at once."""
        return delete(path("users", "me", "tokens", token_id))


class UserCalls(Calls[FaceT]):
    """Who else is here.

    Example::

        for person in client.users.list(search="ada"):
            print(person.username)
    """

    @Listing
    def list(self, *, search: str = "") -> Callable[[str | None], Steps[Page[UserRead]]]:
        """Go through all people (administrators)."""
        return lambda cursor: get(
            path("users"), Page[UserRead], {"search": search, "cursor": cursor}
        )

    @Endpoint
    def get(self, username: str) -> Steps[ProfileRead]:
        """Show a person as everyone sees them."""
        return get(path("users", username), ProfileRead)

    @Endpoint
    def update(
        self, username: str, *, is_admin: bool | None = None, is_disabled: bool | None = None
    ) -> Steps[UserRead]:
        """Make a person an administrator, or disable their account (administrators)."""
        body = shape(UserAdminPatch, {"is_admin": is_admin, "is_disabled": is_disabled})
        return patch(path("users", username, "account"), UserRead, body)

    @Endpoint
    def create_reset_link(self, username: str) -> Steps[ResetLink]:
        """Make a link with which a person sets a new password (administrators)."""
        return make_link(path("users", username, "password-reset"), ResetLink)

    @Endpoint
    def credit(self, username: str) -> Steps[Table[CreditRead]]:
        """Show what a person did, by task and round."""
        return get(path("users", username, "credit"), Table[CreditRead])


class InvitationCalls(Calls[FaceT]):
    """Links that invite people (administrators).

    Example::

        print(client.invitations.create(note="for Ada").url)
    """

    @Endpoint
    def list(self) -> Steps[Table[InvitationRead]]:
        """List invitations (administrators)."""
        return get(path("invitations"), Table[InvitationRead])

    @Endpoint
    def create(self, *, note: str = "") -> Steps[Invitation]:
        """Invite a person by link (administrators)."""
        return make_link(path("invitations"), Invitation, shape(InvitationCreate, {"note": note}))

    @Endpoint
    def delete(self, invitation_id: Id) -> Steps[None]:
        """Take an invitation back (administrators)."""
        return delete(path("invitations", invitation_id))
