"""Ids and constants of people."""

from datetime import timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

UserId = NewType("UserId", UUID)

MINIMUM_PASSWORD_LENGTH = 10
INVITATION_LIFETIME = timedelta(days=14)
PASSWORD_RESET_LIFETIME = timedelta(hours=24)


class TokenScope(StrEnum):
    """What an API token may be used for."""

    READ = "read"
    WRITE = "write"
