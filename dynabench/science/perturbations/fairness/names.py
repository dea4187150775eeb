"""Swaps people's names for names of another group."""

from collections.abc import Mapping, Sequence

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.fairness.name_lists import (
    COMMON_GROUP,
    MAJORITY_GROUP,
    draw_first_name,
    draw_surname,
    first_names,
    groups,
    surnames,
)
from dynabench.science.perturbations.fairness.people import People, Person, bare, find_people
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits


def swap_names(passages: Sequence[Passage], draws: Draws) -> Sequence[Edits]:
    """Replace first names and known surnames, each by the same one in all texts of the item."""
    if any(passage.speaks_of_words for passage in passages):
        return [[] for _ in passages]
    found = [find_people(passage) for passage in passages]
    kept = kept_names(passages, found)
    swaps: dict[str, str] = {}
    taken = {bare(word.text) for passage in passages for word in passage.words}
    for passage, there in zip(passages, found, strict=True):
        for person in there.people:
            _swap_person(passage, person, draws, swaps=swaps, taken=taken, kept=kept)
    return [
        name_edits(passage, there, swaps) for passage, there in zip(passages, found, strict=True)
    ]


def kept_names(passages: Sequence[Passage], found: Sequence[People]) -> frozenset[str]:
    """Return words that stay in the whole item: they are protected or name a thing somewhere."""
    kept: set[str] = set()
    for passage, there in zip(passages, found, strict=True):
        kept.update(bare(passage.words[index].text) for run in there.things for index in run)
        kept.update(
            bare(word.text) for word in passage.words if not passage.is_free(word.start, word.end)
        )
    return frozenset(kept)


def name_edits(passage: Passage, there: People, swaps: Mapping[str, str]) -> list[Edit]:
    """Return the edits that put swapped names in place of theirs, wherever they stand again."""
    places = [index for person in there.people for index in person.names]
    places += [index for run in there.others for index in run]
    edits: list[Edit] = []
    for index in places:
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
    if own == {COMMON_GROUP}:
        # Most who bear the most common names are of the majority.
        own = {COMMON_GROUP, MAJORITY_GROUP}
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
