"""What `dynabench` answers by itself: the overview, the version, a word that is no command.

Nothing here loads a command or the library that reads options, so the answer is there at once.
"""

import difflib
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

from dynabench import __version__
from dynabench.app.cli.chapters import CHAPTERS, chapter_of

_TYPED_WRONGLY = 2
_WIDEST = 100
_NAME_WIDTH = 17

_PURPOSE = (
    "Dynamic adversarial benchmarking: people write examples that fool a live model, others "
    "validate them, models are ranked on what comes out."
)
_OPTIONS = (
    ("-h, --help", "Show this message. COMMAND --help teaches a command."),
    ("--version", "Show the version."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show completion for the current shell."),
)
_FIRST_STEPS = (
    ("Run everything on this machine", "dynabench up"),
    ("Sign in from a terminal", "dynabench login"),
    (
        "Collect against your own model",
        "dynabench round open nli --close-current --target http://127.0.0.1:9000/v2/models/mine",
    ),
    ("See how often it was fooled", "dynabench round show nli"),
    ("Take the data with you", "dynabench export nli -o round.jsonl"),
)
_SERVER = (
    "The server is the one of the last login, or DYNABENCH_URL. Instead of a login, "
    "DYNABENCH_API_KEY may hold a token."
)
_COMPLETION = ("--install-completion", "--show-completion")


def overview(*, width: int, heading: str = "{}") -> str:
    """Return every command with its summary, by heading.

    Args:
        width: Columns of the terminal.
        heading: How a heading is written, with `{}` where it stands.
    """
    width = min(max(width, 40), _WIDEST)
    lines = [f"{heading.format('Usage:')} dynabench COMMAND [OPTIONS]", ""]
    lines += [*textwrap.wrap(_PURPOSE, width), ""]
    for panel in dict.fromkeys(chapter.panel for chapter in CHAPTERS):
        lines.append(heading.format(panel))
        for chapter in CHAPTERS:
            if chapter.panel == panel:
                for name, summary in chapter.commands.items():
                    lines += _row(name, summary, width=width)
        lines.append("")
    lines.append(heading.format("Options"))
    for name, summary in _OPTIONS:
        lines += _row(name, summary, width=width)
    lines += ["", heading.format("First steps")]
    for purpose, command in _FIRST_STEPS:
        lines += [f"  {purpose}", f"      {command}"]
    return "\n".join([*lines, "", *textwrap.wrap(_SERVER, width)])


def answer(arguments: Sequence[str]) -> int | None:
    """Answer what needs no command, and return the exit status; None leaves it to a command."""
    first = arguments[0] if arguments else "--help"
    if first == "--version":
        print(f"dynabench {__version__}")  # noqa: T201 - this is the answer
        return 0
    if first in {"-h", "--help"}:
        print(  # noqa: T201 - this is the answer
            overview(width=shutil.get_terminal_size().columns, heading=_heading())
        )
        return 0 if arguments else _TYPED_WRONGLY
    if chapter_of(first) is not None or first.startswith(_COMPLETION):
        return None
    kind = "option" if first.startswith("-") else "command"
    print(  # noqa: T201 - this is the answer
        f"Error: There is no {kind} {printable(first)}.{_nearest(first)} "
        "dynabench --help lists every command.",
        file=sys.stderr,
    )
    return _TYPED_WRONGLY


def printable(word: str) -> str:
    """Return a typed word without characters that command a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in word)


def _nearest(word: str) -> str:
    names = [name for chapter in CHAPTERS for name in chapter.commands]
    options = [name for option, _ in _OPTIONS for name in option.split(", ")]
    near = difflib.get_close_matches(word, options if word.startswith("-") else names, n=1)
    return f" Did you mean {near[0]}?" if near else ""


def _row(name: str, summary: str, *, width: int) -> list[str]:
    indent = " " * (_NAME_WIDTH + 2)
    if len(name) >= _NAME_WIDTH:
        return [f"  {name}", *_wrapped(summary, indent=indent, width=width)]
    first, *others = _wrapped(summary, indent=indent, width=width)
    return [f"  {name:<{_NAME_WIDTH}}{first.strip()}", *others]


def _wrapped(summary: str, *, indent: str, width: int) -> list[str]:
    return textwrap.wrap(summary, width, initial_indent=indent, subsequent_indent=indent)


def _heading() -> str:
    is_plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    return "{}" if is_plain else "\x1b[1m{}\x1b[0m"
