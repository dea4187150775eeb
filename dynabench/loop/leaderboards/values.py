"""Ids and kinds of saved boards."""

from enum import StrEnum
from typing import NewType
from uuid import UUID

BoardId = NewType("BoardId", UUID)


class BoardKind(StrEnum):
    """What was saved: weights over live data, or everything as it was on a day."""

    FORK = "fork"
    SNAPSHOT = "snapshot"
