"""One mapping of a config that is translated: what was not asked for is told as left out."""

import re
from collections.abc import Mapping, Sequence

from dynabench.science.task_config.mapping_reader import MAX_LABELS, Text, is_scalar, kind_of
from dynabench.science.task_config.problems import Path, Problems, quote

MAX_NAME_LENGTH = 64

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_\-]")


class Part:
    """A mapping, asked for its keys; `finish` notes those that nobody asked for."""

    def __init__(self, values: Mapping[str, object], at: Path, notes: Problems) -> None:
        self.values = values
        self.at = at
        self.notes = notes
        self._asked: set[str] = set()

    def note(self, key: str | None, message: str, advice: str | None = None) -> None:
        """Note what could not be carried over as it stood."""
        at = self.at if key is None else (*self.at, key)
        self.notes.add(at, message, advice)

    def take(self, key: str) -> object:
        """Return a value as it stands, None where it is absent."""
        self._asked.add(key)
        return self.values.get(key)

    def text(self, key: str) -> Text | None:
        """Return a text, or texts by language; anything else is noted and left out."""
        value = self.take(key)
        if value is None or isinstance(value, str):
            return value or None
        if isinstance(value, Mapping) and value:
            texts = {str(tag): text for tag, text in value.items() if isinstance(text, str)}
            if len(texts) == len(value):
                return texts
        self.note(key, f"This is {kind_of(value)}, not a text; it is left out.")
        return None

    def word(self, key: str) -> str | None:
        """Return a plain text."""
        value = self.text(key)
        if value is None or isinstance(value, str):
            return value
        self.note(key, "One word is expected here, not texts by language; it is left out.")
        return None

    def name(self, key: str) -> str | None:
        """Return a field's name in the form that is allowed here."""
        value = self.word(key)
        return None if value is None else usable_name(value, (*self.at, key), self.notes)

    def is_set(self, key: str) -> bool:
        """Tell whether a switch is on."""
        return self.take(key) is True

    def part(self, key: str) -> "Part | None":
        """Return a mapping below; anything else is noted and left out."""
        value = self.take(key)
        if isinstance(value, Mapping):
            return Part(value, (*self.at, key), self.notes)
        if value is not None:
            self.note(key, f"This is {kind_of(value)}, not a mapping; it is left out.")
        return None

    def parts(self, key: str) -> "list[Part]":
        """Return the mappings of a list; anything else is noted and left out."""
        found: list[Part] = []
        for position, value in enumerate(self.entries(key)):
            if isinstance(value, Mapping):
                found.append(Part(value, (*self.at, key, position), self.notes))
            else:
                at = (*self.at, key, position)
                self.notes.add(at, f"This is {kind_of(value)}, not a mapping; it is left out.")
        return found

    def entries(self, key: str) -> Sequence[object]:
        """Return a list as it stands; anything else is noted and left out."""
        value = self.take(key)
        if isinstance(value, list):
            return value
        if value is not None:
            self.note(key, f"This is {kind_of(value)}, not a list; it is left out.")
        return []

    def labels(self, key: str) -> list[str]:
        """Return a list of options as labels."""
        found: list[str] = []
        entries = self.entries(key)
        if len(entries) > MAX_LABELS:
            self.note(key, f"At most {MAX_LABELS} labels fit here; the first of them are kept.")
        for position, value in enumerate(entries[:MAX_LABELS]):
            at = (*self.at, key, position)
            written = str(value).lower() if isinstance(value, bool) else str(value)
            if not isinstance(value, str) and not is_scalar(value):
                self.notes.add(at, f"This option is {kind_of(value)}; only texts can be labels.")
                continue
            label = written.strip()
            if label != value:
                self.notes.add(at, f"The label is written as the text {quote(label)} here.")
            if label in found:
                self.notes.add(at, f"The option {quote(label)} stands twice; one is kept.")
            elif label:
                found.append(label)
        return found

    def is_read(self, key: str) -> bool:
        """Tell whether a key was asked for."""
        return key in self._asked

    def leave(self, key: str, advice: str) -> None:
        """Note a key that has no counterpart here, where it is present and was not read."""
        if not self.is_read(key) and self.take(key) is not None:
            self.note(key, "There is no counterpart here; it is left out.", advice)

    def finish(self) -> None:
        """Note every key that was not asked for."""
        for key in self.values:
            if key not in self._asked:
                self.note(key, f"{quote(key)} is not known in this shape; it is left out.")


def usable_name(name: str, at: Path, notes: Problems) -> str:
    """Return a name with letters, digits, _ and - alone, noting a change."""
    written = _NOT_IN_NAMES.sub("_", name)
    if not written[:1].isalpha() and not written.startswith("_"):
        written = f"_{written}"
    written = written[:MAX_NAME_LENGTH]
    if written != name:
        notes.add(
            at,
            f"The name {quote(name)} is written {quote(written)} here.",
            "Use that name in contexts, datasets and models.",
        )
    return written
