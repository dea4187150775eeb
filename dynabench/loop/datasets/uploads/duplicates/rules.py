"""Finding rows of a file that say the same, in little memory."""

import hashlib
from collections import Counter
from dataclasses import dataclass, field, replace
from enum import Enum, auto

import orjson

from dynabench.loop.datasets.values import DatasetItem

_LINES_TOLD = 10
_KEY_BYTES = 8


class Sameness(Enum):
    """How a row relates to those before it."""

    NEW = auto()
    REPEATED = auto()
    UID_TAKEN = auto()


def _key(value: object) -> int:
    # 64 bits: among a million rows two that differ share a key once in forty million files.
    digest = hashlib.sha256(orjson.dumps(value, option=orjson.OPT_SORT_KEYS)).digest()
    return int.from_bytes(digest[:_KEY_BYTES], "big")


@dataclass
class Duplicates:
    """Remembers the rows of a file by short digests.

    Attributes:
        repeated: How many rows say the very same as one before: they are left out.
        repeated_lines: The lines of the first of them.
        overlapping: How many items ask what another one asks, with another uid, answer or
            split: they are kept.
        overlapping_lines: The lines of the first of them.
    """

    repeated: int = 0
    repeated_lines: list[int] = field(default_factory=list)
    overlapping: int = 0
    overlapping_lines: list[int] = field(default_factory=list)
    _whole_by_uid: dict[int, tuple[int, int]] = field(default_factory=dict)
    _questions: set[int] = field(default_factory=set)
    _numbers: dict[tuple[int, int], int] = field(default_factory=dict)
    _twins: Counter[int] = field(default_factory=Counter)

    def take(self, item: DatasetItem, *, line: int) -> tuple[Sameness, int]:
        """Note an item; returns how it relates to those before, and the line of its uid."""
        uid, question = _key(item.uid), _key([item.context, item.inputs])
        whole = _whole(item, question)
        known = self._whole_by_uid.get(uid)
        if known is not None and known[0] != whole:
            return Sameness.UID_TAKEN, known[1]
        if known is not None:
            self.repeated += 1
            _note(self.repeated_lines, line)
            return Sameness.REPEATED, known[1]
        self._whole_by_uid[uid] = (whole, line)
        if question in self._questions:
            self.overlapping += 1
            _note(self.overlapping_lines, line)
        self._questions.add(question)
        return Sameness.NEW, line

    def numbered(self, item: DatasetItem) -> DatasetItem:
        """Return an item whose made uid another one has, which asks the same but is not the same.

        Its uid gets a number, which tells the order of the file and nothing of the answers.
        """
        uid, question = _key(item.uid), _key([item.context, item.inputs])
        twin = (uid, _whole(item, question))
        if twin not in self._numbers:
            self._twins[uid] += 1
            self._numbers[twin] = self._twins[uid] + 1
        return replace(item, uid=f"{item.uid}-{self._numbers[twin]}")


def _whole(item: DatasetItem, question: int) -> int:
    return _key([question, item.gold, item.split.value, [*item.tags]])


def _note(lines: list[int], line: int) -> None:
    if len(lines) < _LINES_TOLD:
        lines.append(line)
