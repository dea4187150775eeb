"""`dynabench replay`: a collection that was made elsewhere, through the rules of this platform."""

import asyncio
from collections.abc import Iterator, Sequence
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
from dynabench.loop.interchange.service import OnProgress, ReplayProgress, ReplayService
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import RateRead
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


def replay_service(wiring: Wiring) -> ReplayService:
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
    show_facts(
        [
            ("records", f"{round_.records} ({round_.examples_added} new)"),
            ("votes", f"{round_.votes} ({round_.votes_added} new)"),
            ("verdicts", _verdicts(round_)),
            ("fooled (MER)", _rate(round_.error_rate.model_error_rate)),
            ("verified (vMER)", _rate(round_.error_rate.validated_model_error_rate)),
            ("macro MER", round_.error_rate.macro_model_error_rate),
            ("why not", round_.error_rate.reason),
            ("model right", _rate(round_.model_right)),
            ("Fleiss' kappa", _figure(round_.agreement.fleiss_kappa)),
            ("Krippendorff's alpha", _figure(round_.agreement.krippendorff_alpha)),
            ("why not", round_.agreement.reason),
            ("unanimous", _rate(round_.agreement.unanimous)),
            (
                "duplicates kept",
                f"{round_.duplicates.same} the same, {round_.duplicates.near} nearly",
            ),
        ]
    )
    show_table(
        ["", "the source says", "derived here the same", "differing"],
        [
            (one.what, f"{one.source_says} records", one.derived_the_same, ", ".join(one.differing))
            for one in round_.comparisons
            if one.source_says
        ],
        empty="The source says nothing that could be compared.",
    )


def _verdicts(round_: ReplayedRoundRead) -> str | None:
    if round_.verdicts is None:
        return round_.verdicts_reason
    return ", ".join(f"{count} {verdict}" for verdict, count in round_.verdicts.items())


def _rate(rate: RateRead) -> str | None:
    if rate.value is None:
        return None
    interval = "" if rate.low is None else f" [{rate.low:.3f}, {rate.high:.3f}]"
    return f"{rate.part} of {rate.whole} = {rate.value:.4f}{interval}"


def _figure(value: float | None) -> str:
    return written(value) if value is None else f"{value:.3f}"
