"""A board as CSV, as a LaTeX table, and as JSON; hostile names stay text in each."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from dynabench.kit.errors import InvalidError
from dynabench.loop.leaderboards.schemas import (
    BoardRead,
    BoardRow,
    FigureRead,
    IntervalRead,
    MetricColumnRead,
    RankRead,
)
from dynabench.loop.leaderboards.values import BoardFile, BoardForm, RatesFrom

_MEDIA_TYPES = {
    BoardForm.CSV: "text/csv; charset=utf-8",
    BoardForm.LATEX: "application/x-tex; charset=utf-8",
    BoardForm.JSON: "application/json",
    BoardForm.MARKDOWN: "text/markdown; charset=utf-8",
    BoardForm.HTML: "text/html; charset=utf-8",
}
# What spreadsheets take for the beginning of a formula, some of them in its full width too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_MARKDOWN = re.compile(r"[\\\\`*_{}\[\]<>#|]")
_LABEL = re.compile(r"[^A-Za-z0-9:._-]+")
_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "\n": " ",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a table for a paper is set.

    Attributes:
        caption: Above the rest of the caption, which always says what the numbers depend on.
        label: What LaTeX refers to it by.
        columns: Names of metrics, `rank`, `dynascore` and `left_one_out`; all by default.
    """

    caption: str | None = None
    label: str | None = None
    columns: Sequence[str] | None = None


_PLAIN = Look()


def export_board(board: BoardRead, form: BoardForm, *, name: str, look: Look = _PLAIN) -> BoardFile:
    """Return a board as a file of a form; CSV and JSON hold everything, however it looks.

    Raises:
        InvalidError: If there is no such column.
    """
    if form is BoardForm.CSV:
        text = _csv(board)
    elif form is BoardForm.LATEX:
        text = _latex(board, look)
    elif form is BoardForm.MARKDOWN:
        text = _markdown(board, look)
    elif form is BoardForm.HTML:
        text = _html(board, look)
    else:
        text = board.model_dump_json(indent=1) + "\n"
    return BoardFile(f"{name}.{form.value}", _MEDIA_TYPES[form], text.encode())


def about(board: BoardRead) -> str:
    """Return without what a Dynascore means nothing: weights, datasets, budget and date."""
    metrics = ", ".join(f"{one.name} {one.weight:g}" for one in board.metrics if one.weight)
    datasets = ", ".join(f"{one.title} {one.weight:g}" for one in board.datasets if one.weight)
    date = "never" if board.as_of is None else board.as_of.date().isoformat()
    pairs = "1 pair" if board.pairs == 1 else f"{board.pairs} pairs"
    rates = "fixed exchange rates" if board.rates_from is RatesFrom.FIXED else pairs
    return (
        f"{board.task_slug}; weights: {metrics}; datasets: {datasets}; memory budget "
        f"{board.budget_gib:g} GiB; {rates}; ranks by {board.ranked_by.value}; as of {date}"
    )


def _csv(board: BoardRead) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\r\n")
    names = [one.name for one in board.metrics]
    ends = ["value", "low", "high"]
    writer.writerow(
        [
            *("place", "model", "version", "model_id", "kind", "isolation", "submitted_by"),
            *("dynascore", "dynascore_low", "dynascore_high", "leave_one_out_low"),
            *("leave_one_out_high", "rank_low", "rank_high", "ranked_by"),
            *("dynascore_rank_low", "dynascore_rank_high"),
            *("performance_rank_low", "performance_rank_high", "average_z", "is_on_front"),
            *(f"{name}_{end}" for name in names for end in ends),
            *(
                f"{_safe(column.title)}: {name}_{end}"
                for column in board.datasets
                for name in names
                for end in ends
            ),
            "failed_items",
        ]
    )
    for row in board.rows:
        cells: list[object] = [
            *(row.place, _safe(row.model.name), row.model.version, row.model.id),
            *(row.model.kind.value, row.model.isolation.value),
            _safe(row.model.submitted_by or ""),
            row.dynascore,
            *_ends(row.dynascore_interval),
            *_ends(row.leave_one_out),
            *_ends(row.rank),
            board.ranked_by.value,
            *_ends(row.dynascore_rank),
            *_ends(row.performance_rank),
            row.average_z,
            row.is_on_front,
        ]
        for figures in (row.figures, *(one.figures for one in row.datasets)):
            for name in names:
                figure = figures[name]
                cells += [figure.value, figure.low, figure.high]
        writer.writerow([*cells, row.failed_items])
    return file.getvalue()


def _ends(found: IntervalRead | RankRead | None) -> Sequence[float | None]:
    return (None, None) if found is None else (found.low, found.high)


def _safe(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _latex(board: BoardRead, look: Look) -> str:
    head, rows = _table(board, look)
    lines = [
        "% Needs \\usepackage{booktabs}. Ranks are intervals: models that cannot be told apart",
        "% share them. A Dynascore means nothing without what the caption says.",
        "\\begin{table}",
        f"\\caption{{{_tex(_caption(board, look))}}}",
        *([f"\\label{{{_LABEL.sub('-', look.label)}}}"] if look.label else []),
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        "\\toprule",
        f"{' & '.join(map(_tex, head))} \\\\",
        "\\midrule",
        *(f"{' & '.join(map(_tex, row))} \\\\" for row in rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines).replace("–", "--") + "\n"


def _markdown(board: BoardRead, look: Look) -> str:
    head, rows = _table(board, look)
    lines = [
        f"| {' | '.join(map(_md, head))} |",
        f"| --- |{' ---: |' * (len(head) - 1)}",
        *(f"| {' | '.join(map(_md, row))} |" for row in rows),
        "",
        _md(_caption(board, look)),
    ]
    return "\n".join(lines) + "\n"


def _html(board: BoardRead, look: Look) -> str:
    head, rows = _table(board, look)
    headings = "".join(f'<th scope="col">{escape(one)}</th>' for one in head)
    lines = [
        f'<table id="{escape(look.label)}">' if look.label else "<table>",
        f"<caption>{escape(_caption(board, look))}</caption>",
        f"<thead><tr>{headings}</tr></thead>",
        "<tbody>",
        *(
            f'<tr><th scope="row">{escape(first)}</th>'
            f"{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
            for first, *cells in rows
        ),
        "</tbody>",
        "</table>",
    ]
    return "\n".join(lines) + "\n"


def _caption(board: BoardRead, look: Look) -> str:
    return f"{look.caption.rstrip('.')}. {about(board)}" if look.caption else about(board)


def _table(board: BoardRead, look: Look) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table for readers, as plain text."""
    cells: dict[str, tuple[str, Callable[[BoardRow], str]]] = {
        one.name: (_heading(one), partial(_metric, name=one.name))
        for one in board.metrics
        if one.weight or one.is_principal or one.name in (look.columns or ())
    }
    cells |= {
        "rank": ("Rank", lambda row: _rank(row.rank)),
        "dynascore": ("Dynascore", _dynascore),
        "left_one_out": ("Left one out", _left_one_out),
    }
    chosen = list(cells) if look.columns is None else look.columns
    for column in chosen:
        if column not in cells:
            sentence = f"There is no column “{column}”. There are: {', '.join(cells)}."
            raise InvalidError(sentence, fields={"column": sentence})
    head = ["Model", *(cells[name][0] for name in chosen)]
    rows = [
        [f"{row.model.name} v{row.model.version}", *(cells[name][1](row) for name in chosen)]
        for row in board.rows
    ]
    return head, rows


def _metric(row: BoardRow, *, name: str) -> str:
    return _figure(row.figures[name])


def _dynascore(row: BoardRow) -> str:
    if row.dynascore is None:
        return "–"
    if row.dynascore_interval is None:
        return f"{row.dynascore:.2f}"
    low, high = row.dynascore_interval.low, row.dynascore_interval.high
    return f"{row.dynascore:.2f} [{low:.2f}, {high:.2f}]"


def _left_one_out(row: BoardRow) -> str:
    left = row.leave_one_out
    return "–" if left is None else f"{left.low:.2f} to {left.high:.2f}"


def _heading(one: MetricColumnRead) -> str:
    unit = {"gib": " (GiB)", "examples_per_second": " (per s)"}.get(one.unit, "")
    return one.title + unit


def _figure(figure: FigureRead) -> str:
    if figure.value is None:
        return "–"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _rank(rank: RankRead | None) -> str:
    if rank is None:
        return "–"
    return str(rank.low) if rank.low == rank.high else f"{rank.low}–{rank.high}"


def _tex(text: str) -> str:
    return text.translate(_LATEX)


def _md(text: str) -> str:
    return _MARKDOWN.sub(r"\\\g<0>", " ".join(text.split()))
