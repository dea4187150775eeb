"""Slips of the hand within a word: letters swapped, dropped, put in, doubled or hit beside."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from dynabench.science.perturbations.draws import Draws, share_of
from dynabench.science.perturbations.languages import main_subtag
from dynabench.science.perturbations.letter_case import cased_like
from dynabench.science.perturbations.passages import Passage, Word
from dynabench.science.perturbations.values import Edit, Edits
from dynabench.science.perturbations.word_lists import rows, words

ONE_IN = 8
"""One word in so many gets a slip, of those with four letters or more."""

_TRIES = 6
_MIN_TO_DROP = 5  # Of "film" less is left than one reads.

Slip = Callable[[Word, Draws], Edit | None]


def swap_letters(passage: Passage, draws: Draws) -> Edits:
    """Swap two neighbouring letters inside words."""
    return _slips(passage, draws, _swapped)


def drop_letters(passage: Passage, draws: Draws) -> Edits:
    """Leave a letter inside words out."""
    return _slips(passage, draws, _dropped)


def insert_letters(passage: Passage, draws: Draws) -> Edits:
    """Put a letter that the text has elsewhere into words."""
    letters = sorted({letter for letter in passage.text.lower() if letter.isalpha()})

    def inserted(word: Word, draws: Draws) -> Edit:
        place = word.start + 1 + draws.below(len(word.text) - 1)
        return Edit(place, place, cased_like(draws.one_of(letters), _rest(word)))

    return _slips(passage, draws, inserted)


def repeat_letters(passage: Passage, draws: Draws) -> Edits:
    """Double a letter inside words."""
    return _slips(passage, draws, _repeated)


def hit_neighbours(passage: Passage, draws: Draws) -> Edits:
    """Replace a letter inside words by one whose key lies beside it."""
    neighbours = _neighbours(main_subtag(passage.language))

    def beside(word: Word, draws: Draws) -> Edit | None:
        places = [place for place in range(1, len(word.text)) if word.text[place] in neighbours]
        if not places:
            return None
        place = draws.one_of(places)
        at = word.start + place
        return Edit(at, at + 1, draws.one_of(neighbours[word.text[place]]))

    return _slips(passage, draws, beside)


def layout_languages() -> frozenset[str]:
    """Return the languages whose keyboards are known."""
    return frozenset(code for _, codes, _ in rows("keyboards.tsv") for code in codes.split())


def _slips(passage: Passage, draws: Draws, slip: Slip) -> list[Edit]:
    if passage.speaks_of_words:
        return []
    known = words("common_words.txt") if main_subtag(passage.language) == "en" else frozenset()
    chosen = draws.some_of(passage.letter_words, share_of(len(passage.words), one_in=ONE_IN))
    edits = (_no_other_word(word, slip, draws, known) for word in chosen)
    return [edit for edit in edits if edit is not None]


def _no_other_word(word: Word, slip: Slip, draws: Draws, known: frozenset[str]) -> Edit | None:
    """Return a slip that makes no other word, for that would mean something else."""
    for _ in range(_TRIES):
        edit = slip(word, draws)
        if edit is None:
            return None
        before, after = word.text[: edit.start - word.start], word.text[edit.end - word.start :]
        if (before + edit.text + after).lower() not in known:
            return edit
    return None


def _rest(word: Word) -> str:
    """Return a word without its first letter, which is written large for reasons of its own."""
    return word.text[1:]


def _swapped(word: Word, draws: Draws) -> Edit | None:
    text = word.text
    places = [place for place in range(1, len(text) - 1) if text[place] != text[place + 1]]
    if not places:
        return None
    place = draws.one_of(places)
    at = word.start + place
    return Edit(at, at + 2, text[place + 1] + text[place])


def _dropped(word: Word, draws: Draws) -> Edit | None:
    if len(word.text) < _MIN_TO_DROP:
        return None
    at = word.start + 1 + draws.below(len(word.text) - 2)
    return Edit(at, at + 1, "")


def _repeated(word: Word, draws: Draws) -> Edit:
    place = 1 + draws.below(len(word.text) - 1)
    at = word.start + place
    return Edit(at, at, word.text[place])


@cache
def _neighbours(language: str) -> Mapping[str, Sequence[str]]:
    """Return the keys beside each key, on the layout that a language is mostly written on."""
    keys = next(
        (keys.split() for _, codes, keys in rows("keyboards.tsv") if language in codes.split()), []
    )
    found: dict[str, list[str]] = {}
    for height, row in enumerate(keys):
        for place, key in enumerate(row):
            around = [row[place - 1 : place], row[place + 1 : place + 2]]
            if height > 0:
                around.append(keys[height - 1][place : place + 2])
            if height + 1 < len(keys):
                around.append(keys[height + 1][max(0, place - 1) : place + 1])
            found[key] = list("".join(around))
            found[key.upper()] = [one.upper() for one in found[key]]
    return found
