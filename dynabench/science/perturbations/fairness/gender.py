"""Swaps women and men: names, nouns, titles and pronouns together, so that they agree.

A capitalised noun in the middle of a sentence is taken for a name of something else and left
alone, unless it is always written so, is how family is called, or is the title of a known person.
Words joined by hyphens are left alone but for those on the list. Where a protected text holds a
word that would swap, the item has no variant: half a swap would no longer agree.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.fairness.articles import article_edit
from dynabench.science.perturbations.fairness.name_lists import (
    draw_first_name,
    first_names,
    is_ambiguous,
    surnames,
)
from dynabench.science.perturbations.fairness.names import name_edits
from dynabench.science.perturbations.fairness.people import (
    REIGNING,
    People,
    Person,
    bare,
    find_people,
)
from dynabench.science.perturbations.fairness.pronouns import other_pronoun
from dynabench.science.perturbations.letter_case import cased_like
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import lines, rows

_FAMILY = frozenset(
    ["aunt", "auntie", "dad", "daddy", "granddad", "grandad", "grandfather", "grandma",
     "grandmother", "grandpa", "granny", "ma'am", "mom", "mommy", "mum", "uncle"]
)  # fmt: skip
_TITLES: Mapping[str, str] = {"mr": "ms", "mrs": "mr", "ms": "mr", "miss": "mr", "sir": "dame"}


_BOUND = re.compile(
    r"\b(?:pregnan\w*|g[ai]ve(?:s|n)? birth|giving birth|births?|menstrua\w*|menopaus\w*|"
    r"miscarr\w*|abortions?|breast-?fe\w*|ovar\w*|uterus|womb|vagina\w*|prostate\w*|testic\w*|penis|penises|"
    r"sperm|beards?|bearded|m[ou]stach\w*|gender\w*|sex|sexes|sexis[mt]\w*|feminis\w*|misogyn\w*|"
    r"patriarch\w*|lesbians?|gays?|homosexual\w*|transgender\w*|nuns?|monks?|priests?|popes?)\b",
    re.IGNORECASE,
)
"""What is true of one gender alone, or says something of gender itself."""


class Swaps(NamedTuple):
    """The other word for each word of the list, and those that are always capitalised."""

    other: Mapping[str, str]
    capitalised: frozenset[str]
    hyphened: tuple[str, ...]


def swap_gender(passages: Sequence[Passage], draws: Draws) -> Sequence[Edits]:
    """Swap all words for women and men in all texts of the item."""
    found = [find_people(passage) for passage in passages]
    if any(map(_is_bound, passages, found)):
        return [[] for _ in passages]
    names = _other_names(passages, found, draws)
    edits: list[list[Edit]] = []
    for passage, there in zip(passages, found, strict=True):
        changed = name_edits(passage, there, names)
        changed += _word_edits(passage, there.people)
        if not all(passage.is_free(edit.start, edit.end) for edit in changed):
            return [[] for _ in passages]
        edits.append(changed)
    return edits


def _is_bound(passage: Passage, there: People) -> bool:
    """Tell whether a text hangs on gender: on a body, on a name that stays, on words as such."""
    if passage.speaks_of_words or _BOUND.search(passage.text):
        return True
    return any(_has_a_gender(passage, run) for run in there.things) or any(
        _is_another_name(passage, run) for run in there.others
    )


def _has_a_gender(passage: Passage, run: Sequence[int]) -> bool:
    """Tell whether a name that stays is a woman's or a man's: what is said of it stays too."""
    if any(passage.lowered[index] in REIGNING for index in run):
        return True
    names = [bare(passage.words[index].text) for index in run]
    return any(name in first_names() and not is_ambiguous(name) for name in names)


def _is_another_name(passage: Passage, run: Sequence[int]) -> bool:
    """Tell whether capitalised words are somebody's whose name is on no list."""
    if run[0] and passage.lowered[run[0] - 1] in _swaps().other:
        return passage.between(run[0] - 1) == " "
    return len(run) > 1 and bare(passage.words[run[0]].text) in first_names()


def _other_names(
    passages: Sequence[Passage], found: Sequence[People], draws: Draws
) -> dict[str, str]:
    """Return for each first name one of the other gender and the same group."""
    taken = {bare(word.text) for passage in passages for word in passage.words}
    things = {
        bare(passage.words[index].text)
        for passage, there in zip(passages, found, strict=True)
        for run in there.things
        for index in run
    }
    names: dict[str, str] = {}
    for passage, there in zip(passages, found, strict=True):
        for index in (index for person in there.people for index in person.firsts):
            name = bare(passage.words[index].text)
            if name in names or name in things:
                continue
            group, gender = first_names()[name]
            names[name] = draw_first_name(draws, group=group, gender=gender.other, taken=taken)
            taken.add(names[name])
    return names


def _word_edits(passage: Passage, people: Sequence[Person]) -> list[Edit]:
    titles = {index for person in people for index in person.titles}
    in_names = {index for person in people for index in person.names}
    found: list[tuple[int, Edit]] = []
    for index in range(len(passage.words)):
        if index in in_names:
            continue
        edit = _title_edit(passage, index) if index in titles else _word_edit(passage, index)
        if edit is not None:
            found.append((index, edit))
    kept = _fixed_places(passage.text) if found else []
    edits: list[Edit] = []
    for index, edit in found:
        if any(start <= edit.start < end for start, end in kept):
            continue
        edits.append(edit)
        article = article_edit(passage, index, edit.text)
        if article is not None:
            edits.append(article)
    return edits


def _title_edit(passage: Passage, index: int) -> Edit | None:
    word = passage.words[index]
    title = passage.lowered[index]
    other = _TITLES.get(title) or _swaps().other.get(title)
    return None if other is None else Edit(word.start, word.end, cased_like(other, word.text))


def _word_edit(passage: Passage, index: int) -> Edit | None:
    word, lowered = passage.words[index], passage.lowered[index]
    text = passage.text
    start, end = word.start, word.end
    if text[start - 1 : start] == "-" and start:
        return None
    if text[end : end + 1] == "-":
        return _compound_edit(passage, index)
    base = lowered.partition("'")[0] if lowered not in _swaps().other else lowered
    other = other_pronoun(passage, index)
    if other is None and "'" in lowered and base in {"he", "she"}:
        other = "she" if base == "he" else "he"
        end = start + len(base)
    elif other is None:
        other = _swaps().other.get(base)
        if other is None or not _is_common_noun(passage, index, base):
            return None
        end = start + len(base)
    return Edit(start, end, cased_like(other, text[start:end]))


def _is_common_noun(passage: Passage, index: int, base: str) -> bool:
    text = passage.words[index].text[: len(base)]
    if not text[0].isupper() or text.isupper():
        return True
    if base in _swaps().capitalised or base in _FAMILY:
        return True
    is_name = text in first_names() or text in surnames()
    return passage.begins_sentence(index) and not is_name


def _compound_edit(passage: Passage, index: int) -> Edit | None:
    word = passage.words[index]
    rest = passage.text[word.start :].lower()
    for compound in _swaps().hyphened:
        if rest.startswith(compound) and not rest[len(compound) : len(compound) + 1].isalnum():
            end = word.start + len(compound)
            other = _swaps().other[compound]
            return Edit(word.start, end, cased_like(other, passage.text[word.start : end]))
    return None


def _fixed_places(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _fixed_phrases().finditer(text)]


@cache
def _fixed_phrases() -> re.Pattern[str]:
    phrases = sorted(lines("left_alone_phrases.txt"), key=len, reverse=True)
    either = "|".join(re.escape(phrase) for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)", re.IGNORECASE)


@cache
def _swaps() -> Swaps:
    """Read the list; of several words for one the first is taken."""
    other: dict[str, str] = {}
    listed: list[str] = []
    for female, male, *direction in rows("gendered_words.tsv"):
        if direction != ["to female"]:
            other.setdefault(female.lower(), male)
        if direction != ["to male"]:
            other.setdefault(male.lower(), female)
        listed += [female, male]
    return Swaps(
        other=other,
        capitalised=frozenset(one.lower() for one in listed if one[0].isupper()),
        hyphened=tuple(sorted((one for one in other if "-" in one), key=len, reverse=True)),
    )
