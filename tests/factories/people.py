"""People for tests: valid accounts, of which a test names only what it is about."""

from dataclasses import dataclass
from itertools import count
from typing import Self

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.settings import Registration, Settings
from dynabench.people.authentication.service import Authenticator
from dynabench.people.directory.service import UserDirectory
from dynabench.people.passwords.service import Passwords
from dynabench.people.repository import NewUser, UserRepository
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService

PASSWORD = "correct horse battery"

_numbers = count(1)


async def make_user(
    db: Database,
    *,
    username: str | None = None,
    is_admin: bool = False,
    is_synthetic: bool = False,
    password_hash: str | None = None,
    clock: Clock | None = None,
) -> Actor:
    """Write an account and return the actor who is signed in to it."""
    name = username or f"person-{next(_numbers)}"
    user = NewUser(
        id=new_id(),
        username=name,
        password_hash=password_hash,
        is_admin=is_admin,
        is_synthetic=is_synthetic,
        created_at=(clock or SystemClock()).now(),
    )
    async with db.transaction() as session:
        assert await UserRepository(session).add(user), f"{name} is taken"
    return Actor(user_id=user.id, username=name, is_admin=is_admin)


@dataclass(frozen=True)
class People:
    """The services of people as one process has them."""

    authenticator: Authenticator
    directory: UserDirectory
    service: PeopleService
    sign_ins: SignInService

    @classmethod
    def over(
        cls, db: Database, clock: Clock, *, registration: Registration = Registration.OPEN
    ) -> Self:
        """Put the services together over a database."""
        passwords = Passwords()
        authenticator = Authenticator(db, clock)
        settings = Settings(registration=registration)
        return cls(
            authenticator=authenticator,
            directory=UserDirectory(db, clock),
            service=PeopleService(db, clock, authenticator=authenticator, passwords=passwords),
            sign_ins=SignInService(
                db,
                clock,
                authenticator=authenticator,
                passwords=passwords,
                settings=settings,
                limiter=RateLimiter(db, clock, limits=settings.rate_limits),
                address_key=lambda: b"the test's own key",
            ),
        )
