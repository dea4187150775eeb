"""What can be wrong with a task config, and with a value given to one of its fields."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import ClassVar

from dynabench.kit.errors import InvalidError

Path = tuple[str | int, ...]

_NAMED_AT_MOST = 20
_LONGEST_COMPARED = 100

MAX_PROBLEMS = 100
"""More problems than this are not told at once: nobody reads on, and looking costs time."""


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One thing that is wrong in a task config.

    `path` is written as in `input[1].labels`, and is empty for the document itself; `line`
    and `column` count from 1, in characters; `suggestion` says what to write instead, where
    that can be known.
    """

    path: str
    line: int | None
    message: str
    suggestion: str | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line is not None else ""
        at = f"{self.path}: " if self.path else ""
        hint = f" {self.suggestion}" if self.suggestion else ""
        return f"{where}{at}{self.message}{hint}"


class TaskConfigError(InvalidError):
    """A task config cannot be used; `problems` lists everything that is wrong with it."""

    code: ClassVar[str] = "tasks.config_invalid"

    def __init__(self, problems: Iterable[ConfigProblem]) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        things = "1 problem" if count == 1 else f"{count} problems"
        listed = " ".join(str(problem) for problem in self.problems[:_NAMED_AT_MOST])
        fields: dict[str, str] = {}
        for problem in self.problems:
            sentence = f"{problem.message} {problem.suggestion or ''}".strip()
            known = fields.get(problem.path)
            fields[problem.path] = f"{known} {sentence}" if known else sentence
        facts = [
            {
                "path": problem.path,
                "line": problem.line,
                "column": problem.column,
                "message": problem.message,
                "suggestion": problem.suggestion,
            }
            for problem in self.problems
        ]
        super().__init__(f"The task config has {things}. {listed}", fields=fields, problems=facts)


class FieldValueError(InvalidError):
    """Values do not fit the task's fields; `fields` names each with the fix."""

    code: ClassVar[str] = "tasks.value_invalid"

    def __init__(self, fields: Mapping[str, str]) -> None:
        listed = " ".join(f"{name}: {sentence}" for name, sentence in fields.items())
        super().__init__(listed, fields=dict(fields))


class UnusableValueError(Exception):
    """A field type refuses a value; the text is the sentence with the fix."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Problems:
    """Collects the problems of one config, so that all are told at once."""

    def __init__(
        self, lines: Mapping[Path, int] | None = None, columns: Mapping[Path, int] | None = None
    ) -> None:
        self._lines = lines or {}
        self._columns = columns or {}
        self._found: list[ConfigProblem] = []

    def add(self, at: Path, message: str, suggestion: str | None = None) -> None:
        """Note a problem; its line is that of the path, or of its nearest known parent."""
        if not self.is_full:
            known = self._nearest_known(at)
            line = None if known is None else self._lines[known]
            column = None if known is None else self._columns.get(known)
            found = ConfigProblem(write_path(at), line, message, suggestion, column)
            self._found.append(found)

    def add_at_line(
        self, line: int, message: str, suggestion: str | None = None, *, column: int | None = None
    ) -> None:
        """Note a problem of the text itself, which has no path yet."""
        if not self.is_full:
            self._found.append(ConfigProblem("", line, message, suggestion, column))

    def unknown_key(self, at: Path, key: str, known: Iterable[str]) -> None:
        """Note a key that nobody reads, with the known key that is nearest to it."""
        if self.is_full:
            return
        names = list(known)
        close = nearest(key, names)
        suggestion = (
            f"Did you mean {quote(close)}?" if close else f"Known keys: {', '.join(names)}."
        )
        self.add((*at, key), f"The key {quote(key)} is not known here.", suggestion)

    def raise_if_any(self) -> None:
        """Raise everything that was noted, in the order of the document."""
        if self._found:
            raise self.error()

    def error(self) -> TaskConfigError:
        """Return everything that was noted, in the order of the document."""
        return TaskConfigError(
            sorted(self._found, key=lambda one: (one.line or 0, one.column or 0))
        )

    @property
    def is_full(self) -> bool:
        """Whether as many problems were noted as are told at once."""
        return len(self._found) >= MAX_PROBLEMS

    def _nearest_known(self, at: Path) -> Path | None:
        for length in range(len(at), -1, -1):
            if at[:length] in self._lines:
                return at[:length]
        return None


def write_path(at: Path) -> str:
    """Write a path as people read it.

    Example:
        >>> write_path(("input", 1, "labels"))
        'input[1].labels'
    """
    written = ""
    for step in at:
        if isinstance(step, int):
            written += f"[{step}]"
        else:
            written += f".{shorten(step)}" if written else shorten(step)
    return written


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like this one, or None where none is near.

    Example:
        >>> nearest("reference", ["reference_name", "labels"])
        'reference_name'
    """
    names = {one.casefold(): one for one in known}
    close = get_close_matches(name.casefold()[:_LONGEST_COMPARED], list(names), n=1, cutoff=0.6)
    return names[close[0]] if close else None


def shorten(text: str, *, limit: int = 60) -> str:
    """Cut a text for a message, so that an error never repeats ten megabytes."""
    shown = "".join(char if char.isprintable() else f"\\x{ord(char):02x}" for char in text[:limit])
    return shown if len(text) <= limit else f"{shown}…"


def quote(text: str) -> str:
    """Put a name or value of the user's into quotes for a message."""
    return f"“{shorten(text)}”"


def list_names(names: Iterable[str], *, limit: int = 20) -> str:
    """Name the things that would be right, for a message."""
    every = [shorten(name) for name in names]
    shown = ", ".join(every[:limit])
    return shown if len(every) <= limit else f"{shown} and {len(every) - limit} more"
