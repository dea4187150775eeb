"""Emphasis by repetition, as people write when they mean it."""

from collections.abc import Mapping
from functools import cache

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.languages import main_subtag
from dynabench.science.perturbations.passages import Passage, Word
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import words

_ONE_IN = 8
_MOST_MORE = 3
_MARKS = "!?"


def emphasise(passage: Passage, draws: Draws) -> Edits:
    """Draw out words that people draw out, and repeat a mark at the end.

    Only words of a list, each at the place where it reads; the list is English.
    """
    edits: list[Edit] = []
    if main_subtag(passage.language) == "en" and not passage.speaks_of_words:
        able = [word for word in passage.free_words if word.text.lower() in _places()]
        chosen = draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN))
        edits += [_drawn_out(word, draws) for word in chosen]
    end = len(passage.text.rstrip())
    mark = passage.text[end - 1 : end]
    if mark and mark in _MARKS and passage.is_free(end, end):
        edits.append(Edit(end, end, mark * 2))
    return edits


def _drawn_out(word: Word, draws: Draws) -> Edit:
    place = _places()[word.text.lower()]
    at = word.start + place + 1
    return Edit(at, at, word.text[place] * (2 + draws.below(_MOST_MORE - 1)))


@cache
def _places() -> Mapping[str, int]:
    """Return for each word of the list which letter is drawn out: the one before the star."""
    return {one.replace("*", ""): one.index("*") - 1 for one in words("drawn_out.txt")}
