"""Letters that look like others, or that nobody sees."""

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.passages import Passage, Word
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import choices, letters

ZERO_WIDTH = ("\u200b", "\u2060", "\ufeff")
"""Zero width space, word joiner, zero width no-break space: none of them shapes letters."""

_ONE_IN = 5
_ONE_IN_READ = 6


def add_zero_width(passage: Passage, draws: Draws) -> Edits:
    """Put characters of no width into words."""
    words = [word for word in passage.free_words if len(word.text) > 1 and word.text.isalpha()]
    edits: list[Edit] = []
    for word in draws.some_of(words, share_of(len(passage.words), one_in=_ONE_IN)):
        place = word.start + 1 + draws.below(len(word.text) - 1)
        edits.append(Edit(place, place, draws.one_of(ZERO_WIDTH)))
    return edits


def use_homoglyphs(passage: Passage, draws: Draws) -> Edits:
    """Replace letters by ones of another alphabet that look the same."""
    table = letters("homoglyphs.tsv")
    able = [word for word in passage.free_words if any(one in table for one in word.text)]
    edits: list[Edit] = []
    for word in draws.some_of(able, share_of(len(passage.words), one_in=_ONE_IN)):
        place = draws.one_of([at for at, one in enumerate(word.text) if one in table])
        at = word.start + place
        edits.append(Edit(at, at + 1, draws.one_of(table[word.text[place]])))
    return edits


def misread(passage: Passage, draws: Draws) -> Edits:
    """Replace letters as a machine misreads them in print."""
    chosen = draws.some_of(passage.letter_words, share_of(len(passage.words), one_in=_ONE_IN_READ))
    edits = (_misread_word(word, draws) for word in chosen)
    return [edit for edit in edits if edit is not None]


def _misread_word(word: Word, draws: Draws) -> Edit | None:
    table = choices("ocr.tsv")
    text = word.text
    found = [
        (place, text[place : place + size])
        for size in (2, 1)
        for place in range(len(text) - size + 1)
        if text[place : place + size] in table
    ]
    if not found:
        return None
    place, seen = draws.one_of(found)
    at = word.start + place
    return Edit(at, at + len(seen), draws.one_of(table[seen]))
