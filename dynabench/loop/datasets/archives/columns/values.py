"""How an item's values lie in the columns of a table."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from dynabench.engines.row_files.cells import CellType


class Part(StrEnum):
    """The part of an item that a column comes from."""

    ITEM = "item"
    CONTEXT = "context"
    INPUTS = "inputs"
    GOLD = "gold"


class Form(StrEnum):
    """How a stored value becomes a cell.

    `as_is`: it is one; `json`: it is written as JSON; `media`: the name of a stored file, which
    is told with its place; `answers`: one answer, or a list of acceptable ones; `lists`: the
    same, where one answer is a list itself.
    """

    AS_IS = "as_is"
    JSON = "json"
    MEDIA = "media"
    ANSWERS = "answers"
    LISTS = "lists"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of the table.

    Attributes:
        name: What it is called.
        part: Where its cells come from.
        key: What they are called there.
        held: What a cell holds.
        form: How a stored value becomes a cell.
        description: What it says, for people.
    """

    name: str
    part: Part
    key: str
    held: CellType
    form: Form
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
    # The same in every row; None where the card names none.
    canary: str | None = None
