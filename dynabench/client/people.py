"""Calls about people: sign-in, own account, API tokens, administration."""

from collections.abc import Callable

from dynabench.client.calls import Id, delete, get, patch, path, post, shape, tell
from dynabench.client.links import Invitation, ResetLink, make_link, secret_of
from dynabench.client.methods import Endpoint, Listing
from dynabench.client.steps import Steps
from dynabench.kit.paging import Page
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


class PeopleCalls:
    """Who one is here, and who else is."""

    @Endpoint
    def session(self) -> Steps[SessionRead]:
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
    def change_me(self, *, display_name: str) -> Steps[UserRead]:
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
    def list_tokens(self) -> Steps[list[ApiTokenRead]]:
        """List the own API tokens."""
        return get(path("users", "me", "tokens"), list[ApiTokenRead])

    @Endpoint
    def create_token(
        self, name: str, *, scope: str = "write", expires_in_days: int | None = None
    ) -> Steps[ApiTokenCreated]:
        """Make an API token; its `secret` is shown this once."""
        values = {"name": name, "scope": scope, "expires_in_days": expires_in_days}
        return post(path("users", "me", "tokens"), ApiTokenCreated, shape(ApiTokenCreate, values))

    @Endpoint
    def revoke_token(self, token_id: Id) -> Steps[None]:
        """Revoke an API token at once."""
        return delete(path("users", "me", "tokens", token_id))

    @Endpoint
    def read_profile(self, username: str) -> Steps[ProfileRead]:
        """Show a person as everyone sees them."""
        return get(path("users", username), ProfileRead)

    @Endpoint
    def list_users(self, *, search: str = "", cursor: str | None = None) -> Steps[Page[UserRead]]:
        """Return one page of the list of people (administrators)."""
        return get(path("users"), Page[UserRead], {"search": search, "cursor": cursor})

    @Listing
    def each_user(self, *, search: str = "") -> Callable[[str | None], Steps[Page[UserRead]]]:
        """Go through all people (administrators)."""
        return lambda cursor: get(
            path("users"), Page[UserRead], {"search": search, "cursor": cursor}
        )

    @Endpoint
    def administrate(
        self, username: str, *, is_admin: bool | None = None, is_disabled: bool | None = None
    ) -> Steps[UserRead]:
        """Make a person an administrator, or disable their account (administrators)."""
        body = shape(UserAdminPatch, {"is_admin": is_admin, "is_disabled": is_disabled})
        return patch(path("users", username, "account"), UserRead, body)

    @Endpoint
    def create_password_reset(self, username: str) -> Steps[ResetLink]:
        """Make a link with which a person sets a new password (administrators)."""
        return make_link(path("users", username, "password-reset"), ResetLink)

    @Endpoint
    def reset_password(self, link: str, new_password: str) -> Steps[None]:
        """Set a new password with a reset link or its secret."""
        body = shape(PasswordReset, {"new_password": new_password})
        return tell("POST", path("password-resets", secret_of(link)), body)

    @Endpoint
    def list_invitations(self) -> Steps[list[InvitationRead]]:
        """List invitations (administrators)."""
        return get(path("invitations"), list[InvitationRead])

    @Endpoint
    def create_invitation(self, *, note: str = "") -> Steps[Invitation]:
        """Invite a person by link (administrators)."""
        return make_link(path("invitations"), Invitation, shape(InvitationCreate, {"note": note}))

    @Endpoint
    def revoke_invitation(self, invitation_id: Id) -> Steps[None]:
        """Take an invitation back (administrators)."""
        return delete(path("invitations", invitation_id))
