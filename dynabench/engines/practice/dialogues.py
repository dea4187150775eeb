"""The table of dialogues, and finding the line that is closest to what was said."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dynabench.engines.practice.words import WordList, words_in

_WORD = re.compile(r"[^\W_]+")
# Below this share of a line's weight a message is about something else.
_CLOSE_ENOUGH = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the table; `careless` is what a gullible assistant says instead."""

    kind: str
    ask: tuple[str, ...]
    replies: tuple[str, ...]
    careless: str | None = None


class Dialogues:
    """Finds lines by the words that a message shares with them, rare words counting more."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._asked = [(frozenset(words_of(asked)), line) for line in lines for asked in line.ask]
        seen = Counter(word for words, _ in self._asked for word in words)
        total = len(self._asked)
        self._weights = {word: math.log(1 + total / count) for word, count in seen.items()}
        self._unknown = math.log(1 + total)

    def closest(self, text: str, *, at_least: float = _CLOSE_ENOUGH) -> Line | None:
        """Return the line that shares most with a text; None if none is close enough.

        Args:
            text: What was said.
            at_least: The share of a line's weight, from 0 to 1, from which it is close enough.
        """
        words = frozenset(words_of(text))
        best, found = 0.0, None
        for asked, line in self._asked:
            shared = self._weight(words & asked)
            if not shared:
                continue
            # A long message may hold a short question; a short one must match it well.
            score = shared / (0.7 * self._weight(asked) + 0.3 * self._weight(words))
            if score > best:
                best, found = score, line
        return found if best >= at_least else None

    def _weight(self, words: frozenset[str]) -> float:
        # Sorted, since the sum of floats depends on their order and sets have none.
        return sum(self._weights.get(word, self._unknown) for word in sorted(words))


def words_of(text: str) -> list[str]:
    """Return the words of a text that say what it is about; all of them if none does."""
    words = [word.lower() for word in _WORD.findall(text.replace("'", ""))]
    common = words_in(WordList.COMMON)
    return [word for word in words if word not in common] or words


@cache
def practice_dialogues() -> Dialogues:
    """Return the table that comes with the package."""
    text = files("dynabench.catalog").joinpath("practice", "dialogues.jsonl").read_text("utf-8")
    return Dialogues([_line(json.loads(row)) for row in text.splitlines()])


def _line(row: Mapping[str, object]) -> Line:
    ask, replies, careless = row["ask"], row["replies"], row.get("careless")
    assert isinstance(ask, list)
    assert isinstance(replies, list)
    return Line(
        kind=str(row["kind"]),
        ask=tuple(str(one) for one in ask),
        replies=tuple(str(one) for one in replies),
        careless=None if careless is None else str(careless),
    )
