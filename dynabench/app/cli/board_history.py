"""`dynabench board history`: every model on every round and static set."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, counted, notice, say, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.leaderboards.history.schemas import HistoryCell, HistoryColumn, HistoryRead
from dynabench.loop.leaderboards.schemas import FigureRead


def register(boards: typer.Typer) -> None:
    """Add this command."""
    boards.command("history")(history)


def history(
    *,
    slug: Slug,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many rows.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show every model on every released round and static set, the best on the latest first.

    A round was written to fool its own targets: their scores on it are marked with * and are
    biased against them.
    """
    with open_client() as client:
        found = client.boards.history(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["model", *(_heading(one) for one in found.columns)],
        [
            (
                f"{row.model.name} v{row.model.version}",
                *(
                    _cell(cell, is_target=row.model.id in column.target_ids)
                    for cell, column in zip(row.cells, found.columns, strict=True)
                ),
            )
            for row in found.rows[:limit]
        ],
        empty=f"No model of {slug} has been scored yet.",
    )
    _explain(found, shown=min(limit, len(found.rows)))


def _explain(found: HistoryRead, *, shown: int) -> None:
    if not found.columns:
        notice("No round has been released yet; the first release opens this table.")
        return
    people = [
        f"{_heading(one)} {one.humans.value:.1f}"
        for one in found.columns
        if one.humans is not None and one.humans.value is not None
    ]
    if people:
        say(f"People: {', '.join(people)}.")
    better = "; less is better" if found.is_lower_better else ""
    say(f"{found.metric}, times 100, on test items, with 95 % intervals{better}.")
    say("* the round's own target: what people wrote, they wrote to fool it.")
    if found.models > shown:
        notice(f"{counted(found.models - shown, 'model')} more; see --limit.")


def _heading(column: HistoryColumn) -> str:
    return column.name if column.round_number is None else f"round {column.round_number}"


def _cell(cell: HistoryCell, *, is_target: bool) -> str:
    mark = "*" if is_target else ""
    if cell.figure is not None:
        return f"{_written(cell.figure)}{mark}"
    return f"–{mark}" if cell.state is None else f"{cell.state.value}{mark}"


def _written(figure: FigureRead) -> str:
    value = "–" if figure.value is None else f"{figure.value:.1f}"
    if figure.low is None or figure.high is None:
        return value
    return f"{value} ({figure.low:.1f} to {figure.high:.1f})"
