"""Finds people's names in English texts: by lists, and by how words are capitalised.

A run of capitalised words (one space between them, function words excluded) names a person if,
after titles and roles such as "Dr." or "Actor",

- it is one known first name that is no word, month or place, or has such a title before it;
- or a known first name and a known surname, with initials or known names between them;
- or a known, unambiguous first name and one other word that names no kind of thing.

It names none after "the", joined by hyphen, slash or "&" to something, with "'s" before another
capitalised word (titles of works, shops), or in any longer run with an unknown word. A surname
alone is a person's only where the item has the full name, or after "Mr." and its like.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dynabench.science.perturbations.fairness.name_lists import (
    first_names,
    is_ambiguous,
    surnames,
)
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.word_lists import words

_JOINERS = frozenset("-/&_@")
_SUFFIXES = frozenset(["jr", "sr", "ii", "iii", "iv"])
_HONORIFICS = frozenset(["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir"])
_PAIR = 2


@dataclass(slots=True)
class Person:
    """One mention of a person: places of words in a passage.

    Attributes:
        titles: Titles and roles before the name.
        firsts: First names.
        surname: The surname, if it is a known one.
    """

    titles: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    surname: int | None = None


def find_people(passage: Passage) -> tuple[list[Person], list[int]]:
    """Return the people of a text, and lone names that may be theirs again."""
    people: list[Person] = []
    lone: list[int] = []
    for run in _runs(passage):
        if _is_part_of_a_thing(passage, run):
            continue
        person = _read(passage, run)
        if person is not None:
            people.append(person)
        elif len(run) == 1:
            lone.append(run[0])
    return people, lone


def bare(text: str) -> str:
    """Return a name without its possessive ending.

    Example:
        >>> bare("Mary's"), bare("O’Brien’s"), bare("James'")
        ('Mary', "O'Brien", "James'")
    """
    straight = text.replace("’", "'")
    return straight.removesuffix("'s")


def _runs(passage: Passage) -> Iterator[list[int]]:
    run: list[int] = []
    function_words = words("function_words.txt")
    for index, word in enumerate(passage.words):
        text = word.text
        is_name_like = (
            text[0].isupper()
            and (len(text) == 1 or not text.isupper())
            and passage.lowered[index] not in function_words
        )
        if run and not (is_name_like and _goes_on(passage, run[-1])):
            yield run
            run = []
        if is_name_like:
            run.append(index)
    if run:
        yield run


def _goes_on(passage: Passage, last: int) -> bool:
    between = passage.between(last)
    if between == " ":
        return not passage.lowered[last].endswith("'s")
    is_short = len(passage.words[last].text) == 1 or passage.lowered[last] in _HONORIFICS
    return between == ". " and is_short


def _is_part_of_a_thing(passage: Passage, run: Sequence[int]) -> bool:
    text = passage.text
    first, last = passage.words[run[0]], passage.words[run[-1]]
    before, after = text[: first.start].rstrip(" ")[-1:], text[last.end :].lstrip(" ")[:1]
    if (before and before in _JOINERS) or (after and after in _JOINERS):
        return True
    # A dot with a letter right behind it is an address.
    if text[last.end : last.end + 1] == "." and text[last.end + 1 : last.end + 2].isalnum():
        return True
    if passage.lowered[run[-1]].endswith("'s") and run[-1] + 1 < len(passage.words):
        following = passage.words[run[-1] + 1].text
        if passage.between(run[-1]) == " " and following[0].isupper():
            return True
    return run[0] > 0 and passage.lowered[run[0] - 1] == "the"


def _read(passage: Passage, run: Sequence[int]) -> Person | None:
    leads = words("lead_words.txt")
    names = list(run)
    person = Person()
    while names and passage.lowered[names[0]] in leads and len(names) > 1:
        person.titles.append(names.pop(0))
    if len(names) > 1 and passage.lowered[names[-1]] in _SUFFIXES:
        names.pop()
    texts = [bare(passage.words[index].text) for index in names]
    if any(text.lower() in words("thing_words.txt") for text in texts):
        return None
    if len(texts) == 1:
        return _read_one(passage, person, names[0], texts[0])
    if texts[0] not in first_names():
        return None
    middle_known = all(len(text) == 1 or _is_known(text) for text in texts[1:-1])
    last = texts[-1]
    is_doubtful = is_ambiguous(texts[0]) and (is_ambiguous(last) or not _is_known(last))
    if not middle_known or is_doubtful or (len(texts) > _PAIR and not _is_known(last)):
        return None
    person.firsts = [
        index for index, text in zip(names[:-1], texts[:-1], strict=True) if text in first_names()
    ]
    if last in surnames():
        person.surname = names[-1]
    elif last in first_names():
        person.firsts.append(names[-1])
    return person


def _read_one(passage: Passage, person: Person, index: int, text: str) -> Person | None:
    has_honorific = any(passage.lowered[title] in _HONORIFICS for title in person.titles)
    if has_honorific and text in surnames():
        person.surname = index
        return person
    if text in first_names() and (person.titles or not is_ambiguous(text)):
        person.firsts = [index]
        return person
    return None


def _is_known(text: str) -> bool:
    return text in first_names() or text in surnames()
