"""Swaps people's names for names of another group."""

from collections.abc import Mapping, Sequence

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.fairness.name_lists import (
    draw_first_name,
    draw_surname,
    first_names,
    groups,
    surnames,
)
from dynabench.science.perturbations.fairness.people import Person, bare, find_people
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits


def swap_names(passages: Sequence[Passage], draws: Draws) -> Sequence[Edits]:
    """Replace first names and known surnames, each by the same one in all texts of the item."""
    found = [find_people(passage) for passage in passages]
    kept = kept_names(passages)
    swaps: dict[str, str] = {}
    taken = {bare(word.text) for passage in passages for word in passage.words}
    for passage, (people, _) in zip(passages, found, strict=True):
        for person in people:
            _swap_person(passage, person, draws, swaps=swaps, taken=taken, kept=kept)
    return [
        name_edits(passage, people, lone, swaps)
        for passage, (people, lone) in zip(passages, found, strict=True)
    ]


def kept_names(passages: Sequence[Passage]) -> frozenset[str]:
    """Return the words that are protected somewhere in the item, and so stay everywhere."""
    return frozenset(
        bare(word.text)
        for passage in passages
        for word in passage.words
        if not passage.is_free(word.start, word.end)
    )


def name_edits(
    passage: Passage, people: Sequence[Person], lone: Sequence[int], swaps: Mapping[str, str]
) -> list[Edit]:
    """Return the edits that put swapped names in place of those of people."""
    places = [
        index
        for person in people
        for index in (*person.firsts, *([] if person.surname is None else [person.surname]))
    ]
    edits: list[Edit] = []
    for index in (*places, *lone):
        word = passage.words[index]
        name = bare(word.text)
        if name in swaps:
            edits.append(Edit(word.start, word.start + len(name), swaps[name]))
    return edits


def _swap_person(
    passage: Passage,
    person: Person,
    draws: Draws,
    *,
    swaps: dict[str, str],
    taken: set[str],
    kept: frozenset[str],
) -> None:
    firsts = [bare(passage.words[index].text) for index in person.firsts]
    surname = None if person.surname is None else bare(passage.words[person.surname].text)
    own = {first_names()[name].group for name in firsts}
    own |= {surnames()[surname]} if surname else set()
    others = [group for group in groups() if group not in own]
    if not others:
        return
    group = draws.one_of(others)
    for name in firsts:
        if name not in swaps and name not in kept:
            gender = first_names()[name].gender
            swaps[name] = draw_first_name(draws, group=group, gender=gender, taken=taken)
            taken.add(swaps[name])
    if surname and surname not in swaps and surname not in kept:
        swaps[surname] = draw_surname(draws, group=group, taken=taken)
        taken.add(swaps[surname])
