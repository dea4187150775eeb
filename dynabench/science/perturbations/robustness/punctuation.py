"""Punctuation where none belongs."""

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.languages import main_subtag
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits

_MARKS = (",", ";", ":", ".", "…", " -")
_ARABIC_MARKS = ("،", "؛", ":", ".", "…", " -")
_ARABIC = frozenset(["ar", "fa", "ps", "sd", "ug", "ur"])
_AT_THE_END = (".", "…", "..", " .")
_ONE_IN = 6


def add_punctuation(passage: Passage, draws: Draws) -> Edits:
    """Put marks after words, and one at the end of a text that has none.

    Marks that ask or exclaim are not used: they may say something.
    """
    text = passage.text
    marks = _ARABIC_MARKS if main_subtag(passage.language) in _ARABIC else _MARKS
    places = [place for place in passage.gaps if text[place - 1].isalnum()]
    chosen = draws.some_of(places, share_of(len(passage.words), one_in=_ONE_IN))
    edits = [Edit(place, place, draws.one_of(marks)) for place in chosen]
    end = len(text.rstrip())
    if end and text[end - 1].isalnum() and passage.is_free(end, end):
        edits.append(Edit(end, end, draws.one_of(_AT_THE_END)))
    return edits
