"""Texts to words with their places, and words back to text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")
_CLOSING = frozenset(".,;:!?)]}%\u060c\u061f\u061b\u2026\u00bb\u201d")
_OPENING = frozenset("([{\u00bf\u00a1\u00ab\u201c")


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark, from `start` up to `end` in code points."""

    text: str
    start: int
    end: int


def tokens_of(text: str) -> list[Token]:
    """Return the words and marks of a text in their order.

    Example:
        >>> [one.text for one in tokens_of("It isn't far.")]
        ['It', "isn't", 'far', '.']
    """
    return [Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(text)]


def joined_words(words: Sequence[str]) -> str:
    """Write words as a text: marks stand at the word they belong to.

    Example:
        >>> joined_words(["\u00bf", "d\u00f3nde", "est\u00e1", "?"])
        '\u00bfd\u00f3nde est\u00e1?'
    """
    parts: list[str] = []
    is_glued = True
    for word in words:
        if not is_glued and word not in _CLOSING:
            parts.append(" ")
        parts.append(word)
        is_glued = word in _OPENING
    return "".join(parts)
