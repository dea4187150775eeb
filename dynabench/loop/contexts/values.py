"""Ids, constants and values of contexts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NewType
from uuid import UUID

from dynabench.kit.wire import Values

ContextId = NewType("ContextId", UUID)

LEASE_DURATION = timedelta(minutes=30)
LEASE_KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What an annotator reads and writes about; its content never changes.

    `shuffle_key` lies between 0 and 1 and comes from the content: an order nobody chose.
    """

    id: UUID
    task_id: UUID
    content: Values
    tag: str
    metadata: Values
    shuffle_key: float
    created_at: datetime
    retired_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """A context to be added: a checked line of an upload or of a replay."""

    content: Values
    tag: str = ""
    metadata: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedContexts:
    """What became of items that were added; `ids` maps each item's digest to its context."""

    added: int
    already_there: int
    ids: Mapping[bytes, UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProblem:
    """One thing that is wrong with an uploaded file; lines count from 1."""

    line: int
    message: str
