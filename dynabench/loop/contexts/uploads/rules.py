"""Reading a file of contexts: what its lines may hold, and what is said of wrong ones."""

import codecs
import json
from collections.abc import Callable, Iterable, Mapping

from dynabench.kit.errors import InvalidError
from dynabench.kit.wire import Values
from dynabench.loop.contexts.errors import ContextFileError
from dynabench.loop.contexts.values import ContextItem, LineProblem
from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.problems import nearest, quote

MAX_LINE_BYTES = 1_000_000
MAX_FILE_BYTES = 64_000_000
MAX_TAG_LENGTH = 100

_PROBLEMS_TOLD = 20
_MAX_DEPTH = 16
# Beyond this, programs disagree about whole numbers.
_LARGEST_NUMBER = 2**53 - 1
_LINE_KEYS = ("context", "tag", "metadata")

CheckContent = Callable[[Values], Values]


class LineProblemsError(ValueError):
    """A line cannot become a context; `messages` say why, a sentence each."""

    def __init__(self, messages: list[str]) -> None:
        super().__init__(" ".join(messages))
        self.messages = messages


class UploadReader:
    """Takes a file piece by piece and keeps no more than one line and the contexts read.

    Problems are collected so that all can be corrected at once; the first twenty are told
    and the others counted.
    """

    def __init__(self, *, check_content: CheckContent) -> None:
        self._check_content = check_content
        self._pending = bytearray()
        self._is_skipping = False
        self._line = 0
        self._bytes = 0
        self._items: list[ContextItem] = []
        self._item_lines: list[int] = []
        self._problems: list[LineProblem] = []
        self._more = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next piece.

        Raises:
            ContextFileError: As soon as the file is larger than may be sent at once.
        """
        self._bytes += len(chunk)
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            self._extend(line)
            self._end_line()
        self._extend(rest)
        if self._bytes > MAX_FILE_BYTES:
            self._note(
                f"The file is larger than {MAX_FILE_BYTES // 1_000_000} MB; send it in parts."
            )
            self._raise()

    def finish(self) -> list[ContextItem]:
        """Return the contexts of the whole file.

        Raises:
            ContextFileError: If any line is wrong, or there is none.
        """
        if self._pending or self._is_skipping:
            self._end_line()
        if not self._items and not self._problems:
            self._line = 1
            self._note("The file holds no context; write one JSON object a line.")
        if self._problems:
            self._raise()
        return self._items

    def refuse(self, misfits: Iterable[tuple[int, str]]) -> None:
        """Refuse a finished file for contexts that turned out wrong after it was read.

        Args:
            misfits: The place of a context in what `finish` returned, and what is wrong.

        Raises:
            ContextFileError: With the lines.
        """
        for position, message in misfits:
            self._line = self._item_lines[position]
            self._note(message)
        self._raise()

    def _extend(self, piece: bytes) -> None:
        if self._is_skipping:
            return
        self._pending += piece
        if len(self._pending) > MAX_LINE_BYTES:
            self._is_skipping = True
            self._pending.clear()

    def _end_line(self) -> None:
        self._line += 1
        line = bytes(self._pending)
        self._pending.clear()
        if self._is_skipping:
            self._is_skipping = False
            self._note(
                f"The line is longer than {MAX_LINE_BYTES // 1_000_000} MB; shorten its texts."
            )
            return
        if self._line == 1:
            line = line.removeprefix(codecs.BOM_UTF8)
        if not line.strip():
            return
        try:
            self._items.append(read_line(line, check_content=self._check_content))
            self._item_lines.append(self._line)
        except LineProblemsError as error:
            for message in error.messages:
                self._note(message)

    def _note(self, message: str) -> None:
        if len(self._problems) < _PROBLEMS_TOLD:
            self._problems.append(LineProblem(line=max(self._line, 1), message=message))
        else:
            self._more += 1

    def _raise(self) -> None:
        raise ContextFileError(
            problems=[
                {"line": problem.line, "message": problem.message} for problem in self._problems
            ],
            more=self._more,
        )


def read_line(line: bytes, *, check_content: CheckContent) -> ContextItem:
    """Return the context that one line of a file says.

    Args:
        line: The line without its end.
        check_content: The task's check of a context's fields; returns them in normal form.

    Raises:
        LineProblemsError: With everything that is wrong with the line.
    """
    value = _parsed(line)
    messages = [_unknown(key) for key in value if key not in _LINE_KEYS]
    content, tag, details = value.get("context"), value.get("tag"), value.get("metadata")
    if not isinstance(content, dict):
        messages.append(_not_an_object("context", content, is_there="context" in value))
    if tag is not None and not isinstance(tag, str):
        messages.append(f"“tag” must be a text, not {_kind(tag)}.")
    if isinstance(tag, str):
        messages.extend(_tag_problems(tag))
    if details is not None and not isinstance(details, dict):
        messages.append(f"“metadata” must be an object, not {_kind(details)}.")
    messages.extend(_value_problems({"context": content, "metadata": details}))
    if not messages and isinstance(content, dict):
        try:
            content = check_content(content)
        except InvalidError as error:
            messages.extend(f"“{name}”: {sentence}" for name, sentence in error.fields.items())
    if messages:
        raise LineProblemsError(messages)
    assert isinstance(content, dict)
    return ContextItem(
        content=content,
        tag=tag if isinstance(tag, str) else "",
        metadata=details if isinstance(details, dict) else {},
    )


def _parsed(line: bytes) -> Mapping[str, object]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LineProblemsError(
            [f"Byte {error.start + 1} is not UTF-8; save the file in that encoding."]
        ) from error
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError as error:
        raise LineProblemsError(["The line is nested too deeply."]) from error
    except json.JSONDecodeError as error:
        raise LineProblemsError(
            [f"The line is not JSON: {error.msg} at character {error.colno}."]
        ) from error
    except ValueError as error:
        raise LineProblemsError([f"The line is not JSON: {error}"]) from error
    if not isinstance(value, dict):
        raise LineProblemsError([f"The line must be an object, not {_kind(value)}."])
    return value


def _refuse_constant(name: str) -> object:
    msg = f"{name} is not a number in JSON."
    raise ValueError(msg)


def _unknown(key: str) -> str:
    near = nearest(key, _LINE_KEYS)
    hint = f"did you mean {quote(near)}?" if near else "known are context, tag and metadata."
    return f"The key {quote(key)} is not known here; {hint}"


def _not_an_object(name: str, value: object, *, is_there: bool) -> str:
    if not is_there:
        return f"“{name}” is missing; it holds the fields of the context."
    return f"“{name}” must be an object with the context's fields, not {_kind(value)}."


def _tag_problems(tag: str) -> list[str]:
    if len(tag) > MAX_TAG_LENGTH:
        return [f"“tag” has {len(tag)} characters; it may have {MAX_TAG_LENGTH}."]
    refused = find_refused_character(tag)
    return [f"“tag”: {refused}"] if refused else []


def _value_problems(value: object, at: str = "", depth: int = 0) -> list[str]:
    """Name every text and number, wherever it stands, that cannot be kept as it is."""
    if depth > _MAX_DEPTH:
        return [f"“{at}” is nested too deeply; {_MAX_DEPTH} levels are allowed."]
    if isinstance(value, str):
        refused = find_refused_character(value)
        return [f"“{at}”: {refused}"] if refused else []
    if isinstance(value, int | float) and not abs(value) <= _LARGEST_NUMBER:
        return [f"“{at}” is a number too large to keep; write it as a text."]
    problems: list[str] = []
    if isinstance(value, dict):
        for key, item in value.items():
            if find_refused_character(key):
                problems.append(f"The key {quote(key)} holds a control character; remove it.")
            problems += _value_problems(item, f"{at}.{key}" if at else key, depth + 1)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            problems += _value_problems(item, f"{at}[{position}]", depth + 1)
    return problems


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names[type(value)]
