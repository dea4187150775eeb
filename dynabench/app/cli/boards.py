"""`dynabench board`: models ranked by one's own weights, forks, snapshots and files."""

from pathlib import Path
from typing import Annotated, TypedDict

import typer

from dynabench.app.cli import board_history
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import (
    AsJson,
    counted,
    moving_bytes,
    notice,
    say,
    show_json,
    show_table,
)
from dynabench.app.cli.scales import scale
from dynabench.app.cli.tasks import Slug
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import InvalidError
from dynabench.loop.leaderboards.exports.rules import Look, export_board
from dynabench.loop.leaderboards.schemas import (
    BoardRead,
    BoardRow,
    FigureRead,
    IntervalRead,
    RankRead,
)
from dynabench.loop.leaderboards.values import DEFAULT_BUDGET_GIB, BoardForm, BoardKind, RatesFrom

boards = typer.Typer(no_args_is_help=True, help="Models by the weights that you choose.")

Weight = Annotated[
    list[str] | None,
    typer.Option("--weight", "-w", metavar="METRIC=0..5", help="Repeat it; others weigh nothing."),
]
DatasetWeight = Annotated[
    list[str] | None,
    typer.Option("--dataset", "-d", metavar="NAME=0..5", help="A dataset's name or key."),
]
Budget = Annotated[float, typer.Option(help="The memory budget in GiB.")]
Rates = Annotated[
    str | None, typer.Option(metavar="ID", help="A snapshot whose exchange rates are used.")
]
Name = Annotated[str, typer.Option(help="What the saved board is called.")]
Description = Annotated[str, typer.Option(help="What it is for.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(boards, name="board")
    boards.command("scale")(scale)
    board_history.register(boards)


@boards.command("show")
def show(
    *,
    slug: Slug,
    weight: Weight = None,
    dataset: DatasetWeight = None,
    budget: Budget = DEFAULT_BUDGET_GIB,
    rates: Rates = None,
    sort: Annotated[str | None, typer.Option(help="`dynascore` or a metric.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many rows.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show a task's board: ranks are intervals, and models that tie share them."""
    with open_client() as client:
        found = client.boards.get(
            slug,
            metrics=_weights(weight),
            datasets=_datasets(client, slug, dataset),
            budget_gib=budget,
            rates=rates,
            sort=sort,
            limit=limit,
        )
    if as_json:
        show_json(found)
        return
    _show(found)


@boards.command("fork")
def fork(
    *,
    slug: Slug,
    name: Name,
    description: Description = "",
    weight: Weight = None,
    dataset: DatasetWeight = None,
    budget: Budget = DEFAULT_BUDGET_GIB,
    rates: Rates = None,
) -> None:
    """Save weights under a name; the board goes on following the data."""
    _save(slug, BoardKind.FORK, name, description, weight, dataset, budget=budget, rates=rates)


@boards.command("snapshot")
def snapshot(
    *,
    slug: Slug,
    name: Name,
    description: Description = "",
    weight: Weight = None,
    dataset: DatasetWeight = None,
    budget: Budget = DEFAULT_BUDGET_GIB,
    rates: Rates = None,
) -> None:
    """Freeze the board with its exchange rates and date; it never changes again."""
    _save(slug, BoardKind.SNAPSHOT, name, description, weight, dataset, budget=budget, rates=rates)


@boards.command("list")
def list_boards(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's forks and snapshots, newest first."""
    with open_client() as client:
        found = client.saved_boards.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["board", "kind", "by", "date", "id"],
        [
            (one.name, one.kind.value, one.created_by, one.created_at.date(), one.id)
            for one in found
        ],
        empty=f"Nobody has saved a board of {slug} yet. Save one: dynabench board fork {slug}",
    )


@boards.command("export")
def export(
    *,
    slug: Slug,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to.")],
    saved: Annotated[
        str | None, typer.Option(metavar="ID", help="A saved board in place of the live one.")
    ] = None,
    weight: Weight = None,
    dataset: DatasetWeight = None,
    budget: Budget = DEFAULT_BUDGET_GIB,
    rates: Rates = None,
    caption: Annotated[str | None, typer.Option(help="What the table shows.")] = None,
    label: Annotated[str | None, typer.Option(help="What LaTeX refers to it by.")] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="Only these, in this order: metrics, rank, dynascore, left_one_out."),
    ] = None,
) -> None:
    """Write a whole board as CSV, JSON, LaTeX (booktabs), Markdown or HTML, as the file is named.

    A caption, a label and a choice of columns are for the last three.
    """
    form = _form_of(output)
    look = Look(caption=caption, label=label, columns=column)
    with open_client() as client, moving_bytes(f"Exporting {slug}") as move:
        weights = _Weights(
            metrics=_weights(weight),
            datasets=_datasets(client, slug, dataset),
            budget_gib=budget,
            rates=rates,
        )
        if look != Look():
            board = (
                _whole(client, slug, weights)
                if saved is None
                else client.saved_boards.get(saved).board
            )
            made = export_board(board, form, name=slug, look=look)
            size = output.write_bytes(made.body)
        elif saved is not None:
            size = client.saved_boards.export(saved, form, output, on_progress=move)
        else:
            size = client.boards.export(slug, form, output, on_progress=move, **weights)
    say(f"Wrote {counted(size, 'byte')} to {output}.")


class _Weights(TypedDict):
    """What a board is ranked by."""

    metrics: dict[str, float] | None
    datasets: dict[str, float] | None
    budget_gib: float
    rates: str | None


def _form_of(output: Path) -> BoardForm:
    ending = output.suffix.removeprefix(".")
    for form in BoardForm:
        if form.value == ending:
            return form
    forms = ", ".join(f".{form.value}" for form in BoardForm)
    raise InvalidError(f"{output.name} ends in no known form. Call it {forms}.")


def _whole(client: DynabenchClient, slug: str, weights: _Weights) -> BoardRead:
    """Fetch every page of a board as one."""

    def page(cursor: str | None) -> BoardRead:
        return client.boards.get(slug, cursor=cursor, limit=200, **weights)

    board = page(None)
    rows, cursor = list(board.rows), board.next_cursor
    while cursor is not None:
        more = page(cursor)
        rows, cursor = [*rows, *more.rows], more.next_cursor
    return board.model_copy(update={"rows": rows})


def _save(
    slug: str,
    kind: BoardKind,
    name: str,
    description: str,
    weight: list[str] | None,
    dataset: list[str] | None,
    *,
    budget: float,
    rates: str | None,
) -> None:
    with open_client() as client:
        save = client.saved_boards.fork if kind is BoardKind.FORK else client.saved_boards.snapshot
        made = save(
            slug,
            name=name,
            description=description,
            metrics=_weights(weight),
            datasets=_datasets(client, slug, dataset),
            budget_gib=budget,
            rates=rates,
        )
    digest = "" if made.digest is None else f", sha256 {made.digest}"
    say(f"Saved the {made.kind.value} {made.name}: {made.id}{digest}")


def _weights(written: list[str] | None) -> dict[str, float] | None:
    """Read `name=weight`.

    Raises:
        InvalidError: If one is not of that form.
    """
    if written is None:
        return None
    found: dict[str, float] = {}
    for one in written:
        name, sign, number = one.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            sign = ""
        if not sign:
            raise InvalidError(f"{one!r} is no weight. Write it like accuracy=4.")
    return found


def _datasets(
    client: DynabenchClient, slug: str, written: list[str] | None
) -> dict[str, float] | None:
    """Read weights of datasets, which may be called by their names."""
    weights = _weights(written)
    if weights is None:
        return None
    columns = client.boards.get(slug, limit=1).datasets
    keys = {one.title: one.key for one in columns}
    return {keys.get(name, name): weight for name, weight in weights.items()}


def _show(board: BoardRead) -> None:
    if board.metrics and not board.datasets:
        notice(
            f"{board.task_slug} has no dataset for its board yet. It begins with the first "
            "released round or the first uploaded dataset."
        )
        return
    shown = [one for one in board.metrics if one.weight or one.is_principal]
    if board.dynascore_reason is not None:
        notice(board.dynascore_reason)
    show_table(
        [
            f"rank by {board.ranked_by.value}",
            "model",
            *(one.title.lower() for one in shown),
            "Dynascore",
            "left one out",
        ],
        [_row(row, [one.name for one in shown]) for row in board.rows],
        empty=f"No model of {board.task_slug} is complete for these weights.",
    )
    weights = ", ".join(f"{one.name} {one.weight:g}" for one in board.metrics if one.weight)
    rates = ", ".join(f"{one.name} {one.amrs:.4g}" for one in board.metrics if one.amrs)
    date = "" if board.as_of is None else f", as of {board.as_of.date()}"
    say(f"Weights: {weights}; memory budget {board.budget_gib:g} GiB{date}.")
    if rates:
        is_own = board.rates_from is RatesFrom.OBSERVED
        source = f"from {counted(board.pairs, 'pair')}" if is_own else f"({board.rates_from.value})"
        say(f"Exchange rates (AMRS) {source}: {rates}.")
    for column in board.datasets:
        if column.reason is not None and not column.weight:
            notice(f"{column.title}: {column.reason}")
    for note in board.notes:
        notice(note)
    for one in board.incomplete:
        # Of several datasets a model may lack the same.
        reasons = " ".join(dict.fromkeys(lack.reason for lack in one.lacks))
        notice(f"Not ranked: {one.model.name} v{one.model.version}. {reasons}")


def _row(row: BoardRow, names: list[str]) -> list[object]:
    score = None if row.dynascore is None else f"{row.dynascore:.2f}"
    return [
        _rank(row.rank),
        f"{row.model.name} v{row.model.version}",
        *(_figure(row.figures[name]) for name in names),
        None if score is None else f"{score}{_reach(row.dynascore_interval)}",
        _reach(row.leave_one_out).strip() or None,
    ]


def _rank(rank: RankRead | None) -> str | None:
    if rank is None:
        return None
    return str(rank.low) if rank.low == rank.high else f"{rank.low}–{rank.high}"


def _figure(figure: FigureRead) -> str | None:
    if figure.value is None:
        return None
    if figure.low is None or figure.high is None:
        return f"{figure.value:.2f}"
    return f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _reach(found: IntervalRead | None) -> str:
    return "" if found is None else f" [{found.low:.2f}, {found.high:.2f}]"
