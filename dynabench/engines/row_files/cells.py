"""What the cells of a table's columns hold: plain values, lists of them, records of several."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class Plain(StrEnum):
    """A cell of one value; `COUNT` is a whole number."""

    TEXT = "text"
    NUMBER = "number"
    COUNT = "count"
    TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A cell of any number of values that are alike."""

    of: "CellType"


@dataclass(frozen=True, slots=True)
class Record:
    """A cell of several values with names; each may be missing."""

    parts: tuple[tuple[str, "CellType"], ...]


CellType: TypeAlias = Plain | ListOf | Record

TEXTS = ListOf(Plain.TEXT)
