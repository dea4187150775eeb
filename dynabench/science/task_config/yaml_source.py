"""Reads YAML into plain values while remembering on which line each of them stands.

It is stricter than YAML: one document, no anchors, aliases or tags, no key twice. Plain
scalars follow the core schema of YAML 1.2, so that labels such as `yes`, `no` and
`2020-01-01` stay the words that were typed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from dynabench.science.task_config.problems import Path, Problems, quote

MAX_CONFIG_BYTES = 256 * 1024
MAX_CONFIG_DEPTH = 20

# The parser in C takes a tenth of the time: the longest config took seconds of a thread.
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]{1,4})?")
_CONSTANTS: dict[str, object] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}


@dataclass(frozen=True, slots=True)
class YamlSource:
    """A document's plain value, and the line and column of each path in it, from 1."""

    data: object
    lines: dict[Path, int] = field(default_factory=dict)
    columns: dict[Path, int] = field(default_factory=dict)


def read_yaml(text: str) -> YamlSource:
    """Read one YAML document.

    Raises:
        TaskConfigError: If the text is too long, too deep, not YAML, or uses a part of
            YAML that is refused here.
    """
    problems = Problems()
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        problems.add_at_line(line, "The text holds a broken character (a lone surrogate).")
        raise problems.error() from error
    if size > MAX_CONFIG_BYTES:
        problems.add(
            (), f"The config has {size} bytes; at most {MAX_CONFIG_BYTES} are read.", "Shorten it."
        )
    problems.raise_if_any()
    try:
        source = _Composer(text, problems).compose()
    except yaml.YAMLError as error:
        _note_syntax_error(error, text, problems)
        raise problems.error() from error
    except (ValueError, OverflowError) as error:
        # PyYAML hands escapes such as "\\U99999999" straight to chr().
        problems.add((), f"This is not YAML: {error}.", "Check the escapes in quoted texts.")
        raise problems.error() from error
    problems.raise_if_any()
    return source


class _Composer:
    """Builds plain values from parser events, which arrive without recursion."""

    def __init__(self, text: str, problems: Problems) -> None:
        self._events: Iterator[Event] = iter(yaml.parse(text, Loader=_LOADER))
        self._problems = problems
        self._lines: dict[Path, int] = {}
        self._columns: dict[Path, int] = {}

    def compose(self) -> YamlSource:
        """Read the stream: exactly one document, whose value is returned."""
        data: object = None
        documents = 0
        for event in self._events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._refuse(event, "The text holds more than one YAML document.")
                data = self._value(next(self._events), ())
        return YamlSource(data, self._lines, self._columns)

    def _value(self, event: Event, at: Path) -> object:
        self._lines.setdefault(at, _line_of(event))
        self._columns.setdefault(at, _column_of(event))
        if len(at) > MAX_CONFIG_DEPTH:
            self._refuse(event, f"The config is nested deeper than {MAX_CONFIG_DEPTH} levels.")
        self._refuse_extras(event)
        if isinstance(event, MappingStartEvent):
            return self._mapping(at)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(at)
        assert isinstance(event, ScalarEvent)
        return _scalar(event)

    def _mapping(self, at: Path) -> dict[str, object]:
        values: dict[str, object] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._value(event, (*at, "?"))
            self._lines.pop((*at, "?"), None)
            self._columns.pop((*at, "?"), None)
            if isinstance(key, (dict, list)):
                self._refuse(event, "A key must be a word, not a list or a mapping.")
            if not isinstance(key, str):
                key = event.value if isinstance(event, ScalarEvent) else ""
            here = (*at, key)
            if key in values:
                first = self._lines[here]
                self._problems.add_at_line(
                    _line_of(event),
                    f"The key {quote(key)} stands twice; first on line {first}.",
                    "Remove one of them.",
                    column=_column_of(event),
                )
            self._lines[here] = _line_of(event)
            self._columns[here] = _column_of(event)
            values[key] = self._value(next(self._events), here)
        return values

    def _sequence(self, at: Path) -> list[object]:
        values: list[object] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            values.append(self._value(event, (*at, len(values))))
        return values

    def _refuse_extras(self, event: Event) -> None:
        if isinstance(event, AliasEvent):
            self._refuse(event, "Aliases (*name) are not read here; write the value out.")
        if isinstance(event, NodeEvent) and event.anchor is not None:
            self._refuse(event, "Anchors (&name) are not read here; write the value out.")
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._refuse(event, "Tags (!name) are not read here; write the plain value.")

    def _refuse(self, event: Event, message: str) -> NoReturn:
        self._problems.add_at_line(_line_of(event), message, column=_column_of(event))
        raise self._problems.error()


def _line_of(event: Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.line + 1


def _column_of(event: Event) -> int:
    mark = event.start_mark
    return 1 if mark is None else mark.column + 1


def _scalar(event: ScalarEvent) -> object:
    text: str = event.value
    # A plain scalar has none: the parsers spell that as nothing, or as an empty text.
    if event.style:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return text


def _note_syntax_error(error: yaml.YAMLError, text: str, problems: Problems) -> None:
    """Turn the parser's complaint into one sentence with a line."""
    if isinstance(error, yaml.MarkedYAMLError):
        mark = error.problem_mark or error.context_mark
        # Where a text ends too soon, the parser in C points behind its last line.
        line = min(int(mark.line), text.count("\n")) + 1 if mark is not None else 1
        said = " ".join(part for part in (error.context, error.problem) if part)
        problems.add_at_line(
            line,
            f"This is not YAML: {said}.",
            "Check the indentation, the colons and the quotes near this line.",
            column=int(mark.column) + 1 if mark is not None else None,
        )
        return
    assert isinstance(error, yaml.reader.ReaderError)
    problems.add_at_line(
        text.count("\n", 0, error.position) + 1,
        f"The text holds the character U+{error.character:04X}, which YAML does not allow.",
        "Remove it.",
    )
