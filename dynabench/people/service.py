"""Use cases of accounts: profiles, API tokens, administration, invitations."""

from dataclasses import dataclass, replace
from datetime import timedelta
from uuid import UUID

from pydantic import ValidationError

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.errors import InvalidError
from dynabench.kit.ids import new_id
from dynabench.kit.paging import DEFAULT_PAGE_SIZE, Page, cut, decode_cursor, encode_cursor
from dynabench.people.authentication.service import Authenticator
from dynabench.people.errors import (
    InvitationInvalidError,
    LastAdminError,
    NameReservedError,
    TokenNotFoundError,
    TokenOutlivesError,
    UsernameTakenError,
    UserNotFoundError,
)
from dynabench.people.passwords.service import Passwords
from dynabench.people.permissions import require_admin
from dynabench.people.repository import (
    InvitationRepository,
    NewSecret,
    NewUser,
    PasswordResetRepository,
    TokenRepository,
    UserRepository,
)
from dynabench.people.rules import digest_of, is_reserved, new_secret, username_key
from dynabench.people.schemas import (
    ApiTokenCreate,
    ApiTokenCreated,
    ApiTokenRead,
    InvitationCreate,
    InvitationCreated,
    InvitationRead,
    PasswordResetCreated,
    ProfileRead,
    SignUp,
    UserAdminPatch,
    UserPatch,
    UserRead,
)
from dynabench.people.values import (
    INVITATION_LIFETIME,
    PASSWORD_RESET_LIFETIME,
    TOKEN_PREFIX,
    UserRow,
)


@dataclass(frozen=True, slots=True)
class CreatedUser:
    """An account that the operator made.

    Attributes:
        password: The password in clear, to be shown this once.
    """

    user: UserRead
    password: str


class PeopleService:
    """Shows and changes accounts and what belongs to them.

    Args:
        public_url: Where browsers find the server, if the operator has said it.
    """

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        authenticator: Authenticator,
        passwords: Passwords,
        public_url: str | None = None,
    ) -> None:
        self._db = db
        self._clock = clock
        self._authenticator = authenticator
        self._passwords = passwords
        self._public_url = public_url

    async def profile(self, username: str) -> ProfileRead:
        """Show a person as everyone sees them."""
        async with self._db.read() as session:
            return ProfileRead.model_validate(await _find(session, username))

    async def change_me(self, body: UserPatch, *, actor: Actor) -> UserRead:
        """Change the actor's own display name.

        Raises:
            NameReservedError: If it could be taken for the platform's own, and they are no
                administrator.
        """
        user_id = require_signed_in(actor)
        name = body.display_name
        if name is not None and is_reserved(name, by_operator=actor.is_admin):
            raise NameReservedError(name=name, field="display_name")
        async with self._db.transaction() as session:
            users = UserRepository(session)
            if body.display_name is not None:
                await users.set_display_name(user_id, body.display_name)
            user = await users.by_id(user_id)
        if user is None:
            raise UserNotFoundError(username=actor.username)
        return UserRead.model_validate(user)

    async def tokens(self, *, actor: Actor) -> list[ApiTokenRead]:
        """List the actor's API tokens, newest first."""
        user_id = require_signed_in(actor)
        async with self._db.read() as session:
            rows = await TokenRepository(session).of_user(user_id)
        return [ApiTokenRead.model_validate(dict(row)) for row in rows]

    async def create_token(self, body: ApiTokenCreate, *, actor: Actor) -> ApiTokenCreated:
        """Make an API token; nothing but its digest is kept.

        One that is made with another token ends with it at the latest, and goes with it.

        Raises:
            TokenOutlivesError: If it was to last longer than the token in use.
        """
        user_id = require_signed_in(actor)
        secret = new_secret(TOKEN_PREFIX)
        days = body.expires_in_days
        new = self._new_secret(secret, lifetime=None if days is None else timedelta(days=days))
        if actor.token_expires_at is not None:
            if new.expires_at is None:
                new = replace(new, expires_at=actor.token_expires_at)
            elif new.expires_at > actor.token_expires_at:
                raise TokenOutlivesError
        async with self._db.transaction() as session:
            await TokenRepository(session).add(
                new,
                user_id=user_id,
                name=body.name,
                scope=body.scope,
                minted_by=actor.token_id,
            )
        return ApiTokenCreated(
            id=new.id,
            name=body.name,
            scope=body.scope,
            created_at=new.created_at,
            expires_at=new.expires_at,
            last_used_at=None,
            secret=secret,
        )

    async def revoke_token(self, token_id: UUID, *, actor: Actor) -> None:
        """Delete one of the actor's API tokens."""
        user_id = require_signed_in(actor)
        async with self._db.transaction() as session:
            if not await TokenRepository(session).remove(token_id, user_id=user_id):
                raise TokenNotFoundError
        self._authenticator.forget_everything_of(user_id)

    async def administrate(self, username: str, body: UserAdminPatch, *, actor: Actor) -> UserRead:
        """Change what a person may do here.

        A disabled person's sessions and tokens count no more, and count again when the
        account is enabled. Links for passwords and invitations that they made go for good, and
        so do those of somebody who administrates no more.

        Raises:
            UserNotFoundError: If nobody who can have an account has this name.
            LastAdminError: If nobody would be left to administrate.
        """
        require_admin(actor)
        async with self._db.transaction() as session:
            users = UserRepository(session)
            admins = set(await users.lock_admins())
            user = await _find_real(session, username)
            is_admin = user.is_admin if body.is_admin is None else body.is_admin
            was_disabled = user.disabled_at is not None
            is_disabled = was_disabled if body.is_disabled is None else body.is_disabled
            if admins == {user.id} and (is_disabled or not is_admin):
                raise LastAdminError
            await users.set_admin(user.id, is_admin=is_admin)
            if is_disabled or not is_admin:
                await PasswordResetRepository(session).forget_made_by(user.id)
                await InvitationRepository(session).forget_made_by(user.id)
            if is_disabled != was_disabled:
                since = self._clock.now() if is_disabled else None
                await users.set_disabled(user.id, disabled_at=since)
            changed = await _find_real(session, username)
        self._authenticator.forget_everything_of(user.id)
        return UserRead.model_validate(changed)

    async def create_password_reset(self, username: str, *, actor: Actor) -> PasswordResetCreated:
        """Make a link with which a person sets a new password; it replaces earlier ones."""
        require_admin(actor)
        secret = new_secret()
        new = self._new_secret(secret, lifetime=PASSWORD_RESET_LIFETIME)
        async with self._db.transaction() as session:
            user = await _find_real(session, username)
            await PasswordResetRepository(session).replace(
                new, user_id=user.id, created_by=actor.user_id
            )
        return PasswordResetCreated(
            path=(path := f"/password-reset/{secret}"),
            public_url=self._public(path),
            expires_at=new.created_at + PASSWORD_RESET_LIFETIME,
        )

    async def invitations(self, *, actor: Actor) -> list[InvitationRead]:
        """List invitations, newest first."""
        require_admin(actor)
        async with self._db.read() as session:
            rows = await InvitationRepository(session).all()
        return [InvitationRead.model_validate(dict(row)) for row in rows]

    async def invite(self, body: InvitationCreate, *, actor: Actor) -> InvitationCreated:
        """Make a link with which one person makes an account."""
        require_admin(actor)
        secret = new_secret()
        new = self._new_secret(secret, lifetime=INVITATION_LIFETIME)
        async with self._db.transaction() as session:
            await InvitationRepository(session).add(new, note=body.note, created_by=actor.user_id)
        return InvitationCreated(
            id=new.id,
            note=body.note,
            created_at=new.created_at,
            expires_at=new.created_at + INVITATION_LIFETIME,
            accepted_by=None,
            accepted_at=None,
            path=(path := f"/sign-up?invitation={secret}"),
            public_url=self._public(path),
        )

    def _public(self, path: str) -> str | None:
        return None if self._public_url is None else f"{self._public_url}{path}"

    async def revoke_invitation(self, invitation_id: UUID, *, actor: Actor) -> None:
        """Take back an invitation that nobody has accepted."""
        require_admin(actor)
        async with self._db.transaction() as session:
            if not await InvitationRepository(session).remove(invitation_id):
                raise InvitationInvalidError

    async def create_user(
        self,
        username: str,
        *,
        password: str | None = None,
        is_admin: bool = False,
        display_name: str = "",
    ) -> CreatedUser:
        """Make an account on the operator's word, whoever may register otherwise.

        Args:
            username: The name to sign in with.
            password: None makes a random one.
            is_admin: Whether the person runs this installation.
            display_name: The name shown beside it; may be empty.

        Raises:
            InvalidError: If name or password cannot be used.
            NameReservedError: If the name is nobody's.
            UsernameTakenError: If somebody has this name.
        """
        clear = password if password is not None else new_secret()
        _check_account(username, password=clear, display_name=display_name)
        if is_reserved(username, by_operator=True):
            raise NameReservedError(name=username, field="username")
        user = NewUser(
            id=new_id(),
            username=username,
            display_name=display_name,
            password_hash=await self._passwords.hash(clear),
            is_admin=is_admin,
            created_at=self._clock.now(),
        )
        async with self._db.transaction() as session:
            users = UserRepository(session)
            if not await users.add(user):
                raise UsernameTakenError(username=username)
            created = await _find_real(session, username)
        return CreatedUser(user=UserRead.model_validate(created), password=clear)

    async def ensure_admin(self, username: str = "admin") -> CreatedUser | None:
        """Make an administrator with a random password where there is none.

        Returns:
            The new account, or None if somebody administrates already.

        Raises:
            UsernameTakenError: If nobody administrates and the name is somebody else's.
        """
        async with self._db.transaction() as session:
            if await UserRepository(session).lock_admins():
                return None
        try:
            return await self.create_user(username, is_admin=True)
        except UsernameTakenError:
            # Another process that starts at the same time may have been faster.
            async with self._db.transaction() as session:
                if await UserRepository(session).lock_admins():
                    return None
            raise

    def _new_secret(self, secret: str, *, lifetime: timedelta | None) -> NewSecret:
        now = self._clock.now()
        return NewSecret(
            id=new_id(),
            digest=digest_of(secret),
            created_at=now,
            expires_at=None if lifetime is None else now + lifetime,
        )

    # Last, so that above it `list` still is the built-in type.
    async def list(self, *, actor: Actor, search: str, cursor: str | None) -> Page[UserRead]:
        """List people by name, without the pseudonyms of replayed collections."""
        require_admin(actor)
        after = None if cursor is None else username_key(decode_cursor(cursor, str)[0])
        async with self._db.read() as session:
            found = await UserRepository(session).page(
                search=search.strip(), after=after, limit=DEFAULT_PAGE_SIZE + 1
            )
        shown, has_more = cut(found, size=DEFAULT_PAGE_SIZE)
        return Page(
            items=[UserRead.model_validate(user) for user in shown],
            next_cursor=encode_cursor([username_key(shown[-1].username)]) if has_more else None,
        )


async def _find(session: Session, username: str) -> UserRow:
    user = await UserRepository(session).by_username(username)
    if user is None:
        raise UserNotFoundError(username=username)
    return user


async def _find_real(session: Session, username: str) -> UserRow:
    """Return the person of a name; a pseudonym has no account."""
    user = await _find(session, username)
    if user.is_synthetic:
        raise UserNotFoundError(username=username)
    return user


def _check_account(username: str, *, password: str, display_name: str) -> None:
    try:
        SignUp(username=username, password=password, display_name=display_name)
    except ValidationError as error:
        fields = {str(found["loc"][0]): f"{found['msg']}." for found in error.errors()}
        sentences = " ".join(f"{name}: {sentence}" for name, sentence in fields.items())
        raise InvalidError(sentences, fields=fields) from None
