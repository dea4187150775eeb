"""A board as CSV, as a LaTeX table, and as JSON; hostile names stay text in each."""

import csv
import io
from collections.abc import Sequence

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
}
# What spreadsheets take for the beginning of a formula, some of them in its full width too.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
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


def export_board(board: BoardRead, form: BoardForm, *, name: str) -> BoardFile:
    """Return a board as a file of a form."""
    if form is BoardForm.CSV:
        text = _csv(board)
    elif form is BoardForm.LATEX:
        text = _latex(board)
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


def _latex(board: BoardRead) -> str:
    shown = [one for one in board.metrics if one.weight or one.is_principal]
    head = ["Model", *(_heading(one) for one in shown), "Rank", "Dynascore", "Left one out"]
    lines = [
        "% Needs \\usepackage{booktabs}. Ranks are intervals: models that cannot be told apart",
        "% share them. A Dynascore means nothing without what the caption says.",
        "\\begin{table}",
        f"\\caption{{{_tex(about(board))}}}",
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        "\\toprule",
        f"{' & '.join(head)} \\\\",
        "\\midrule",
        *(f"{' & '.join(_cells(row, shown))} \\\\" for row in board.rows),
        "\\bottomrule",
        "\\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _cells(row: BoardRow, shown: Sequence[MetricColumnRead]) -> list[str]:
    score = "--" if row.dynascore is None else f"{row.dynascore:.2f}"
    if row.dynascore_interval is not None:
        low, high = row.dynascore_interval.low, row.dynascore_interval.high
        score = f"{score} [{low:.2f}, {high:.2f}]"
    left = row.leave_one_out
    return [
        f"{_tex(row.model.name)} v{row.model.version}",
        *(_figure(row.figures[one.name]) for one in shown),
        _rank(row.rank),
        score,
        "--" if left is None else f"{left.low:.2f} to {left.high:.2f}",
    ]


def _heading(one: MetricColumnRead) -> str:
    unit = {"gib": " (GiB)", "examples_per_second": " (per s)"}.get(one.unit, "")
    return _tex(one.title) + unit


def _figure(figure: FigureRead) -> str:
    if figure.value is None:
        return "--"
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _rank(rank: RankRead | None) -> str:
    if rank is None:
        return "--"
    return str(rank.low) if rank.low == rank.high else f"{rank.low}--{rank.high}"


def _tex(text: str) -> str:
    return text.translate(_LATEX)
