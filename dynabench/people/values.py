"""Ids and constants of people."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

UserId = NewType("UserId", UUID)

MINIMUM_PASSWORD_LENGTH = 10
INVITATION_LIFETIME = timedelta(days=14)
PASSWORD_RESET_LIFETIME = timedelta(hours=24)

# No secret: a mark by which a leaked token is recognised.
TOKEN_PREFIX = "dyb_"  # noqa: S105
LONGEST_SECRET = 200


class TokenScope(StrEnum):
    """What an API token may be used for."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How somebody's account came to be.

    Attributes:
        let_themselves_in: Whether they signed up without an invitation.
        neighbours: Who else did so from the same network address around the same time.
    """

    made_at: datetime
    let_themselves_in: bool
    neighbours: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class UserRow:
    """A person as other packages see them.

    Attributes:
        is_synthetic: A pseudonym of a replayed collection: nobody, who can never sign in.
    """

    id: UUID
    username: str
    display_name: str
    is_admin: bool
    is_synthetic: bool
    created_at: datetime
    disabled_at: datetime | None
