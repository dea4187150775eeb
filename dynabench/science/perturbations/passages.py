"""A text taken apart into words and gaps, with the places that must stay as they are."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

_CHUNK = re.compile(r"\S+")
_GAP = re.compile(r"(?<=\S) (?=\S)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ADDRESSES = ("@", "://", "#", "_", "www.", "\\", "{", "}", "<", ">")
_MIN_LETTERS = 4
# What a text says of words themselves stops being true when they change.
_OF_WORDS = re.compile(
    r"(?i:\b(?:letters?|vowels?|consonants?|syllables?|spell(?:s|ed|ing|t)?|misspell\w*|"
    r"alphabet\w*|palindromes?|anagrams?|acronyms?|rhym(?:e|es|ed|ing)|initials?|pronounc\w*|homophones?|"
    r"(?:first|last|middle|given) names?|surnames?|namesakes?|named after|"
    r"etymolog\w*|capitali[sz]ed))\b|"
    r"\b(?:[b-hj-np-zB-HJ-Z]|[aioAIO])['’]s\b"
)
_SENTENCE_END = frozenset('.!?…:\n"“”')


class Word(NamedTuple):
    """A word and where it stands, its end after the last letter."""

    start: int
    end: int
    text: str


class Passage:
    """One text of an item, read once for all transforms.

    Words are runs of letters and digits, with apostrophes inside. Addresses, hashtags, mentions
    and markup hold no words. A place is free unless it touches a protected text, so that neither
    that text nor the space beside it changes.

    Args:
        text: The text.
        language: Its language tag.
        protected: Texts that stay as they are wherever they occur, whatever their case.
    """

    def __init__(self, text: str, *, language: str, protected: Sequence[str] = ()) -> None:
        self.text = text
        self.language = language
        self.words = _words(text)
        self._places = _protected_places(text, protected)

    def is_free(self, start: int, end: int) -> bool:
        """Tell whether a place touches nothing that is protected."""
        return all(end < low or high < start for low, high in self._places)

    @cached_property
    def free_words(self) -> Sequence[Word]:
        """The words that may change."""
        if not self._places:
            return self.words
        return [word for word in self.words if self.is_free(word.start, word.end)]

    @cached_property
    def letter_words(self) -> Sequence[Word]:
        """The words that may change and are of at least four letters and nothing else."""
        return [
            word
            for word in self.free_words
            if len(word.text) >= _MIN_LETTERS and word.text.isalpha()
        ]

    @cached_property
    def speaks_of_words(self) -> bool:
        """Whether it tells of spelling, sounds or names as such, in English."""
        return _OF_WORDS.search(self.text) is not None

    @cached_property
    def gaps(self) -> Sequence[int]:
        """The single spaces that may change."""
        found = [match.start() for match in _GAP.finditer(self.text)]
        return [place for place in found if self.is_free(place, place + 1)]

    @cached_property
    def lowered(self) -> Sequence[str]:
        """The words in small letters, with straight apostrophes."""
        return [word.text.lower().replace("’", "'") for word in self.words]

    def between(self, index: int) -> str:
        """Return what stands between a word and the next, or the text's end."""
        end = self.words[index].end
        if index + 1 == len(self.words):
            return self.text[end:]
        return self.text[end : self.words[index + 1].start]

    def begins_sentence(self, index: int) -> bool:
        """Tell whether a word is the first of its sentence."""
        if index == 0:
            return True
        return not _SENTENCE_END.isdisjoint(self.between(index - 1))


def _words(text: str) -> list[Word]:
    found: list[Word] = []
    is_plain = not any(mark in text for mark in _ADDRESSES)
    if is_plain:
        return [Word(match.start(), match.end(), match.group()) for match in _WORD.finditer(text)]
    for chunk in _CHUNK.finditer(text):
        if any(mark in chunk.group() for mark in _ADDRESSES):
            continue
        found += [
            Word(match.start(), match.end(), match.group())
            for match in _WORD.finditer(text, chunk.start(), chunk.end())
        ]
    return found


def _protected_places(text: str, protected: Sequence[str]) -> list[tuple[int, int]]:
    """Return where protected texts stand: as whole words if they do, else within words."""
    places: list[tuple[int, int]] = []
    for one in protected:
        wanted = one.strip()
        if not wanted:
            continue
        pattern = re.escape(wanted)
        whole = re.compile(rf"(?<!\w){pattern}(?!\w)", re.IGNORECASE)
        found = list(whole.finditer(text)) or list(re.finditer(pattern, text, re.IGNORECASE))
        places += [match.span() for match in found]
    return places
