"""Decisions of a move: what of a model leaves, as what it arrives, who people become."""

from collections.abc import Collection, Mapping
from typing import Protocol
from uuid import UUID, uuid5

from dynabench.loop.models.rules import SPEC, spec_for
from dynabench.loop.models.submissions.values import ARTIFACT
from dynabench.loop.models.values import REMOTE_KINDS, ModelIsolation, ModelKind, ModelStatus
from dynabench.science.task_config.schema import TaskConfig

IMPORTED = "imported"
"""Where the source of an imported model keeps what it was where it came from."""

_STAND_IN = "imported-"
_TAKEN_PSEUDONYM = "pseudonym-"
_UNFINISHED = (ModelStatus.SUBMITTED, ModelStatus.CHECKING)
_NEVER_CHECKED = "Its checks were not through when its task was exported."


def leaving_model(row: Mapping[str, object]) -> dict[str, object]:
    """Return a model's row as it travels: what it is and scored, not how it is reached."""
    source = row["source"]
    assert isinstance(source, dict)
    kept = {key: value for key, value in source.items() if key not in {SPEC, ARTIFACT, IMPORTED}}
    there = source.get(IMPORTED)
    was = there if isinstance(there, dict) else {}
    left = {**row, **was, "source": kept}
    if left["status"] in _UNFINISHED:
        left |= {"status": ModelStatus.REJECTED.value, "rejection": _NEVER_CHECKED}
    if left["kind"] in REMOTE_KINDS:
        # What was tried there and what came back may tell how it is reached.
        left["problems"] = None
        if left["rejection"] != _NEVER_CHECKED:
            left["rejection"] = None
    return left


def arriving_model(row: Mapping[str, object], config: TaskConfig) -> dict[str, object]:
    """Return a model's row as it is kept here: a name with answers, which nobody can ask.

    Whatever the file says of it, no code of it runs and no address of it is called.
    """
    kind = ModelKind(str(row["kind"]))
    kept = ModelKind.RECORDED if kind is ModelKind.RECORDED else ModelKind.PREDICTIONS
    spec = spec_for(config, kind=ModelKind.RECORDED, name=str(row["name"]), options={})
    source = row["source"]
    given = source if isinstance(source, dict) else {}
    was = {"kind": kind.value, "isolation": row["isolation"]}
    return {
        **row,
        "kind": kept.value,
        "isolation": ModelIsolation.NO_CODE.value,
        "source": {
            **{key: value for key, value in given.items() if key not in {SPEC, ARTIFACT}},
            IMPORTED: was,
            SPEC: spec.to_json(),
        },
    }


def stand_in_name(user_id: UUID) -> str:
    """Return the name of whoever stands for a person of another installation.

    Example:
        >>> stand_in_name(UUID(int=7))
        'imported-00000000000000000000000000000007'
    """
    return f"{_STAND_IN}{user_id.hex}"


def stand_in_pseudonym(user_id: UUID) -> str:
    """Return the name for a collection's pseudonym whose own name somebody else has."""
    return f"{_TAKEN_PSEUDONYM}{user_id.hex}"


class Renaming:
    """Gives everything that a copy holds an id of its own, the same each time it is asked.

    Args:
        copy_id: The copy; None leaves every id as it is.
    """

    def __init__(self, copy_id: UUID | None) -> None:
        self._copy_id = copy_id
        self._named: set[str] = set()

    def know(self, ids: Collection[UUID]) -> None:
        """Learn ids that values of every kind may name, such as a model's in a conversation."""
        if self._copy_id is not None:
            self._named |= {str(one) for one in ids}

    @property
    def is_copy(self) -> bool:
        """Whether ids change."""
        return self._copy_id is not None

    def id_of(self, old: UUID) -> UUID:
        """Return the id that takes another one's place."""
        return old if self._copy_id is None else uuid5(self._copy_id, old.hex)

    def within(self, value: object) -> object:
        """Return a JSON value in which every known id is the copy's."""
        if self._copy_id is None:
            return value
        if isinstance(value, str):
            return str(self.id_of(UUID(value))) if value in self._named else value
        if isinstance(value, Mapping):
            return {str(self.within(key)): self.within(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.within(one) for one in value]
        if isinstance(value, UUID):
            return self.id_of(value) if str(value) in self._named else value
        return value


class Account(Protocol):
    """What is read of somebody's account."""

    @property
    def id(self) -> UUID:
        """Their id."""
        ...

    @property
    def username(self) -> str:
        """The name that they sign in with."""
        ...

    @property
    def display_name(self) -> str:
        """What pages call them."""
        ...

    @property
    def is_synthetic(self) -> bool:
        """Whether they stand for somebody elsewhere."""
        ...


def leaving_person(account: Account, *, has_names: bool) -> dict[str, object]:
    """Return a person as they travel: their id, and a name that is nobody's or was asked for."""
    is_stand_in = account.is_synthetic and account.username == stand_in_name(account.id)
    is_pseudonym = account.is_synthetic and not is_stand_in
    name: str | None = account.username
    if is_stand_in or account.username == stand_in_pseudonym(account.id):
        name = account.display_name or None
    if not is_pseudonym and not has_names:
        name = None
    return {"id": str(account.id), "name": name, "is_pseudonym": is_pseudonym}
