"""`dynabench round schedule`: between which times a round takes examples."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from dynabench.app.cli import round_options as options
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_round
from dynabench.app.cli.output import say
from dynabench.kit.errors import InvalidError
from dynabench.loop.rounds.schemas import RoundRead, Schedule

Round = Annotated[
    str,
    typer.Argument(
        metavar="ROUND", help="TASK (its latest played here), TASK/NUMBER or a round's id."
    ),
]
AtOnce = Annotated[
    bool, typer.Option("--no-opens-at", help="Take examples as soon as the round is open.")
]
Endless = Annotated[bool, typer.Option("--no-closes-at", help="Close at no set time.")]


class TimesContradictError(InvalidError):
    """A time was given and taken away in one command."""

    code = "cli.times_contradict"

    def __init__(self, option: str) -> None:
        super().__init__(f"Say --{option} or --no-{option}, not both.")


def register(rounds: typer.Typer) -> None:
    """Add this command."""
    rounds.command("schedule")(schedule)


def schedule(
    *,
    round_: Round,
    opens_at: options.OpensAt = None,
    closes_at: options.ClosesAt = None,
    no_opens_at: AtOnce = False,
    no_closes_at: Endless = False,
) -> None:
    """Set between which times a draft or open round takes examples (owners).

    What is not said stays. The round closes by itself at its closing time.
    """
    with open_client() as client:
        found = find_round(client, round_)
        before = found.schedule
        wanted = Schedule(
            opens_at=_chosen("opens-at", before.opens_at, said=opens_at, none=no_opens_at),
            closes_at=_chosen("closes-at", before.closes_at, said=closes_at, none=no_closes_at),
        )
        if wanted != before:
            found = client.rounds.update(found.id, schedule=wanted)
    say(f"Round {found.task_slug}/{found.number} {times_of(found)}.")


def times_of(round_: RoundRead) -> str:
    """Say between which times a round takes examples, as the end of a sentence."""
    opens_at, closes_at = round_.schedule.opens_at, round_.schedule.closes_at
    parts = [
        *([] if opens_at is None else [f"opens on {_told(opens_at)}"]),
        *([] if closes_at is None else [f"closes on {_told(closes_at)}"]),
    ]
    return " and ".join(parts) or "has no set times"


def _chosen(
    option: str, before: datetime | None, *, said: datetime | None, none: bool
) -> datetime | None:
    if said is not None and none:
        raise TimesContradictError(option)
    return None if none else said or before


def _told(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d at %H:%M} UTC"
