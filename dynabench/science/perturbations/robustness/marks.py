"""Marks on letters, added for looks or left out in haste."""

import unicodedata
from functools import lru_cache

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import letters, words

LEAVE_OUT_MARKS = frozenset(["ca", "el", "en", "es", "fr", "gl", "it", "pt", "ar", "he"])
"""Languages whose writers often leave marks out, and are understood."""

WITHOUT_MARKS = frozenset(["en", "fil", "id", "ms", "sw"])
"""Languages where a mark makes no other word, for they write none."""

_ONE_IN = 6
_LETTERS_OF_THEIR_OWN = frozenset("ñÑ")


def add_marks(passage: Passage, draws: Draws) -> Edits:
    """Put marks on letters that have none."""
    table = letters("added_marks.tsv")
    if passage.speaks_of_words:
        return []
    others = words("marked_words.txt")
    able = [
        word
        for word in passage.letter_words
        if word.text.lower() not in others and any(one in table for one in word.text)
    ]
    edits: list[Edit] = []
    for word in draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN)):
        place = draws.one_of([at for at, one in enumerate(word.text) if one in table])
        at = word.start + place
        edits.append(Edit(at, at + 1, draws.one_of(table[word.text[place]])))
    return edits


def remove_marks(passage: Passage, draws: Draws) -> Edits:
    """Leave out the marks of all letters but ñ; nothing is drawn."""
    del draws
    text = passage.text
    if text.isascii():
        return []
    edits: list[Edit] = []
    for at, letter in enumerate(text):
        if letter.isascii() or not passage.is_free(at, at + 1):
            continue
        plain = _plain(letter)
        if plain != letter:
            edits.append(Edit(at, at + 1, plain))
    return edits


@lru_cache(maxsize=2048)
def _plain(letter: str) -> str:
    if letter in _LETTERS_OF_THEIR_OWN:
        return letter
    if unicodedata.combining(letter):
        return ""
    apart = unicodedata.normalize("NFD", letter)
    if len(apart) == 1 or not apart[0].isalpha():
        return letter
    return "".join(one for one in apart if not unicodedata.combining(one))
