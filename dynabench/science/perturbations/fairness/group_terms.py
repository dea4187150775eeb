"""Swaps words for groups of people by others of their class.

An adjective that also names foods, languages and things ("German", "black") counts only right
before a word for people, a noun only where no other noun follows, and none of them beside a
capitalised word or where a language is meant ("in German"). The same word becomes the same other
word in all texts of an item.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from dynabench.science.perturbations.draws import Draws
from dynabench.science.perturbations.fairness.articles import article_edit
from dynabench.science.perturbations.fairness.people import bare
from dynabench.science.perturbations.letter_case import cased_like
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import rows, words

_OF_LANGUAGES = re.compile(
    r"\b(?:languages?|tongues?|grammar|dialects?|speak\w*|spoken|spoke|fluent\w*|translat\w*|"
    r"subtitle\w*|accents?|bilingual|words?|alphabet|pronounc\w*|verbs?|nouns?|dictionar\w*)\b",
    re.IGNORECASE,
)
_OF_LOVE = re.compile(
    r"\b(?:lov(?:e|es|ed|ing)|marr(?:y|ies|ied|iage\w*)|dat(?:e|es|ed|ing)|attract\w*|kiss\w*|"
    r"partners?|boyfriends?|girlfriends?|husbands?|wife|wives|same-sex)\b",
    re.IGNORECASE,
)
_BEFORE_ONE = frozenset(
    ["a", "am", "an", "another", "are", "be", "been", "being", "each", "every", "half", "i'm",
     "is", "not", "one", "she's", "he's", "that", "they're", "this", "was", "we're", "were",
     "you're"]
)  # fmt: skip

_BEFORE_LANGUAGES = frozenset(
    ["from", "in", "into", "learn", "learned", "learning", "speak", "speaking", "speaks", "spoke",
     "spoken"]
)  # fmt: skip

_BEFORE_OTHERS = frozenset(
    ["central", "east", "eastern", "indigenous", "latin", "native", "north", "northern", "south",
     "southern", "west", "western"]
)  # fmt: skip


class Form(StrEnum):
    """How a term is used."""

    ANY = "any"
    PLURAL = "plural"
    ADJECTIVE = "adjective"


class Class(NamedTuple):
    """Terms that swap with each other."""

    name: str
    form: Form
    terms: tuple[str, ...]


def swap_group_terms(passages: Sequence[Passage], draws: Draws) -> Sequence[Edits]:
    """Replace the terms of all classes in all texts of the item."""
    swaps: dict[tuple[str, str], str] = {}
    edits: list[list[Edit]] = []
    for passage in passages:
        changed: list[Edit] = []
        for index, word in enumerate(passage.words):
            term = bare(word.text)
            found = _class_of(passage, index, term)
            if found is None or not passage.is_free(word.start, word.end):
                continue
            key = (found.name, term.lower())
            if key not in swaps or swaps[key] not in found.terms:
                swaps[key] = draws.one_of(
                    [one for one in found.terms if one.lower() != term.lower()]
                )
            other = swaps[key]
            cased = cased_like(other, term) if other[0].islower() or term.isupper() else other
            changed.append(Edit(word.start, word.start + len(term), cased))
            article = article_edit(passage, index, other)
            if article is not None:
                changed.append(article)
        edits.append(changed)
    return edits


def _class_of(passage: Passage, index: int, term: str) -> Class | None:
    classes = _classes().get(term.lower())
    if classes is None or _is_joined(passage, index):
        return None
    following = _following(passage, index)
    if _is_in_a_name(passage, index, following) or _is_a_language(passage, index):
        return None
    before_people = following.lower() in words("person_words.txt")
    before_noun = bool(following) and following.lower() not in words("function_words.txt")
    if _says_more(passage, index, classes, before_people=before_people):
        return None
    if before_people:
        return classes.get(Form.ADJECTIVE) or classes.get(Form.ANY)
    if Form.PLURAL in classes:
        return classes[Form.PLURAL]
    return None if before_noun else classes.get(Form.ANY)


def _says_more(
    passage: Passage, index: int, classes: Mapping[Form, Class], *, before_people: bool
) -> bool:
    """Tell whether another term would make the sentence say something else."""
    if _is_of(classes, "orientation") and _OF_LOVE.search(passage.text):
        return True
    names_one = Form.PLURAL not in classes and not before_people
    return names_one and _is_of(classes, "nationality") and _is_no_person(passage, index)


def _is_of(classes: Mapping[Form, Class], name: str) -> bool:
    return any(one.name == name for one in classes.values())


def _is_no_person(passage: Passage, index: int) -> bool:
    """Tell "Korean is hard" and "his German is good" from "she is Korean" and "a German"."""
    before = passage.lowered[index - 1] if index else ""
    return before not in _BEFORE_ONE or _OF_LANGUAGES.search(passage.text) is not None


def _is_in_a_name(passage: Passage, index: int, following: str) -> bool:
    """Tell whether the term is part of a longer one, as in "South Korean"."""
    before = passage.lowered[index - 1] if index and passage.between(index - 1) == " " else ""
    if before in _BEFORE_OTHERS:
        return True
    if passage.text.isupper():
        return False
    if following and following[0].isupper():
        return True
    if not before or before in words("function_words.txt") or passage.begins_sentence(index - 1):
        return False
    return passage.words[index - 1].text[0].isupper()


def _is_a_language(passage: Passage, index: int) -> bool:
    before = passage.lowered[index - 1] if index else ""
    return before in _BEFORE_LANGUAGES or passage.between(index).startswith(":")


def _is_joined(passage: Passage, index: int) -> bool:
    word = passage.words[index]
    return "-" in {passage.text[word.end : word.end + 1], passage.text[: word.start][-1:]}


def _following(passage: Passage, index: int) -> str:
    if index + 1 == len(passage.words) or passage.between(index) != " ":
        return ""
    return passage.words[index + 1].text


@cache
def _classes() -> Mapping[str, Mapping[Form, Class]]:
    found: dict[str, dict[Form, Class]] = {}
    for name, form, terms in rows("group_terms.tsv"):
        one = Class(name, Form(form), tuple(terms.split()))
        for term in one.terms:
            found.setdefault(term.lower(), {})[one.form] = one
    return found
