"""How an item's values lie in the columns of a table."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dynabench.engines.row_files.parquet_writing import ColumnKind


class Part(StrEnum):
    """The part of an item that a column comes from."""

    ITEM = "item"
    CONTEXT = "context"
    INPUTS = "inputs"
    GOLD = "gold"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the table.

    Attributes:
        name: What it is called.
        part: Where its cells come from.
        key: What they are called there.
        kind: What a cell holds.
        is_json: Whether a cell is a value of several parts, written as JSON.
        description: What it says, for people.
    """

    name: str
    part: Part
    key: str
    kind: ColumnKind
    is_json: bool
    description: str


class ItemRow(NamedTuple):
    """An item as the database tells it; what is JSON there is its text."""

    uid: str
    context: str
    inputs: str
    gold: str
    tags: str
    annotator: str
    is_fooling: bool | None
    is_verified: bool
    original_uid: str | None
    transform: str | None
