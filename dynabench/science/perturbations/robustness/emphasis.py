"""Emphasis by repetition, as people write when they mean it."""

import unicodedata

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.passages import Passage, Word
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import words

_VOWELS = frozenset("aeiouаеиоуыэяαεηιουω")
_ONE_IN = 8
_MOST_MORE = 3
_MARKS = "!?"


def emphasise(passage: Passage, draws: Draws) -> Edits:
    """Draw out a vowel of words that carry meaning, and repeat a mark at the end."""
    empty = words("function_words.txt")
    able = [
        word
        for word in passage.letter_words
        if word.text.lower() not in empty and _vowel_places(word)
    ]
    chosen = draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN))
    edits = [_drawn_out(word, draws) for word in chosen]
    end = len(passage.text.rstrip())
    mark = passage.text[end - 1 : end]
    if mark and mark in _MARKS and passage.is_free(end, end):
        edits.append(Edit(end, end, mark * 2))
    return edits


def _drawn_out(word: Word, draws: Draws) -> Edit:
    place = draws.one_of(_vowel_places(word))
    at = word.start + place + 1
    return Edit(at, at, word.text[place] * (2 + draws.below(_MOST_MORE - 1)))


def _vowel_places(word: Word) -> list[int]:
    """Return the vowels but the first letter and a silent one at the end."""
    return [
        place
        for place, letter in enumerate(word.text)
        if 0 < place < len(word.text) - 1 and _base(letter) in _VOWELS
    ]


def _base(letter: str) -> str:
    return letter.lower() if letter.isascii() else unicodedata.normalize("NFD", letter)[0].lower()
