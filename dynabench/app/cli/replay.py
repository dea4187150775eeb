"""`dynabench replay`: a collection that was made elsewhere, through the rules of this platform."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import notice, say, show_facts, show_table, written
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.errors import OutputFileError
from dynabench.loop.interchange.readers.registry import reader_of
from dynabench.loop.interchange.schemas import ReplayedRoundRead, ReplayRead
from dynabench.loop.interchange.service import BATCH_SIZE, OnProgress, ReplayProgress, ReplayService
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import RateRead
from dynabench.loop.validations.values import Verdict
from dynabench.migrations.run import upgrade
from dynabench.people.directory.service import UserDirectory

_PANEL = "Running a server (dynabench[server])"


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("replay", rich_help_panel=_PANEL)(replay)


def replay(
    *,
    source_format: Annotated[
        SourceFormat, typer.Argument(metavar="FORMAT", help="anli, dynasent or hatemoji.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", exists=True, dir_okay=False, help="Plain or .gz."),
    ],
    task: Annotated[
        str | None,
        typer.Option(metavar="SLUG", help="The task to import into; made if there is none."),
    ] = None,
    json_file: Annotated[
        Path | None,
        typer.Option("--json", metavar="OUT", help="Write everything derived as JSON."),
    ] = None,
) -> None:
    """Import a collection made elsewhere into closed rounds, and compare.

    Every vote goes through the rules that hold here. What is there already is not imported
    again, so an interrupted replay is simply run once more.
    """
    _require_writable(json_file)
    with connected_settings() as settings:
        assert settings.database_url is not None, "connected settings name the database"
        upgrade(settings.database_url)
        found = asyncio.run(_carried_out(settings, source_format, files, task))
    if json_file is not None:
        json_file.write_text(found.model_dump_json(indent=2) + "\n", encoding="utf-8")
    for round_ in found.rounds:
        _show_round(found, round_)
    if json_file is not None:
        notice(f"Wrote {json_file}.")


async def _carried_out(
    settings: Settings, source_format: SourceFormat, files: Sequence[Path], task: str | None
) -> ReplayRead:
    wiring = wire(settings, application_name="dynabench replay", fold_patience_seconds=0)
    try:
        with _bar(source_format) as on_progress:
            return await replay_service(wiring).replay(
                reader_of(source_format), files, task_slug=task, on_progress=on_progress
            )
    finally:
        await wiring.close()


def replay_service(wiring: Wiring, *, batch_size: int = BATCH_SIZE) -> ReplayService:
    """Put the service together, which no server needs."""
    return ReplayService(
        db=wiring.db,
        tasks=wiring.get(TaskService),
        models=wiring.get(ModelService),
        rounds=wiring.get(RoundService),
        contexts=wiring.get(ContextService),
        people=wiring.get(UserDirectory),
        examples=wiring.get(ExampleService),
        outcomes=wiring.get(OutcomeService),
        rates=wiring.get(ErrorRateService),
        batch_size=batch_size,
    )


def _require_writable(file: Path | None) -> None:
    """Refuse a place for the numbers before minutes are spent on them."""
    if file is None:
        return
    try:
        with file.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise OutputFileError(file=str(file), reason=error.strerror or str(error)) from error


@contextmanager
def _bar(source_format: SourceFormat) -> Iterator[OnProgress]:
    progress = Progress(
        TextColumn("Replaying {task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[records]} records"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    with progress:
        bar = progress.add_task(source_format.value, total=1, records=0)

        def move(done: ReplayProgress) -> None:
            progress.update(
                bar,
                completed=done.read_bytes,
                total=max(done.total_bytes, 1),
                records=done.records,
            )

        yield move


def _show_round(found: ReplayRead, round_: ReplayedRoundRead) -> None:
    say(f"\n{found.title}: task {found.task_slug}, round {round_.number}")
    show_facts([fact for fact in _facts(round_) if fact[1] is not None])
    show_table(
        ["", "the source says", "derived here", "the same", "differing"],
        [
            (
                one.what,
                _counts(one.source),
                _counts(one.derived),
                f"{one.derived_the_same} of {one.records}",
                ", ".join(one.differing),
            )
            for one in round_.comparisons
            if one.records
        ],
        empty="The source says nothing of its records that could be compared.",
    )


def _facts(round_: ReplayedRoundRead) -> list[tuple[str, str | None]]:
    rates, agreement, twins = round_.error_rate, round_.agreement, round_.duplicates
    return [
        ("records", f"{round_.records} ({round_.examples_added} new)"),
        ("votes", f"{round_.votes} ({round_.votes_added} new)"),
        ("verdicts", round_.verdicts_reason or _counts(round_.verdicts)),
        ("fooled (MER)", _rate(rates.model_error_rate)),
        ("fooled and verified (vMER)", _rate(rates.validated_model_error_rate)),
        ("the same, averaged over annotators", _averages(round_)),
        ("about the rates", rates.reason),
        ("recorded model right", _rate(round_.model_right)),
        ("Fleiss' kappa", _figure(agreement.fleiss_kappa)),
        ("Krippendorff's alpha", _figure(agreement.krippendorff_alpha)),
        ("unanimous", _rate(agreement.unanimous)),
        ("about agreement", agreement.reason),
        ("duplicates, all kept", f"{twins.same} the same, {twins.near} nearly"),
    ]


def _averages(round_: ReplayedRoundRead) -> str:
    rates = round_.error_rate
    found = (rates.macro_model_error_rate, rates.macro_validated_model_error_rate)
    return ", ".join(_figure(one) for one in found if one is not None) or written(None)


def _counts(counts: Mapping[Verdict, int] | Mapping[str, int] | None) -> str:
    return ", ".join(f"{count} {name}" for name, count in (counts or {}).items())


def _rate(rate: RateRead) -> str:
    if rate.value is None:
        return written(None)
    interval = "" if rate.low is None else f" [{rate.low:.3f}, {rate.high:.3f}]"
    return f"{rate.part} of {rate.whole} = {rate.value:.4f}{interval}"


def _figure(value: float | None) -> str:
    return written(value) if value is None else f"{value:.3f}"
