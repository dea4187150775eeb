"""`dynabench round watch`: how a round goes, as it goes."""

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_round
from dynabench.app.cli.output import AsJson, notice
from dynabench.loop.leaderboards.live.schemas import (
    BudgetEndRead,
    LiveGapRead,
    PaceRead,
    RoundNumbersRead,
)
from dynabench.loop.validations.schemas import RateRead

Round = Annotated[
    str,
    typer.Argument(
        metavar="ROUND", help="TASK (its latest played here), TASK/NUMBER or a round's id."
    ),
]

_NO_DATA = "–"
_POINTS = 100


def register(rounds: typer.Typer) -> None:
    """Add this command."""
    rounds.command("watch")(watch)


def watch(*, round_: Round, as_json: AsJson = False) -> None:
    """Watch how a round goes until it is released, or Ctrl-C.

    On a terminal one table is kept up to date; elsewhere, or with --json, each change is
    a line of its own.
    """
    with open_client() as client:
        found = find_round(client, round_)
        states = client.rounds.watch(found.id)
        try:
            if as_json or not sys.stdout.isatty():
                _print_lines(states)
            else:
                _keep_table(states)
        except KeyboardInterrupt:
            notice("Stopped watching; the round goes on.")


def _print_lines(states: Iterator[RoundNumbersRead]) -> None:
    for numbers in states:
        typer.echo(numbers.model_dump_json())


def _keep_table(states: Iterator[RoundNumbersRead]) -> None:
    with Live(Text("Connecting…"), console=Console(highlight=False)) as live:
        for numbers in states:
            live.update(table_of(numbers))


def table_of(numbers: RoundNumbersRead) -> Table:
    """Return a round's numbers as a table for a terminal."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    for name, value in _facts(numbers):
        table.add_row(Text(name), Text(value))
    return table


def _facts(numbers: RoundNumbersRead) -> list[tuple[str, str]]:
    backlog, effort = numbers.backlog, numbers.effort
    seconds = effort.seconds_per_validated_fooling
    return [
        ("round", f"{numbers.task_slug}/{numbers.round_number} ({numbers.status})"),
        *_collection(numbers),
        ("MER", _rate(numbers.model_error_rate)),
        ("vMER", f"{_rate(numbers.validated_model_error_rate)}; {numbers.pending} waiting"),
        ("backlog", _waiting(numbers)),
        ("votes", f"{_pace(backlog.last_hour)}; last day {_pace(backlog.last_day)}"),
        (
            "time per validated fooling example",
            (_NO_DATA if seconds is None else f"{seconds:.0f} s (of {effort.validated_fooling})")
            + f"; {effort.timed_attempts} of {effort.attempts} attempts timed",
        ),
        ("people ahead of the targets", _gap(numbers.human_gap)),
        *[(f"budget: {end.kind}", _end(end)) for end in numbers.ends],
        ("as of", _moment(numbers.as_of)),
    ]


def _waiting(numbers: RoundNumbersRead) -> str:
    backlog = numbers.backlog
    return (
        f"{backlog.waiting} examples, {backlog.votes_wanted} votes wanted, "
        f"{backlog.lent} lent, {backlog.disputed} disputed"
    )


def _collection(numbers: RoundNumbersRead) -> list[tuple[str, str]]:
    found = numbers.collection
    if found is None:
        return []
    return [
        ("attempts", f"{_pace(found.last_hour)}; last day {_pace(found.last_day)}"),
        ("writing now", str(found.annotators)),
    ]


def _pace(found: PaceRead) -> str:
    rate = _NO_DATA if found.per_hour is None else f"{found.per_hour:.1f}"
    return f"{rate} an hour ({found.count} in {found.hours:g} h)"


def _rate(rate: RateRead) -> str:
    if rate.value is None:
        return _NO_DATA
    if rate.low is None or rate.high is None:
        return f"{rate.value:.1%} ({rate.part} of {rate.whole})"
    return (
        f"{rate.value:.1%} ({rate.part} of {rate.whole}, 95 % interval "
        f"{rate.low:.1%} to {rate.high:.1%})"
    )


def _gap(gap: LiveGapRead) -> str:
    if gap.gap is None:
        return f"{_NO_DATA} ({gap.reason})"
    points = f"{gap.gap * _POINTS:+.1f} points"
    if gap.low is None or gap.high is None:
        return f"{points} (no interval: {gap.reason})"
    return f"{points} ({gap.low * _POINTS:+.1f} to {gap.high * _POINTS:+.1f})"


def _end(end: BudgetEndRead) -> str:
    used = f"{end.used} of {end.limit}"
    if end.expected_at is None:
        return f"{used} ({end.reason})"
    earliest = _NO_DATA if end.earliest_at is None else _moment(end.earliest_at)
    latest = "out of sight" if end.latest_at is None else _moment(end.latest_at)
    return f"{used}, ends {_moment(end.expected_at)} ({earliest} to {latest})"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M}"
