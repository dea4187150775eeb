"""Use cases of one's own sign-in: sessions and passwords."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.settings import Registration, Settings
from dynabench.people.authentication.service import Authenticator
from dynabench.people.errors import (
    InvitationInvalidError,
    InvitationNeededError,
    PasswordResetInvalidError,
    TooManySignInsError,
    UsernameTakenError,
    WrongPasswordError,
)
from dynabench.people.passwords.service import Passwords
from dynabench.people.repository import (
    InvitationRepository,
    NewUser,
    PasswordResetRepository,
    UserRepository,
)
from dynabench.people.rules import (
    digest_of,
    minutes_to_wait,
    new_secret,
    sign_up_mark,
    username_key,
)
from dynabench.people.schemas import (
    PasswordChange,
    PasswordReset,
    SessionRead,
    SignIn,
    SignUp,
    UserRead,
)
from dynabench.people.sign_ins.repository import SessionRepository, SignInFailureRepository
from dynabench.people.values import LONGEST_SECRET, SIGN_IN_WINDOW


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A fresh session.

    Attributes:
        secret: What the browser keeps as a cookie; it is stored nowhere else.
        days: How long the session lasts without use.
        session: Who is signed in now.
    """

    secret: str
    days: int
    session: SessionRead


class SignInService:
    """Signs people in and out, makes accounts and changes passwords."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        *,
        authenticator: Authenticator,
        passwords: Passwords,
        settings: Settings,
        address_key: Callable[[], bytes],
    ) -> None:
        self._db = db
        self._clock = clock
        self._authenticator = authenticator
        self._passwords = passwords
        self._registration = settings.who_may_register
        self._address_key = address_key
        self.session_days = settings.session_days

    async def describe(self, actor: Actor) -> SessionRead:
        """Tell who is signed in."""
        user = None
        if actor.user_id is not None:
            async with self._db.read() as session:
                user = await UserRepository(session).by_id(actor.user_id)
        return SessionRead(
            user=None if user is None else UserRead.model_validate(user),
            registration=self._registration.value,
        )

    async def sign_in(self, body: SignIn, *, address: str) -> SignedIn:
        """Check a name and a password and open a session.

        An attempt counts as failed until it succeeds, so that many at the same time are
        not more than many in a row.

        Raises:
            TooManySignInsError: If the name was tried too often from this address.
            WrongPasswordError: If they do not belong together, or the account is disabled.
        """
        name_key = username_key(body.username)
        await self._count_attempt(name_key=name_key, address=address)
        async with self._db.read() as session:
            found = await SessionRepository(session).credentials(name_key)
        stored = None if found is None else found.password_hash
        if not await self._passwords.matches(body.password, stored) or found is None:
            raise WrongPasswordError
        async with self._db.transaction() as session:
            await SignInFailureRepository(session).clear(name_key=name_key, address=address)
            secret = await self._open_session(session, found.user_id)
        return await self._signed_in(secret, found.user_id)

    async def sign_up(self, body: SignUp, *, address: str) -> SignedIn:
        """Make an account and open a session in it.

        Of who comes without an invitation a keyed hash of their address is kept.

        Raises:
            UsernameTakenError: If somebody has this name, in any case of letters.
            InvitationNeededError: If accounts are by invitation and none was given.
            InvitationInvalidError: If the invitation was used, taken back or has expired.
        """
        if self._registration is Registration.INVITED and body.invitation is None:
            raise InvitationNeededError
        await self._check_sign_up(body)
        password_hash = await self._passwords.hash(body.password)
        now = self._clock.now()
        user_id = new_id()
        mark = None
        if body.invitation is None:
            mark = sign_up_mark(self._address_key(), address=address, user_id=user_id)
        user = NewUser(
            id=user_id,
            username=body.username,
            display_name=body.display_name.strip(),
            password_hash=password_hash,
            created_at=now,
            sign_up_mark=mark,
        )
        async with self._db.transaction() as session:
            if not await UserRepository(session).add(user):
                raise UsernameTakenError(username=body.username)
            if body.invitation is not None and not await InvitationRepository(session).accept(
                digest_of(body.invitation), user_id=user.id, now=now
            ):
                raise InvitationInvalidError
            secret = await self._open_session(session, user.id)
        return await self._signed_in(secret, user.id)

    async def sign_out(self, secret: str | None) -> None:
        """Forget a session; nothing happens where there is none."""
        if secret is None or len(secret) > LONGEST_SECRET:
            return
        async with self._db.transaction() as session:
            await SessionRepository(session).remove(digest_of(secret))
        self._authenticator.forget(secret)

    async def change_password(
        self, body: PasswordChange, *, actor: Actor, keep: str | None
    ) -> None:
        """Set a new password and end every session but the one of `keep`.

        Raises:
            TooManySignInsError: If the old password was guessed too often.
            WrongPasswordError: If the old password is not the actor's.
        """
        user_id = require_signed_in(actor)
        # The person's own counter: a stolen session guesses no faster than a stranger.
        name_key, address = username_key(actor.username), "password change"
        await self._count_attempt(name_key=name_key, address=address)
        async with self._db.read() as session:
            stored = await UserRepository(session).password_hash(user_id)
        if not await self._passwords.matches(body.current_password, stored):
            raise WrongPasswordError
        password_hash = await self._passwords.hash(body.new_password)
        async with self._db.transaction() as session:
            await UserRepository(session).set_password_hash(user_id, password_hash)
            await SessionRepository(session).remove_all_of(
                user_id, but=None if keep is None else digest_of(keep)
            )
            await SignInFailureRepository(session).clear(name_key=name_key, address=address)
        self._authenticator.forget_everything_of(user_id)

    async def reset_password(self, secret: str, body: PasswordReset) -> None:
        """Set a new password with a link and end every session of that person.

        Raises:
            PasswordResetInvalidError: If the link was used, replaced or has expired.
        """
        digest = digest_of(secret)
        async with self._db.read() as session:
            if not await PasswordResetRepository(session).is_open(digest, now=self._clock.now()):
                raise PasswordResetInvalidError
        password_hash = await self._passwords.hash(body.new_password)
        async with self._db.transaction() as session:
            user_id = await PasswordResetRepository(session).use(digest, now=self._clock.now())
            if user_id is None:
                raise PasswordResetInvalidError
            users = UserRepository(session)
            await users.set_password_hash(user_id, password_hash)
            await SessionRepository(session).remove_all_of(user_id)
            user = await users.by_id(user_id)
            if user is not None:
                await SignInFailureRepository(session).clear(name_key=username_key(user.username))
        self._authenticator.forget_everything_of(user_id)

    async def purge(self) -> None:
        """Delete sessions that have ended and failures too old to matter."""
        now = self._clock.now()
        async with self._db.transaction() as session:
            await SessionRepository(session).remove_expired(now=now)
            await SignInFailureRepository(session).remove_before(now - SIGN_IN_WINDOW)

    async def _check_sign_up(self, body: SignUp) -> None:
        """Refuse early what would be refused anyway, before the slow hash."""
        async with self._db.read() as session:
            if body.invitation is not None and not await InvitationRepository(session).is_open(
                digest_of(body.invitation), now=self._clock.now()
            ):
                raise InvitationInvalidError
            if await UserRepository(session).by_username(body.username) is not None:
                raise UsernameTakenError(username=body.username)

    async def _count_attempt(self, *, name_key: str, address: str) -> None:
        now = self._clock.now()
        async with self._db.transaction() as session:
            failures = SignInFailureRepository(session)
            await failures.lock(name_key=name_key, address=address)
            recent = await failures.since(
                name_key=name_key, address=address, after=now - SIGN_IN_WINDOW
            )
            minutes = minutes_to_wait(recent, now=now)
            if minutes is not None:
                raise TooManySignInsError(minutes=minutes)
            await failures.add(new_id(), name_key=name_key, address=address, failed_at=now)

    async def _open_session(self, session: Session, user_id: UUID) -> str:
        secret = new_secret()
        now = self._clock.now()
        await SessionRepository(session).add(
            new_id(),
            user_id=user_id,
            digest=digest_of(secret),
            created_at=now,
            expires_at=now + timedelta(days=self.session_days),
        )
        return secret

    async def _signed_in(self, secret: str, user_id: UUID) -> SignedIn:
        return SignedIn(
            secret=secret,
            days=self.session_days,
            session=await self.describe(Actor(user_id=user_id)),
        )
