"""What the command line prints: tables, JSON, sentences, progress."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, TypeAlias

import typer
from pydantic import BaseModel
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from dynabench.kit.errors import DynabenchError

AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

_OPEN_END = "–"
# C0 but for the tab and the line's end, DEL, and C1, of which one begins commands as ESC does.
_COMMANDS = {code: "�" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\t\n"}
_GAP = 2


def harmless(text: str) -> str:
    """Return a text that may be somebody else's as a terminal shows it and does nothing else.

    Characters that command a terminal become U+FFFD: they can clear it, rename its window or
    write into what was printed before.

    Example:
        >>> harmless("a" + chr(27) + "[2Jb")
        'a�[2Jb'
    """
    return text.translate(_COMMANDS)


def say(sentence: str) -> None:
    """Print a line of the result; nothing in it is read as markup."""
    Console(soft_wrap=True, highlight=False).print(Text(harmless(sentence)))


def notice(sentence: str) -> None:
    """Tell the person something beside the result, on the error stream."""
    text = Text(harmless(sentence), style="dim")
    Console(stderr=True, soft_wrap=True, highlight=False).print(text)


def show_json(value: BaseModel | Sequence[BaseModel], *, leave_out: set[str] | None = None) -> None:
    """Print one thing, but for some of its fields, or a list of things as JSON."""
    if isinstance(value, BaseModel):
        typer.echo(value.model_dump_json(indent=2, exclude=leave_out))
        return
    typer.echo(json.dumps([item.model_dump(mode="json") for item in value], indent=2))


def show_table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, empty: str) -> None:
    """Print rows under their columns, or a sentence where there are none.

    Texts are wrapped between words to fit a terminal; an id or another word is never cut.
    """
    if not rows:
        notice(empty)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column)
    for row in rows:
        table.add_row(*(Text(written(cell)) for cell in row))
    print_whole(table)


def show_facts(facts: Sequence[tuple[str, object]]) -> None:
    """Print named values, one a line."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in facts:
        table.add_row(Text(harmless(name)), Text(written(value)))
    print_whole(table)


def print_whole(table: Table) -> None:
    """Print a table of texts without cutting a word, unwrapped where nobody looks at it.

    On a terminal the widest columns are wrapped first; what does not fit even so is wider
    than the terminal.
    """
    console = Console(highlight=False)
    widths, least = [], []
    for column in table.columns:
        texts = [str(cell) for cell in (column.header, *column.cells)]
        widths.append(max(cell_len(line) for text in texts for line in text.split("\n")))
        least.append(max(cell_len(word) for text in texts for word in text.split() or [""]))
    room = console.width - _GAP * (len(widths) - 1)
    while console.is_terminal and sum(widths) > room and widths != least:
        widest = max(range(len(widths)), key=lambda at: (widths[at] > least[at], widths[at]))
        widths[widest] -= 1
    for column, width in zip(table.columns, widths, strict=True):
        column.width = width
    whole = sum(widths) + _GAP * (len(widths) - 1)
    Console(highlight=False, width=max(console.width, whole)).print(table)


def counted(count: int, noun: str) -> str:
    """Write how many there are of something whose plural ends in s.

    Example:
        >>> counted(1, "context"), counted(2_000, "context")
        ('1 context', '2,000 contexts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def written(value: object) -> str:
    """Write a cell; what is not there is a dash, never a 0."""
    if value is None or value == "":
        return _OPEN_END
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}"
    return harmless(str(value))


def complain(error: DynabenchError) -> None:
    """Print a failure on the error stream: its sentence, then each wrong field."""
    console = Console(stderr=True, soft_wrap=True, highlight=False)
    console.print(Text.assemble(("Error: ", "bold red"), harmless(error.message)))
    for name, sentence in error.fields.items():
        if sentence != error.message:
            told = harmless(sentence)
            named = ((harmless(name), "bold"), ": ") if name else ()
            console.print(Text.assemble("  ", *named, told))
    for problem in _problems(error):
        console.print(Text(f"  {harmless(problem)}"))
    request_id = error.facts.get("request_id")
    if error.code == DynabenchError.code and request_id:
        console.print(Text(f"  request {request_id}", style="dim"))


def _problems(error: DynabenchError) -> Iterator[str]:
    """Write the wrong lines that a refused file names."""
    found = error.facts.get("problems")
    for problem in found if isinstance(found, list) else []:
        if isinstance(problem, dict) and not error.fields:
            where = ": ".join(
                part
                for part in (
                    f"line {problem['line']}" if problem.get("line") else "",
                    str(problem.get("path") or ""),
                )
                if part
            )
            yield ": ".join(part for part in (where, str(problem.get("message", ""))) if part)


@contextmanager
def moving_bytes(what: str) -> Iterator[Callable[[int, int | None], None]]:
    """Show a bar for a file on its way; gives the function that moves it."""
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with progress:
        bar = progress.add_task(what, total=None)

        def move(moved: int, total: int | None) -> None:
            progress.update(bar, completed=moved, total=total)

        yield move


@contextmanager
def moving_share(what: str) -> Iterator[Callable[[float, str], None]]:
    """Show a bar for work on the server; gives the function that moves it (0 to 1, words)."""
    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        console=Console(stderr=True),
        transient=True,
    )
    with progress:
        bar = progress.add_task(what, total=1.0)

        def move(share: float, words: str) -> None:
            told = harmless(f"{what} {words}".strip())
            progress.update(bar, completed=share, description=told)

        yield move
