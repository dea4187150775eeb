"""People, their passwords and their sign-ins."""

from dynabench.app.assembly.parts import Parts
from dynabench.people.authentication.service import Authenticator
from dynabench.people.directory.service import UserDirectory
from dynabench.people.notifications.service import NotificationService
from dynabench.people.passwords.service import Passwords
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService


def add_people(parts: Parts) -> None:
    """Add who people are and how they sign in."""
    db, clock, settings = parts.db, parts.clock, parts.settings
    authenticator = parts.keep(Authenticator(db, clock, session_days=settings.session_days))
    passwords = Passwords()
    parts.keep(UserDirectory(db, clock))
    parts.keep(NotificationService(db, clock))
    parts.keep(PeopleService(db, clock, authenticator=authenticator, passwords=passwords))
    parts.keep(
        SignInService(
            db, clock, authenticator=authenticator, passwords=passwords, settings=settings
        )
    )
