"""Ids and kinds of saved boards, and what a reader asks of one."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.loop.models.values import ModelIsolation, ModelKind

BoardId = NewType("BoardId", UUID)

DEFAULT_BUDGET_GIB = 32.0
"""The memory budget of a board unless its reader says otherwise."""

DYNASCORE = "dynascore"
"""The order of a board unless its reader says otherwise."""


class BoardKind(StrEnum):
    """What was saved: weights over live data, or everything as it was on a day."""

    FORK = "fork"
    SNAPSHOT = "snapshot"


class RatesFrom(StrEnum):
    """Where exchange rates come from."""

    OBSERVED = "observed"
    FIXED = "fixed"
    SNAPSHOT = "snapshot"


class RankedBy(StrEnum):
    """By what the one rank of a board is."""

    DYNASCORE = "dynascore"
    PERFORMANCE = "performance"


class BoardForm(StrEnum):
    """As which file a board is given out."""

    CSV = "csv"
    LATEX = "tex"
    JSON = "json"
    MARKDOWN = "md"
    HTML = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardQuery:
    """What a reader asks of a board, as it was written.

    Attributes:
        metrics: `name:weight` separated by commas; None takes the default weights.
        datasets: `key:weight` separated by commas; None weighs all columns alike.
        budget_gib: The memory budget.
        rates: The snapshot whose exchange rates are used.
        sort: By what the rows are in order; None is the Dynascore.
        is_saved: Whether it was written some time ago: columns that are gone since are
            passed over.
    """

    metrics: str | None = None
    datasets: str | None = None
    budget_gib: float = DEFAULT_BUDGET_GIB
    rates: UUID | None = None
    sort: str | None = None
    is_saved: bool = False


@dataclass(frozen=True, slots=True)
class BoardPage:
    """A page of a board as JSON, and the tag by which a reader knows it again."""

    body: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board as a file."""

    name: str
    media_type: str
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A ready model version that can stand on its task's board."""

    id: UUID
    name: str
    version: int
    kind: ModelKind
    isolation: ModelIsolation
    submitted_by: UUID | None
    is_anonymous: bool
    is_published: bool
