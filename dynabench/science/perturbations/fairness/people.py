"""Finds people's names in English texts: by lists, and by how words are capitalised.

A run of capitalised words (one space between them, function words excluded) names a person if,
after titles and roles such as "Dr." or "Actor",

- it is one known first name that is no word, month or place, or has such a title before it;
- or it is up to four words, the first of them a known first name, the last anything that names
  no kind of thing, with initials or known names between them. A first name that is also a word,
  month or place needs a known surname that is not.

It names none after an article or "St.", before a number or "the Great" and its like, joined by
hyphen, slash or "&" to something, or with "'s" before another capitalised word (titles of works,
shops). A surname alone, or a name in quotes of a title's length, is a person's only where the item
has it in a full name, or after "Mr." and its like.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from dynabench.science.perturbations.fairness.name_lists import (
    first_names,
    is_ambiguous,
    surnames,
)
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.word_lists import lines, words

_JOINERS = frozenset("-/&_@")
_SUFFIXES = frozenset(["jr", "sr", "ii", "iii", "iv"])
_HONORIFICS = frozenset(["mr", "mrs", "ms", "miss", "mx", "dr", "prof", "professor", "sir"])
_BEFORE_THINGS = frozenset(
    [
        "a",
        "an",
        "cape",
        "fort",
        "lake",
        "los",
        "mount",
        "new",
        "port",
        "saint",
        "san",
        "santa",
        "st",
        "the",
    ]
)
REIGNING = frozenset(
    ["czar", "duchess", "duke", "emperor", "empress", "king", "pope", "prince", "princess",
     "queen", "saint", "tsar"]
)  # fmt: skip
_NUMERAL = re.compile(
    r"[ \u00a0](?:[IVX]{2,}|[VX]|I(?=$|[.,;:]| (?:is|was|of|had|has|ruled|reigned)\b))(?!\w)"
)
_GOES_ON = re.compile(r" (?:(?:in|of|and|on) (?:the )?|& )[A-Z]")
_IN_TITLES = frozenset(["in", "of", "on"])
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,60})[\"”]")
_TITLE_WORDS = 6
_MOST_NAMES = 4


@dataclass(slots=True)
class Person:
    """One mention of a person: places of words in a passage.

    Attributes:
        titles: Titles and roles before the name.
        names: The whole name.
        firsts: First names.
        surname: The surname, if it is a known one.
    """

    titles: list[int] = field(default_factory=list)
    names: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    surname: int | None = None


class People(NamedTuple):
    """The people of a text, runs of words that may name one of them again, and those of things."""

    people: list[Person]
    others: list[list[int]]
    things: list[list[int]]


def find_people(passage: Passage) -> People:
    """Return who is named in a text."""
    people: list[Person] = []
    others: list[list[int]] = []
    things: list[list[int]] = []
    titles = _quoted_titles(passage.text)
    works = [match.span() for match in _works().finditer(passage.text)]
    for run in _runs(passage):
        start = passage.words[run[0]].start
        if any(low <= start < high for low, high in works):
            things.append(run)
            continue
        if _is_part_of_a_thing(passage, run) or _reigns_or_is_a_title(passage, run):
            things.append(run)
            continue
        is_quoted = any(low <= start < high for low, high in titles)
        person = None if is_quoted else _read(passage, run)
        if person is not None:
            people.append(person)
        else:
            others.append(run)
    return People(people, others, things)


def bare(text: str) -> str:
    """Return a name without its possessive ending.

    Example:
        >>> bare("Mary's"), bare("O’Brien’s"), bare("James'")
        ('Mary', "O'Brien", "James'")
    """
    straight = text.replace("’", "'")
    return straight.removesuffix("'s")


def _quoted_titles(text: str) -> list[tuple[int, int]]:
    """Return quotes of a few words of which all but function words are capitalised."""
    found: list[tuple[int, int]] = []
    for match in _QUOTED.finditer(text):
        inner = re.findall(r"[^\W_]+", match.group(1))
        if len(inner) <= _TITLE_WORDS and all(
            not word[0].islower() or word in words("function_words.txt") for word in inner
        ):
            found.append(match.span())
    return found


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
    if not words("thing_words.txt").isdisjoint(bare(passage.lowered[index]) for index in run):
        return True
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
    if run[0] > 0 and passage.lowered[run[0] - 1] in _BEFORE_THINGS:
        return passage.between(run[0] - 1) in {" ", ". "}
    return _names_a_thing_after(passage, run[-1])


def _reigns_or_is_a_title(passage: Passage, run: Sequence[int]) -> bool:
    """Tell "Pope Benedict XIII" and "Alice in Wonderland" from a person to be swapped.

    There is no other pope of that name and number, and no such book with another name.
    """
    named = [index for index in run if passage.lowered[index] not in words("lead_words.txt")]
    if len(named) != 1:
        return False
    if any(passage.lowered[index] in REIGNING for index in run):
        return True
    end = passage.words[run[-1]].end
    if _NUMERAL.match(passage.text, end):
        return True
    goes_on = _GOES_ON.match(passage.text, end)
    return goes_on is not None and " and " not in goes_on.group() and "&" not in goes_on.group()


@cache
def _works() -> re.Pattern[str]:
    titles = sorted(lines("works.txt"), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, titles))})(?!\w)")


def _names_a_thing_after(passage: Passage, last: int) -> bool:
    """Tell "Frederick the Great", "Malcolm in the Middle" and "Mary 2" from a person."""
    following = passage.lowered[last + 1 : last + 4]
    if not following or passage.between(last) != " ":
        return False
    if following[0].isdigit():
        return True
    skipped = 1 if following[0] == "the" else 2 if following[1:2] == ["the"] else 0
    if not skipped or (skipped > 1 and following[0] not in _IN_TITLES) or len(following) <= skipped:
        return False
    return passage.words[last + 1 + skipped].text[0].isupper()


def _read(passage: Passage, run: Sequence[int]) -> Person | None:
    leads = words("lead_words.txt")
    names = list(run)
    person = Person()
    while names and passage.lowered[names[0]] in leads and len(names) > 1:
        person.titles.append(names.pop(0))
    if len(names) > 1 and passage.lowered[names[-1]] in _SUFFIXES:
        names.pop()
    while len(names) > 1 and len(passage.words[names[0]].text) == 1:
        names.pop(0)
    texts = [bare(passage.words[index].text) for index in names]
    if len(texts) == 1:
        return _read_one(passage, person, names[0], texts[0])
    if texts[0] not in first_names() or len(texts) > _MOST_NAMES:
        return None
    middle_known = all(len(text) == 1 or _is_known(text) for text in texts[1:-1])
    last = texts[-1]
    is_doubtful = is_ambiguous(texts[0]) and (is_ambiguous(last) or not _is_known(last))
    if not middle_known or is_doubtful:
        return None
    person.names = names
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
        person.names, person.surname = [index], index
        return person
    if text in first_names() and (person.titles or not is_ambiguous(text)):
        person.names, person.firsts = [index], [index]
        return person
    return None


def _is_known(text: str) -> bool:
    return text in first_names() or text in surnames()
