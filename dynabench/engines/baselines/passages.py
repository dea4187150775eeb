"""Reading a passage and a question: tokens with offsets, sentences, question types, stems."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.engines.baselines.word_lists import FUNCTION_WORDS

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|\w+(?:['\u2019-]\w+)*|[^\w\s]")
_SENTENCE_END = frozenset(".!?")
_SUFFIXES = ("ingly", "edly", "ing", "ied", "ies", "ed", "es", "ly", "s")
_MIN_STEM = 3
_QUOTES = "'\u2019"

_QUESTION_WORDS = {
    **{word: word for word in ("where", "when", "why", "how", "which", "what")},
    **dict.fromkeys(("who", "whom", "whose"), "who"),
}
_MEASURES = frozenset(
    ("long", "old", "far", "often", "tall", "high", "deep", "large", "big", "heavy", "wide", "fast")
)
_TIMES = frozenset(("year", "day", "month", "months", "date", "time", "century"))
QUESTION_TYPES = (
    "who", "where", "when", "why", "how many", "how much", "how long", "how", "which", "what",
    "other",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark of a text; `text[start:end]` is the token."""

    text: str
    lower: str
    stem: str
    start: int
    end: int
    sentence: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question's type, its content stems, and the noun it asks for ("how many *boats*")."""

    kind: str
    stems: tuple[str, ...]
    asked_for: str


def tokens_of(text: str) -> list[Token]:
    """Split a text; the sentence number counts up after a full stop before a capital."""
    found = [(match.group(), match.start(), match.end()) for match in _TOKEN.finditer(text)]
    tokens: list[Token] = []
    sentence = 0
    for index, (word, start, end) in enumerate(found):
        lower = word.lower()
        tokens.append(Token(word, lower, stem_of(lower), start, end, sentence))
        follower = found[index + 1][0] if index + 1 < len(found) else ""
        if word in _SENTENCE_END and (follower[:1].isupper() or not follower[:1].isalnum()):
            sentence += 1
    return tokens


def stem_of(lower: str) -> str:
    """Cut common English endings: enough to match "keeps" with "keeping"."""
    for quote in _QUOTES:
        lower = lower.removesuffix(f"{quote}s")
    for suffix in _SUFFIXES:
        if lower.endswith(suffix) and len(lower) - len(suffix) >= _MIN_STEM:
            lower = lower.removesuffix(suffix)
            break
    if len(lower) > _MIN_STEM and lower[-1] == "e":
        lower = lower[:-1]
    if len(lower) > _MIN_STEM and lower[-1] == lower[-2]:
        lower = lower[:-1]
    return lower


def question_of(text: str) -> Question:
    """Read a question."""
    tokens = tokens_of(text)
    words = [token.lower for token in tokens]
    kind, place = _kind(words)
    after = [
        token
        for token in tokens[place:]
        if token.lower not in FUNCTION_WORDS and token.lower[0].isalnum()
    ]
    takes_noun = kind in {"how many", "how much", "which", "what"}
    asked_for = after[0].stem if takes_noun and after else ""
    stems = tuple(
        dict.fromkeys(
            token.stem
            for token in tokens
            if token.lower not in FUNCTION_WORDS and token.lower[0].isalnum()
        )
    )
    return Question(kind, stems, asked_for)


def _kind(words: Sequence[str]) -> tuple[str, int]:
    """Return the question's type and the place after its question word."""
    for index, word in enumerate(words):
        follower = words[index + 1] if index + 1 < len(words) else ""
        if word == "how" and follower in {"many", "much"}:
            return f"how {follower}", index + 2
        if word == "how" and follower in _MEASURES:
            return "how long", index + 2
        if word in {"what", "which"} and follower in _TIMES:
            return "when", index + 2
        if word in _QUESTION_WORDS:
            return _QUESTION_WORDS[word], index + 1
    return "other", 0
