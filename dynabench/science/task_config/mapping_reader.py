"""Reads one mapping of a task config key by key, and notes what is wrong with each."""

import math
import re
from collections.abc import Mapping
from typing import TypeGuard

from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.problems import Path, Problems, list_names, nearest, quote

Text = str | Mapping[str, str]
"""A text, or the same text in several languages by language tag."""

MAX_NAMES = 50
MIN_LABELS = 2
MAX_LABELS = 1000
MAX_LABEL_LENGTH = 200

# Python refuses to write out integers of thousands of digits.
_TOO_LONG_TO_WRITE = 10**40

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_\-]{0,63}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}")


class MappingReader:
    """One mapping, asked for its keys; those nobody asked for are unknown."""

    def __init__(self, values: Mapping[str, object], at: Path, problems: Problems) -> None:
        self.values = values
        self.at = at
        self.problems = problems
        # In the order in which they were asked for, and quick to look up.
        self.known: dict[str, None] = {}

    @classmethod
    def of(cls, value: object, at: Path, problems: Problems) -> "MappingReader | None":
        """Read a value as a mapping, or note that it is none."""
        if isinstance(value, Mapping):
            return cls(value, at, problems)
        problems.add(at, f"This must be a mapping of keys to values, not {kind_of(value)}.")
        return None

    def wrong(self, key: str, message: str, suggestion: str | None = None) -> None:
        """Note a problem of one key."""
        self.problems.add((*self.at, key), message, suggestion)

    def take(self, key: str) -> object:
        """Return a key's value as it stands, None where it is absent."""
        self.known[key] = None
        return self.values.get(key)

    def need(self, key: str, expected: str) -> object:
        """Return a key's value, and note where it is missing."""
        value = self.take(key)
        if value is None:
            others = [str(other) for other in self.values if other not in self.known]
            close = nearest(key, others)
            hint = f"Rename {quote(close)} to {quote(key)}." if close else f"Add {expected}."
            self.problems.add(self.at, f"The key {quote(key)} is missing.", hint)
        return value

    def finish(self) -> None:
        """Note every key that was not asked for."""
        for key in self.values:
            if key not in self.known:
                self.problems.unknown_key(self.at, str(key), self.known)

    def string(self, key: str) -> str | None:
        """Read an optional plain text."""
        value = self.take(key)
        return None if value is None else self._checked_string(value, (*self.at, key))

    def text(self, key: str) -> Text | None:
        """Read an optional text, plain or by language."""
        value = self.take(key)
        at = (*self.at, key)
        if value is None:
            return None
        if not isinstance(value, Mapping):
            return self._checked_string(value, at)
        texts: dict[str, str] = {}
        for language, text in value.items():
            if not _LANGUAGE.fullmatch(language):
                self.problems.add(
                    (*at, language),
                    f"{quote(language)} is not a language tag.",
                    "Write tags such as en, de or pt-BR.",
                )
            checked = self._checked_string(text, (*at, language))
            if checked is not None:
                texts[language] = checked
        if not value:
            self.problems.add(at, "A text by language needs at least one language.")
        return texts

    def language(self, key: str) -> str | None:
        """Read an optional language tag."""
        value = self.string(key)
        if value is None or _LANGUAGE.fullmatch(value):
            return value
        self.wrong(
            key, f"{quote(value)} is not a language tag.", "Write a tag such as en or pt-BR."
        )
        return None

    def boolean(self, key: str) -> bool | None:
        """Read an optional true or false."""
        value = self.take(key)
        if value is None or isinstance(value, bool):
            return value
        self.wrong(key, f"This must be true or false, not {kind_of(value)}.")
        return None

    def count(self, key: str, *, low: int = 0, high: int = 10**9) -> int | None:
        """Read an optional whole number."""
        value = self.take(key)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(key, f"This must be a whole number from {low} to {high}.")
        return None

    def number(self, key: str, *, low: float, high: float) -> float | None:
        """Read an optional number within its bounds."""
        value = self.take(key)
        if value is None:
            return None
        if is_number(value) and low <= value <= high:
            return float(value)
        self.wrong(key, f"This must be a number from {low:g} to {high:g}.")
        return None

    def name(self, key: str) -> str | None:
        """Read a required name of a field, written as a word."""
        value = self.need(key, "the name of a field")
        return None if value is None else self._checked_name(value, (*self.at, key))

    def names(self, key: str) -> tuple[str, ...]:
        """Read a required list of field names, not empty and without repeats."""
        value = self.need(key, "a list of field names")
        at = (*self.at, key)
        if value is None:
            return ()
        if not isinstance(value, list) or not value:
            self.problems.add(at, f"This must be a list of names, not {kind_of(value)}.")
            return ()
        if len(value) > MAX_NAMES:
            self.problems.add(
                at, f"At most {MAX_NAMES} names fit here; this list has {len(value)}."
            )
        found: list[str] = []
        for position, entry in enumerate(value[:MAX_NAMES]):
            checked = self._checked_name(entry, (*at, position))
            if checked is None:
                continue
            if checked in found:
                self.problems.add((*at, position), f"{quote(checked)} stands twice in this list.")
                continue
            found.append(checked)
        return tuple(found)

    def labels(self, key: str, *, at_least: int = MIN_LABELS) -> tuple[str, ...]:
        """Read a required list of different labels, at least two where none is said."""
        value = self.need(key, "the list of labels to choose from")
        at = (*self.at, key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.problems.add(at, f"This must be a list of labels, not {kind_of(value)}.")
            return ()
        if not at_least <= len(value) <= MAX_LABELS:
            self.problems.add(
                at,
                f"A choice needs {at_least} to {MAX_LABELS} labels; this list has {len(value)}.",
            )
        found: list[str] = []
        for position, entry in enumerate(value[:MAX_LABELS]):
            label = self._checked_label(entry, (*at, position))
            if label is None:
                continue
            if label in found:
                self.problems.add(
                    (*at, position), f"The label {quote(label)} stands twice.", "Remove one."
                )
            found.append(label)
        return tuple(found)

    def choice(self, key: str, options: tuple[str, ...]) -> str | None:
        """Read an optional word out of a fixed few."""
        value = self.take(key)
        if value is None or (isinstance(value, str) and value in options):
            return value
        close = nearest(value, options) if isinstance(value, str) else None
        self.wrong(
            key,
            f"This must be one of {list_names(options)}, not {kind_of(value)}.",
            f"Did you mean {quote(close)}?" if close else None,
        )
        return None

    def _checked_label(self, value: object, at: Path) -> str | None:
        if not isinstance(value, str):
            self.problems.add(at, f"A label must be text, not {kind_of(value)}.", _quotes(value))
            return None
        if not value.strip() or value != value.strip() or len(value) > MAX_LABEL_LENGTH:
            self.problems.add(
                at,
                f"A label must have 1 to {MAX_LABEL_LENGTH} characters, without space around it.",
            )
            return None
        return self._checked_string(value, at)

    def _checked_name(self, value: object, at: Path) -> str | None:
        if isinstance(value, str) and _NAME.fullmatch(value):
            return value
        shown = quote(value) if isinstance(value, str) else kind_of(value)
        self.problems.add(
            at,
            f"A name has letters, digits, _ and -, at most 64 of them; {shown} is none.",
        )
        return None

    def _checked_string(self, value: object, at: Path) -> str | None:
        if not isinstance(value, str):
            self.problems.add(at, f"This must be text, not {kind_of(value)}.", _quotes(value))
            return None
        refused = find_refused_character(value)
        if refused is not None:
            self.problems.add(at, refused)
            return None
        return value


def _quotes(value: object) -> str | None:
    """Say how a word that YAML read as something else stays text."""
    if not is_scalar(value):
        return None
    written = str(value).lower() if isinstance(value, bool) else str(value)
    return f'Put it in quotes: "{written}".'


def is_scalar(value: object) -> bool:
    """Tell whether YAML read a word as a number or as true or false."""
    return isinstance(value, (bool, int, float))


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a finite number; true and false are none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)


def kind_of(value: object) -> str:
    """Name a value's kind in words, for a message."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"the value {str(value).lower()}"
    if isinstance(value, (int, float)):
        is_short = isinstance(value, float) or abs(value) < _TOO_LONG_TO_WRITE
        return f"the number {value}" if is_short else "a very large number"
    if isinstance(value, str):
        return f"the text {quote(value)}"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    return "a mapping" if isinstance(value, Mapping) else "something else"
