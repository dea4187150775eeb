"""Space where there was none, none where there was, and more of it."""

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits

_SPACES = ("  ", "   ", "\t", "\u00a0", " \u00a0", "    ")
_ONE_IN_GAPS = 4
_ONE_IN_SPLIT = 12
_ONE_IN_JOINED = 8
_MIN_SPLIT = 6


def add_white_space(passage: Passage, draws: Draws) -> Edits:
    """Widen single spaces, or replace them by tabs and no-break spaces."""
    gaps = passage.gaps
    chosen = draws.some_of(gaps, share_of(len(gaps), one_in=_ONE_IN_GAPS))
    return [Edit(place, place + 1, draws.one_of(_SPACES)) for place in chosen]


def split_words(passage: Passage, draws: Draws) -> Edits:
    """Put a space into words of six letters or more."""
    able = [word for word in passage.letter_words if len(word.text) >= _MIN_SPLIT]
    edits: list[Edit] = []
    for word in draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN_SPLIT)):
        place = word.start + 2 + draws.below(len(word.text) - 3)
        edits.append(Edit(place, place, " "))
    return edits


def join_words(passage: Passage, draws: Draws) -> Edits:
    """Leave out the space between two words."""
    text = passage.text
    able = [
        place for place in passage.gaps if text[place - 1].isalpha() and text[place + 1].isalpha()
    ]
    chosen = draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN_JOINED))
    return [Edit(place, place + 1, "") for place in chosen]
