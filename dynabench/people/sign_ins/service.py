"""Use cases of one's own sign-in: sessions and passwords."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.addresses import AddressSet, address_group
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.rate_limits.values import RateName
from dynabench.kit.settings import Registration, Settings
from dynabench.people.authentication.service import Authenticator
from dynabench.people.errors import (
    InvitationInvalidError,
    InvitationNeededError,
    NameReservedError,
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
    TokenRepository,
    UserRepository,
)
from dynabench.people.rules import (
    digest_of,
    is_reserved,
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
from dynabench.people.sign_ins.repository import SessionRepository
from dynabench.people.values import LONGEST_SECRET


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
        limiter: RateLimiter,
        address_key: Callable[[], bytes],
    ) -> None:
        self._db = db
        self._clock = clock
        self._authenticator = authenticator
        self._passwords = passwords
        self._registration = settings.who_may_register
        self._address_key = address_key
        self._limiter = limiter
        self._unlimited = AddressSet(settings.unlimited_addresses)
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
            TooManySignInsError: If the name was tried too often from this address, or this
                address tried too many names, or the name was tried too often from anywhere.
            WrongPasswordError: If they do not belong together, or the account is disabled.
        """
        name_key, sender = username_key(body.username), address_group(address)
        await self._count_attempt(RateName.SIGN_INS_OF_ADDRESS, sender)
        await self._count_attempt(RateName.SIGN_INS, f"{name_key} {sender}")
        await self._count_attempt(RateName.SIGN_INS_OF_NAME, name_key)
        async with self._db.read() as session:
            found = await SessionRepository(session).credentials(name_key)
        stored = None if found is None else found.password_hash
        if not await self._passwords.matches(body.password, stored) or found is None:
            raise WrongPasswordError
        async with self._db.transaction() as session:
            secret = await self._open_session(session, found.user_id)
        await self._limiter.give_back(RateName.SIGN_INS_OF_ADDRESS, sender)
        await self._limiter.give_back(RateName.SIGN_INS_OF_NAME, name_key)
        await self._limiter.forget(RateName.SIGN_INS, f"{name_key} {sender}")
        return await self._signed_in(secret, found.user_id)

    async def sign_up(self, body: SignUp, *, address: str) -> SignedIn:
        """Make an account and open a session in it.

        Of who comes without an invitation a keyed hash of their address is kept.

        Raises:
            NameReservedError: If a name could be taken for the platform's own.
            UsernameTakenError: If somebody has this name, in any case of letters.
            InvitationNeededError: If accounts are by invitation and none was given.
            InvitationInvalidError: If the invitation was used, taken back or has expired.
            TooOftenError: If too many accounts come from this address.
        """
        if self._registration is Registration.INVITED and body.invitation is None:
            raise InvitationNeededError
        for field, name in (("username", body.username), ("display_name", body.display_name)):
            if is_reserved(name):
                raise NameReservedError(name=name, field=field)
        await self._check_sign_up(body)
        if body.invitation is None and address not in self._unlimited:
            await self._limiter.take(RateName.SIGN_UPS, address_group(address))
        password_hash = await self._passwords.hash(body.password)
        now = self._clock.now()
        user_id = new_id()
        mark = None
        if body.invitation is None:
            mark = sign_up_mark(self._address_key(), address=address, user_id=user_id)
        user = NewUser(
            id=user_id,
            username=body.username,
            display_name=body.display_name,
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
        """Set a new password; every other session, reset link and other API token ends.

        Args:
            body: Both passwords, and whether the API tokens are kept.
            actor: Whose password it is.
            keep: The secret of the session in use.

        Raises:
            TooManySignInsError: If the old password was guessed too often.
            WrongPasswordError: If the old password is not the actor's.
        """
        user_id = require_signed_in(actor)
        # The person's own counter: a stolen session guesses no faster than a stranger.
        counted = f"{username_key(actor.username)} password change"
        await self._count_attempt(RateName.SIGN_INS, counted)
        async with self._db.read() as session:
            stored = await UserRepository(session).password_hash(user_id)
        if not await self._passwords.matches(body.current_password, stored):
            raise WrongPasswordError
        password_hash = await self._passwords.hash(body.new_password)
        async with self._db.transaction() as session:
            await UserRepository(session).set_password_hash(user_id, password_hash)
            await PasswordResetRepository(session).forget_open(user_id)
            await SessionRepository(session).remove_all_of(
                user_id, but=None if keep is None else digest_of(keep)
            )
            if not body.keep_tokens:
                await TokenRepository(session).remove_all_of(user_id, but=actor.token_id)
        await self._limiter.forget(RateName.SIGN_INS, counted)
        self._authenticator.forget_everything_of(user_id)

    async def reset_password(self, secret: str, body: PasswordReset) -> None:
        """Set a new password with a link; every session and API token of that person ends.

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
            await TokenRepository(session).remove_all_of(user_id)
            user = await users.by_id(user_id)
        if user is not None:
            name_key = username_key(user.username)
            await self._limiter.forget_all(RateName.SIGN_INS, beginning=f"{name_key} ")
            await self._limiter.forget(RateName.SIGN_INS_OF_NAME, name_key)
        self._authenticator.forget_everything_of(user_id)

    async def purge(self) -> None:
        """Delete sessions that have ended."""
        now = self._clock.now()
        async with self._db.transaction() as session:
            await SessionRepository(session).remove_expired(now=now)

    async def _check_sign_up(self, body: SignUp) -> None:
        """Refuse early what would be refused anyway, before the slow hash."""
        async with self._db.read() as session:
            if body.invitation is not None and not await InvitationRepository(session).is_open(
                digest_of(body.invitation), now=self._clock.now()
            ):
                raise InvitationInvalidError
            if await UserRepository(session).by_username(body.username) is not None:
                raise UsernameTakenError(username=body.username)

    async def _count_attempt(self, name: RateName, subject: str) -> None:
        seconds = await self._limiter.wait_for(name, subject)
        if seconds is not None:
            raise TooManySignInsError(minutes=math.ceil(seconds / 60))

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
