"""People, their passwords and their sign-ins."""

import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

from dynabench.app.assembly.parts import Parts
from dynabench.kit.embedded_postgres.folders import make_home
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.people.audit.service import AuditService
from dynabench.people.authentication.service import Authenticator
from dynabench.people.directory.service import UserDirectory
from dynabench.people.notifications.service import NotificationService
from dynabench.people.passwords.service import Passwords
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService

_ADDRESS_KEY = "address-key"
_KEY_BYTES = 32


def add_people(parts: Parts) -> None:
    """Add who people are and how they sign in."""
    db, clock, settings = parts.db, parts.clock, parts.settings
    authenticator = parts.keep(Authenticator(db, clock, session_days=settings.session_days))
    passwords = Passwords()
    parts.keep(UserDirectory(db, clock))
    parts.keep(AuditService(db))
    parts.keep(NotificationService(db, clock))
    parts.keep(
        PeopleService(
            db,
            clock,
            authenticator=authenticator,
            passwords=passwords,
            public_url=settings.public_url,
        )
    )
    parts.keep(
        SignInService(
            db,
            clock,
            authenticator=authenticator,
            passwords=passwords,
            settings=settings,
            limiter=parts.keep(RateLimiter(db, clock, limits=settings.rate_limits)),
            address_key=partial(address_key, settings.home),
        )
    )


def address_key(home: Path) -> bytes:
    """Return the installation's key of address hashes, made at its first use.

    It lies beside the database, not in it: a copy of the database alone tells no address.
    """
    place = home / _ADDRESS_KEY
    if not place.exists():
        make_home(home)
        with NamedTemporaryFile(dir=home, prefix=_ADDRESS_KEY) as file:
            file.write(os.urandom(_KEY_BYTES))
            file.flush()
            # Of two processes one is first, and both read the whole key.
            with suppress(FileExistsError):
                os.link(file.name, place)
    return place.read_bytes()
