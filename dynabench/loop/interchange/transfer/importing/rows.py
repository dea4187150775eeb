"""The rows of a part as a file holds them: every cell read, in order, each name known."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Column

from dynabench.loop.interchange.transfer.cells import CellError, heard
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.files.reading import TaskFile
from dynabench.loop.interchange.transfer.importing.ids import SortedIds
from dynabench.loop.interchange.transfer.parts import (
    ACCOUNTS,
    PART_OF,
    Claim,
    Part,
    claim_of,
    people_columns,
)
from dynabench.loop.interchange.transfer.values import CAME_LATER, COMPUTED_ANEW

Row = dict[str, object]


def rows_of(file: TaskFile, part: Part) -> Iterator[tuple[int, Row]]:
    """Give the rows of a part with their lines; of an older file, as this version has them.

    Raises:
        TaskFileError: At the first row that is none of this part, or not in order.
    """
    version = file.manifest.format_version
    if version < COMPUTED_ANEW.get(part.name, 0):
        return
    later = CAME_LATER.get(part.name, {})
    unknown: Row = {name: None for name, since in later.items() if version < since}
    names = {one.name for one in part.columns}
    last: tuple[Any, ...] | None = None
    for line, said in file.rows(part.name):
        told = unknown | said
        if told.keys() != names:
            odd = min(told.keys() ^ names)
            says = "is not known" if odd in told else "is missing"
            raise TaskFileError(f"The value {says}.", part=part.name, line=line, field=odd[:80])
        row = {one.name: _cell(one, told[one.name], part, line) for one in part.columns}
        key = tuple(_sorted_as(row[one.name]) for one in part.key)
        if last is not None and key <= last:
            reason = "It is there twice." if key == last else "It is not in order."
            raise TaskFileError(reason, part=part.name, line=line)
        last = key
        yield line, row


# Columns of every type.
def _cell(column: Column[Any], value: object, part: Part, line: int) -> object:
    try:
        return heard(column, value)
    except CellError as error:
        raise TaskFileError(str(error), part=part.name, line=line, field=column.name) from None


def _sorted_as(value: object) -> object:
    return value.bytes if isinstance(value, UUID) else value


class References:
    """Checks that rows name only rows and people of their own file.

    Attributes:
        claims: Whom they name, by where.
    """

    def __init__(self, people: SortedIds) -> None:
        self._people = people
        self._ids: dict[str, SortedIds] = {}
        self.claims: dict[Claim, set[UUID]] = {}

    def of(self, part: str) -> SortedIds:
        """Return the ids of a part that was gone through."""
        return self._ids[part]

    def expect(self, part: Part) -> None:
        """Begin a part, whose rows may be none."""
        self._ids[part.name] = SortedIds()

    def take(self, part: Part, line: int, row: Mapping[str, object]) -> None:
        """Check what a row names, but for late columns, and keep its own id."""
        for column in part.columns:
            if column.name not in part.late:
                self.check(part, line, column.name, row[column.name])
        for name in people_columns(part):
            who = row[name]
            if isinstance(who, UUID):
                self.claims.setdefault(claim_of(part, name, row), set()).add(who)
        own = row.get("id")
        if isinstance(own, UUID):
            self._ids[part.name].add(own)

    def check(self, part: Part, line: int, column: str, value: object) -> None:
        """Check what one cell names."""
        named = part.refers_to(column)
        if value is None or named is None:
            return
        if named == ACCOUNTS:
            known, what = self._people, "people"
        else:
            assert named in PART_OF, f"{part.name}.{column} names rows of no part"
            known, what = self._ids[named], named
        if value not in known:
            reason = f"It names {value}, which is not in the part “{what}”."
            raise TaskFileError(reason, part=part.name, line=line, field=column)
