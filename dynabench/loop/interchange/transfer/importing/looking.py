"""Looking a file over, from its first row to its last, before anything is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.files.reading import TaskFile
from dynabench.loop.interchange.transfer.importing.contents import Contents
from dynabench.loop.interchange.transfer.importing.ids import SortedIds
from dynabench.loop.interchange.transfer.importing.rows import References, rows_of
from dynabench.loop.interchange.transfer.parts import MEDIA_PART, PART_OF, PARTS, Claim, Part
from dynabench.loop.interchange.transfer.values import MEDIA, PEOPLE
from dynabench.science.task_config.schema import TaskConfig

_MAX_NAME = 200
# What values of every kind may name: few enough to be known by heart.
_NAMED_ANYWHERE = ("models", "rounds", "datasets", "dataset_versions", "chats")


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody of a file.

    Attributes:
        id: Their id there.
        name: Their name, where it travels.
        is_pseudonym: Whether that is the pseudonym of a collection, and nobody's name.
    """

    id: UUID
    name: str | None
    is_pseudonym: bool


@dataclass(frozen=True, kw_only=True)
class LookedOver:
    """A file whose rows are all in form, and what is known of it as a whole."""

    file: TaskFile
    task_id: UUID
    slug: str
    configs: dict[int, TaskConfig]
    config: TaskConfig
    people: tuple[Person, ...]
    named: tuple[UUID, ...]
    claims: Mapping[Claim, frozenset[UUID]]


def look_over(file: TaskFile) -> LookedOver:
    """Read every row of a file.

    Raises:
        TaskFileError: At the first that is wrong: its part, line and field.
    """
    people = tuple(_people(file))
    ids = SortedIds()
    for one in people:
        ids.add(one.id)
    references, contents = References(ids), Contents()
    for part in PARTS:
        has_late = False
        references.expect(part)
        for line, row in rows_of(file, part):
            references.take(part, line, row)
            contents.take(part.name, line, row)
            has_late = has_late or any(row[name] is not None for name in part.late)
        contents.finish(part.name)
        if has_late:
            _check_late(file, part, references)
    _check_media(file)
    return LookedOver(
        file=file,
        task_id=references.of("tasks").all()[0],
        slug=str(contents.task["slug"]),
        configs=contents.configs,
        config=contents.config,
        people=people,
        named=tuple(one for name in _NAMED_ANYWHERE for one in references.of(name).all()),
        claims={claim: frozenset(who) for claim, who in references.claims.items()},
    )


def _check_late(file: TaskFile, part: Part, references: References) -> None:
    for line, row in rows_of(file, part):
        for name in part.late:
            references.check(part, line, name, row[name])


def _people(file: TaskFile) -> list[Person]:
    found: list[Person] = []
    for line, row in file.rows(PEOPLE):
        person = _person(line, row)
        if found and person.id <= found[-1].id:
            raise TaskFileError("It is there twice or not in order.", part=PEOPLE, line=line)
        found.append(person)
    return found


def _person(line: int, row: Values) -> Person:
    id_, name, is_pseudonym = row.get("id"), row.get("name"), row.get("is_pseudonym")
    is_name = isinstance(name, str) and 0 < len(name) <= _MAX_NAME and "\x00" not in name
    if row.keys() != {"id", "name", "is_pseudonym"} or not isinstance(is_pseudonym, bool):
        reason = "It must hold id, name and is_pseudonym."
        raise TaskFileError(reason, part=PEOPLE, line=line)
    if (name is not None and not is_name) or (is_pseudonym and name is None):
        reason = f"It must be a text of 1 to {_MAX_NAME} characters."
        raise TaskFileError(reason, part=PEOPLE, line=line, field="name")
    try:
        return Person(
            id=UUID(str(id_)), name=None if name is None else str(name), is_pseudonym=is_pseudonym
        )
    except ValueError:
        raise TaskFileError("It must be an id.", part=PEOPLE, line=line, field="id") from None


def _check_media(file: TaskFile) -> None:
    named: set[str] = set()
    for line, row in rows_of(file, MEDIA_PART):
        for name in ("digest", "thumbnail_digest"):
            digest = row[name]
            if digest is not None and digest not in file.manifest.blobs:
                reason = "The file that it names is missing."
                raise TaskFileError(reason, part=MEDIA, line=line, field=name)
            named.add(str(digest))
        size = file.manifest.blobs[str(row["digest"])]
        if row["size_bytes"] != size or file.blob(str(row["digest"])).stat().st_size != size:
            reason = "The file has another size."
            raise TaskFileError(reason, part=MEDIA, line=line, field="size_bytes")
    odd = file.manifest.blobs.keys() - named
    if odd:
        raise TaskFileError(f"Nothing names the file {min(odd)}.", part=MEDIA)


def row_line(file: TaskFile, part: str, is_meant: Callable[[UUID], bool]) -> int | None:
    """Return where the row of an example stands, by the example's id."""
    spec = PART_OF[part]
    for line, row in rows_of(file, spec):
        example_id = row[spec.key[0].name]
        if isinstance(example_id, UUID) and is_meant(example_id):
            return line
    return None
