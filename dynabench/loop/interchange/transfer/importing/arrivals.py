"""Rows of a file as they are kept here: under this task's name, and a copy's under new ids."""

from collections.abc import Iterator
from typing import cast
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from dynabench.catalog.lines import catalog_folders
from dynabench.loop.interchange.transfer.importing.authorships.service import Authorship
from dynabench.loop.interchange.transfer.importing.looking import LookedOver, Person
from dynabench.loop.interchange.transfer.importing.rows import Row, rows_of
from dynabench.loop.interchange.transfer.parts import ACCOUNTS, PART_OF, Part
from dynabench.loop.interchange.transfer.rules import (
    Renaming,
    arriving_model,
    stand_in_name,
    stand_in_pseudonym,
)
from dynabench.loop.tasks.rules import summary_of
from dynabench.people.rules import username_key
from dynabench.people.schemas import Username

# Their digests cover them, so that they stay as they were.
_FROZEN = frozenset({"dataset_items", "boards"})
_USERNAME: TypeAdapter[str] = TypeAdapter(Username)


class Arrivals:
    """Turns the rows of a file into rows of this installation."""

    def __init__(
        self, looked: LookedOver, *, slug: str, renaming: Renaming, authorship: Authorship
    ) -> None:
        self._looked = looked
        self._slug = slug
        self._renaming = renaming
        self._authorship = authorship
        renaming.know(looked.named)

    def rows(self, part: Part) -> Iterator[Row]:
        """Give the rows of a part, in the order of the file."""
        for _, row in rows_of(self._looked.file, part):
            yield self._arriving(part, row)

    def late(self, part: Part, column: str) -> Iterator[tuple[UUID, UUID]]:
        """Give the rows whose late column names another one, with that one."""
        for _, row in rows_of(self._looked.file, part):
            own, named = row["id"], row[column]
            if isinstance(own, UUID) and isinstance(named, UUID):
                yield self._renaming.id_of(own), self._renaming.id_of(named)

    def _arriving(self, part: Part, row: Row) -> Row:
        if part.name == "models":
            row = arriving_model(row, self._looked.config)
        if part.name == "task_config_versions" and row["summary"] is not None:
            config = self._looked.configs[cast("int", row["version"])]
            row["summary"] = summary_of(config)
        if self._renaming.is_copy:
            row = {name: self._renamed(part, name, row) for name in row}
            if part.name == "examples":
                # It counts within the round, whose id is another one now.
                row["duplicate_key"] = None
        if part.name == "tasks":
            row["slug"] = self._slug
            if row["catalog_folder"] not in catalog_folders():
                # Any other path leads out of the catalogue.
                row["catalog_folder"] = None
        return row

    def _renamed(self, part: Part, name: str, row: Row) -> object:
        value = row[name]
        named = part.refers_to(name)
        if isinstance(value, UUID):
            if named == ACCOUNTS:
                return self._authorship.person(part, name, row, renaming=self._renaming)
            assert named in PART_OF or name == "id", f"{part.name}.{name} is an id of no part"
            return self._renaming.id_of(value)
        return value if part.name in _FROZEN else self._renaming.within(value)


def arriving_people(
    people: list[Person], *, taken: set[str], now: object
) -> Iterator[dict[str, object]]:
    """Give the accounts of people who are new here, under which nobody can sign in.

    A name decides nothing: whoever has it already is somebody else.

    Args:
        people: Who is not here yet.
        taken: Those of their pseudonyms, casefolded, that somebody here has. One that breaks the
            rule of names gives way to another as well.
        now: When they came.
    """
    used = set(taken)
    for one in people:
        username = stand_in_name(one.id)
        if one.is_pseudonym:
            assert one.name is not None, "a pseudonym was looked over"
            is_free = _is_username(one.name) and username_key(one.name) not in used
            username = one.name if is_free else stand_in_pseudonym(one.id)
        used.add(username_key(username))
        yield {
            "id": one.id,
            "username": username,
            "username_key": username_key(username),
            "display_name": "" if username == one.name else one.name or "",
            "is_synthetic": True,
            "created_at": now,
        }


def _is_username(name: str) -> bool:
    try:
        _USERNAME.validate_python(name)
    except ValidationError:
        return False
    return True
