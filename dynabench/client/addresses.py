"""What a method takes for a thing: its id, the thing itself, or an address such as `nli/2`.

A method says by the type of a parameter which noun it names; what was given is made an id
before anything else is sent. An id or an object needs no request, an address one.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from inspect import BoundArguments, Signature, signature
from typing import Annotated, Protocol, TypeAlias, get_args, get_type_hints
from uuid import UUID

from dynabench.client.calls import get, path
from dynabench.client.steps import Steps
from dynabench.kit.errors import InvalidError, NotFoundError
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.datasets.values import DatasetOrigin
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.rounds.schemas import RoundRead

_VERSIONED = re.compile(r"(?P<name>.+)[@:](?P<version>[0-9]{1,6})", re.DOTALL)
_ROUND = re.compile(r"round\s*(?P<number>[0-9]{1,6})", re.IGNORECASE)


class Noun(StrEnum):
    """What a parameter names."""

    TASK = "task"
    ROUND = "round"
    MODEL = "model"
    DATASET = "dataset"
    THING = "thing"


class HasId(Protocol):
    """Whatever came back with an id."""

    @property
    def id(self) -> UUID:
        """Its id."""


class HasSlug(Protocol):
    """A task as it came back."""

    @property
    def slug(self) -> str:
        """Its short name."""


Id: TypeAlias = Annotated[UUID | str | HasId, Noun.THING]
TaskRef: TypeAlias = Annotated[str | HasSlug, Noun.TASK]
"""A task's slug, or the task."""
RoundRef: TypeAlias = Annotated[UUID | str | HasId, Noun.ROUND]
"""A round or its id; `TASK/NUMBER`, or `TASK` for its latest that was played here."""
ModelRef: TypeAlias = Annotated[UUID | str | HasId, Noun.MODEL]
"""A model or its id; `TASK/NAME` for the newest of the name, or `TASK/NAME@VERSION`."""
DatasetRef: TypeAlias = Annotated[UUID | str | HasId, Noun.DATASET]
"""A dataset version or its id; `TASK/NAME` for the newest, or `TASK/NAME@VERSION`."""


def as_id(text: str) -> UUID | None:
    """Return the id that a text is, if it is one."""
    try:
        return UUID(text)
    except ValueError:
        return None


def find_round(text: str) -> Steps[RoundRead]:
    """Return a round by `TASK/NUMBER`, or the latest one that was played here of a task.

    A round that was imported is named by its number: it is older than it is new here.

    Raises:
        InvalidError: If the text is neither.
        NotFoundError: If there is none, with the ones that there are.
    """
    slug, sign, number = text.partition("/")
    if not slug or (sign and not number.isdecimal()):
        raise InvalidError(f"“{text}” names no round. Write TASK, TASK/NUMBER or a round's id.")
    rounds = yield from get(path("tasks", slug, "rounds"), list[RoundRead])
    for round_ in rounds:
        if round_.number == int(number) if sign else round_.provenance is None:
            return round_
    raise NotFoundError(no_round(slug, wanted=f"round {number}" if sign else "round", of=rounds))


def no_round(slug: str, *, wanted: str, of: Sequence[RoundRead]) -> str:
    """Say that a task has no such round, and which ones it has."""
    known = ", ".join(
        f"{one.number} ({one.status}{'' if one.provenance is None else ', imported'})" for one in of
    )
    hint = ""
    if "/" not in wanted and any(one.provenance is not None for one in of):
        hint = f" Name an imported one by its number: {slug}/{of[0].number}"
    return f"Task {slug} has no {wanted}. Its rounds: {known or 'none'}.{hint}"


def find_model(text: str) -> Steps[ModelRead]:
    """Return a model by `TASK/NAME`, of which the newest is meant, or `TASK/NAME@VERSION`.

    Raises:
        InvalidError: If the text is neither.
        NotFoundError: If there is none.
    """
    slug, sign, name = text.partition("/")
    if not (sign and slug and name):
        raise InvalidError(f"“{text}” names no model. Write its id, or TASK/NAME.")
    models = yield from get(path("tasks", slug, "models"), list[ModelRead])
    exact = _VERSIONED.fullmatch(name)
    named = [one for one in models if one.name == name] or [
        one for one in models if exact and (one.name, str(one.version)) == exact.groups()
    ]
    if not named:
        raise NotFoundError(
            f"Task {slug} has no model called “{name}”. See them: dynabench model list {slug}"
        )
    return max(named, key=lambda one: one.version)


def find_dataset(text: str) -> Steps[DatasetVersionRead]:
    """Return a version by `TASK/NAME`, of which the newest is meant, or `TASK/NAME@VERSION`.

    `TASK/Round 2` is what was released of a round, however it is called.

    Raises:
        InvalidError: If the text is neither.
        NotFoundError: If there is none, with the names that there are.
    """
    slug, sign, name = text.partition("/")
    if not (sign and slug and name):
        raise InvalidError(f"“{text}” names no dataset. Write its id, or TASK/NAME.")
    versions = yield from get(path("tasks", slug, "datasets"), list[DatasetVersionRead])
    exact, round_ = _VERSIONED.fullmatch(name), _ROUND.fullmatch(name)
    named = (
        [one for one in versions if one.name == name]
        or [one for one in versions if exact and (one.name, str(one.version)) == exact.groups()]
        or [
            one
            for one in versions
            if round_
            and one.round_number == int(round_["number"])
            and one.origin is DatasetOrigin.RELEASE
        ]
    )
    if not named:
        known = ", ".join(dict.fromkeys(one.name for one in versions)) or "none"
        raise NotFoundError(f"Task {slug} has no dataset called “{name}”. Its datasets: {known}.")
    return max(named, key=lambda one: one.version)


_FINDERS: dict[Noun, Callable[[str], Steps[HasId]]] = {
    Noun.ROUND: find_round,
    Noun.MODEL: find_model,
    Noun.DATASET: find_dataset,
}


def taken(
    make: object, owner: object, given: tuple[object, ...], more: Mapping[str, object]
) -> BoundArguments:
    """Bind what a method was given to its parameters.

    Raises:
        TypeError: If it does not fit them, as of any function.
    """
    try:
        return _signature(make).bind(owner, *given, **more)
    except TypeError as error:
        message = f"{getattr(make, '__name__', make)}() {error}"
        raise TypeError(message) from None


def addressed(make: object, bound: BoundArguments) -> Steps[None]:
    """Make an id of every thing that a method was given in another way."""
    for name, noun in _nouns(make).items():
        if name in bound.arguments:
            given = bound.arguments[name]
            if given is None and not _may_be_none(make, name):
                raise _no_name(name, noun, given)
            bound.arguments[name] = yield from _resolved(given, noun, name=name)


def _resolved(value: object, noun: Noun, *, name: str) -> Steps[object]:
    if isinstance(value, Mapping):
        renamed: dict[object, object] = {}
        for key, one in value.items():
            renamed[(yield from _resolved(key, noun, name=name))] = one
        return renamed
    if isinstance(value, list | tuple):
        listed: list[object] = []
        for one in value:
            listed += [(yield from _resolved(one, noun, name=name))]
        return listed
    if isinstance(value, str):
        if not value.strip():
            raise _no_name(name, noun, value)
        if noun not in _FINDERS or as_id(value) is not None:
            return value
        found = yield from _FINDERS[noun](value)
        return found.id
    return getattr(value, "slug" if noun is Noun.TASK else "id", value)


_WRITTEN = {
    Noun.TASK: "a task's short name, such as nli, or the task",
    Noun.ROUND: "TASK, TASK/NUMBER, a round's id or the round",
    Noun.MODEL: "TASK/NAME, a model's id or the model",
    Noun.DATASET: "TASK/NAME, a dataset version's id or the version",
    Noun.THING: "its id or the thing that came back",
}


def _no_name(name: str, noun: Noun, value: object) -> InvalidError:
    argument = name.rstrip("_")
    said = "an empty text" if isinstance(value, str) else str(value)
    message = f"{argument} is {said}. Write {_WRITTEN[noun]}."
    return InvalidError(message, fields={argument: message})


def _may_be_none(make: object, name: str) -> bool:
    return _signature(make).parameters[name].default is None


@cache
def _signature(make: object) -> Signature:
    assert callable(make)
    return signature(make)


@cache
def _nouns(make: object) -> dict[str, Noun]:
    """Return the parameters of a method that name things."""
    found: dict[str, Noun] = {}
    for name, hint in get_type_hints(make, include_extras=True).items():
        noun = next(_nouns_in(hint), None)
        if noun is not None and name != "return":
            found[name] = noun
    return found


def _nouns_in(hint: object) -> Iterator[Noun]:
    for noun in getattr(hint, "__metadata__", ()):
        if isinstance(noun, Noun):
            yield noun
    for part in get_args(hint):
        yield from _nouns_in(part)
