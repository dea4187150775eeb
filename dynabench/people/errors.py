"""What can go wrong with people."""

from dynabench.kit.errors import (
    ConflictError,
    ForbiddenError,
    InvalidError,
    LimitError,
    NotFoundError,
)


class UserNotFoundError(NotFoundError):
    """Nobody has this name."""

    code = "people.user_not_found"

    def __init__(self, *, username: str) -> None:
        super().__init__(f"Nobody here is called “{username}”.", username=username)


class UsernameTakenError(ConflictError):
    """Somebody else has this name, in any case of letters."""

    code = "people.username_taken"

    def __init__(self, *, username: str) -> None:
        message = f"“{username}” is taken. Choose another name."
        super().__init__(message, fields={"username": message}, username=username)


class NameReservedError(InvalidError):
    """The name could be taken for the platform's own."""

    code = "people.name_reserved"

    def __init__(self, *, name: str, field: str) -> None:
        message = f"“{name}” could be taken for the platform's own. Choose another name."
        super().__init__(message, fields={field: message}, name=name)


class WrongPasswordError(InvalidError):
    """Name and password do not belong together."""

    code = "people.wrong_password"

    def __init__(self) -> None:
        super().__init__("Name and password do not match. Check both and try again.")


class TooManySignInsError(LimitError):
    """Too many failed attempts to sign in."""

    code = "people.too_many_sign_ins"

    def __init__(self, *, minutes: int) -> None:
        message = f"Too many failed attempts. Try again in {minutes} minutes."
        super().__init__(message, retry_after_seconds=60 * minutes, minutes=minutes)


class TokenOutlivesError(InvalidError):
    """A token that ends was used to make one that lasts longer."""

    code = "people.token_outlives"

    def __init__(self) -> None:
        message = (
            "An API token makes no token that lasts longer than itself. "
            "Ask for fewer days, or sign in with your password."
        )
        super().__init__(message, fields={"expires_in_days": message})


class InvitationNeededError(ForbiddenError):
    """Accounts are by invitation here."""

    code = "people.invitation_needed"

    def __init__(self) -> None:
        super().__init__(
            "Accounts here are by invitation. Ask an administrator for an invitation link."
        )


class InvitationInvalidError(NotFoundError):
    """The invitation was used, has expired or was taken back."""

    code = "people.invitation_invalid"

    def __init__(self) -> None:
        super().__init__(
            "This invitation was used, has expired or was taken back. Ask for a new one."
        )


class PasswordResetInvalidError(NotFoundError):
    """The reset link was used or has expired."""

    code = "people.password_reset_invalid"

    def __init__(self) -> None:
        super().__init__("This link was used or has expired. Ask an administrator for a new one.")


class TokenNotFoundError(NotFoundError):
    """The actor has no such API token."""

    code = "people.token_not_found"

    def __init__(self) -> None:
        super().__init__("You have no such API token.")


class AdminNeededError(ForbiddenError):
    """Only administrators may do this."""

    code = "people.admin_needed"

    def __init__(self) -> None:
        super().__init__("Only an administrator may do this.")


class LastAdminError(ConflictError):
    """The last administrator would be gone."""

    code = "people.last_admin"

    def __init__(self) -> None:
        super().__init__("This is the last administrator. Make another one first.")
