"""Punctuation where it changes nothing: at joints of a sentence, doubled, or at the end."""

import re

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.languages import main_subtag
from dynabench.science.perturbations.passages import Passage
from dynabench.science.perturbations.values import Edit, Edits

_AT_JOINTS = (",", " -", " –")
_JOINTS = frozenset(["although", "because", "but", "unless", "whereas", "while"])
_DOUBLED = re.compile(r"(?<=\w)(?:[,;،؛](?=\s)|\.(?=\s*$))")
_AT_THE_END = (".", "…", "..", " .")
_ONE_IN = 6


def add_punctuation(passage: Passage, draws: Draws) -> Edits:
    """Put marks before joining words, double others, and end a text that has no end.

    Marks that ask or exclaim are not used: they may say something. A mark within a clause would
    take it apart.
    """
    text = passage.text
    places = [(match.start(), text[match.start()]) for match in _DOUBLED.finditer(text)]
    places = [(place, mark) for place, mark in places if passage.is_free(place, place)]
    if main_subtag(passage.language) == "en":
        gaps = set(passage.gaps)
        places += [
            (word.start - 1, "")
            for word, lowered in zip(passage.words, passage.lowered, strict=True)
            if lowered in _JOINTS and word.start - 1 in gaps and text[word.start - 2].isalnum()
        ]
    chosen = draws.some_of(sorted(places), share_of(len(passage.words), one_in=_ONE_IN))
    edits = [Edit(place, place, mark or draws.one_of(_AT_JOINTS)) for place, mark in chosen]
    end = len(text.rstrip())
    if end and text[end - 1].isalnum() and passage.is_free(end, end):
        edits.append(Edit(end, end, draws.one_of(_AT_THE_END)))
    return edits
