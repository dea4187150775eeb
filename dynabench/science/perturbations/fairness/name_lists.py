"""First names and surnames with their groups and how common they are."""

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.word_lists import rows, words

COMMON_GROUP = "common"
"""Names that no one group has for itself; they are known, and drawn for them alone."""

MAJORITY_GROUP = "european"

AMBIGUOUS = "ambiguous_names.txt"
_TRIES = 8


class Gender(StrEnum):
    """Whose name it mostly is; names that both have are not on the lists."""

    FEMALE = "female"
    MALE = "male"

    @property
    def other(self) -> "Gender":
        """The other of the two."""
        return Gender.MALE if self is Gender.FEMALE else Gender.FEMALE


class Names(NamedTuple):
    """Names to draw from, and their weights added up so far."""

    names: Sequence[str]
    sums: Sequence[int]


class FirstName(NamedTuple):
    """What is known of a first name."""

    group: str
    gender: Gender


@cache
def first_names() -> Mapping[str, FirstName]:
    """Return the known first names."""
    return {
        name: FirstName(group, Gender(gender)) for group, gender, name, _ in rows("first_names.tsv")
    }


@cache
def surnames() -> Mapping[str, str]:
    """Return the known surnames with their group."""
    return {name: group for group, name, _ in rows("surnames.tsv")}


@cache
def groups() -> tuple[str, ...]:
    """Return the groups that names are drawn for."""
    found = dict.fromkeys(group for group, *_ in rows("first_names.tsv"))
    return tuple(group for group in found if group != COMMON_GROUP)


def is_ambiguous(name: str) -> bool:
    """Tell whether a name is also a word, a month or a place."""
    return name in words(AMBIGUOUS)


def draw_first_name(draws: Draws, *, group: str, gender: Gender, taken: set[str]) -> str:
    """Draw a first name by how common it is, that nobody in the item has."""
    return _draw(_first_names_of(group, gender), draws, taken)


def draw_surname(draws: Draws, *, group: str, taken: set[str]) -> str:
    """Draw a surname by how common it is, that nobody in the item has."""
    return _draw(_surnames_of(group), draws, taken)


def _draw(names: Names, draws: Draws, taken: set[str]) -> str:
    for _ in range(_TRIES):
        found = draws.weighted(names.names, names.sums)
        if found not in taken:
            return found
    return next((name for name in names.names if name not in taken), names.names[0])


@cache
def _first_names_of(group: str, gender: Gender) -> Names:
    return _names(
        (name, int(weight))
        for one, other, name, weight in rows("first_names.tsv")
        if one == group and other == gender and not is_ambiguous(name)
    )


@cache
def _surnames_of(group: str) -> Names:
    return _names(
        (name, int(weight))
        for one, name, weight in rows("surnames.tsv")
        if one == group and not is_ambiguous(name)
    )


def _names(weighted: Iterable[tuple[str, int]]) -> Names:
    found = list(weighted)
    # A name that the census counted too rarely to give a share still has a bearer.
    sums = accumulate(max(1, weight) for _, weight in found)
    return Names([name for name, _ in found], list(sums))
