"""`dynabench replay`: a collection that was made elsewhere, through the rules of this platform."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import (
    moving_share,
    notice,
    say,
    show_facts,
    show_table,
)
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.errors import OutputFileError
from dynabench.loop.interchange.readers.jsonl import JsonlReader
from dynabench.loop.interchange.readers.protocol import Reader
from dynabench.loop.interchange.readers.registry import reader_of
from dynabench.loop.interchange.releasing.service import ReplayReleaser
from dynabench.loop.interchange.schemas import ReplayedRoundRead, ReplayRead
from dynabench.loop.interchange.service import (
    BATCH_SIZE,
    OnProgress,
    ReplayProgress,
    ReplayService,
    ReplayStage,
)
from dynabench.loop.interchange.values import SourceFormat
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import GoldFrom
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import RateRead
from dynabench.loop.validations.values import Verdict
from dynabench.migrations.run import upgrade
from dynabench.people.directory.service import UserDirectory

_NAMED = 5
_NO_ANSWERS = "The source holds no answers of a model, or no gold answer is settled."
_PEOPLE = {
    True: "as the source names them",
    False: "one pseudonym per record and vote slot: the source names nobody",
}

TaskSlug = Annotated[
    str | None,
    typer.Option(metavar="SLUG", help="The task to import into; made if there is none."),
]
JsonFile = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", help="Write everything derived as JSON."),
]
Release = Annotated[
    bool, typer.Option("--release", help="Release each round as a dataset afterwards.")
]
Licence = Annotated[
    str | None,
    typer.Option(metavar="SPDX", help="The datasets' licence; the source's by default."),
]
Incomplete = Annotated[
    bool, typer.Option("--allow-incomplete", help="Release even without dev or test.")
]

Quorum = Annotated[int, typer.Option(min=1, max=25, help="jsonl: votes that decided.")]
Maximum = Annotated[int, typer.Option(min=1, max=25, help="jsonl: votes at most.")]
GoldAnswer = Annotated[GoldFrom, typer.Option(help="jsonl: whose answer is gold.")]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("replay")(replay)


def replay(
    *,
    source_format: Annotated[
        SourceFormat, typer.Argument(metavar="FORMAT", help="anli, dynasent, hatemoji or jsonl.")
    ],
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE…", exists=True, dir_okay=False, help="Plain or .gz."),
    ],
    task: TaskSlug = None,
    json_file: JsonFile = None,
    release: Release = False,
    licence: Licence = None,
    seed: Annotated[int, typer.Option(min=0, help="Decides what goes into which split.")] = 0,
    allow_incomplete: Incomplete = False,
    quorum: Quorum = 3,
    maximum: Maximum = 5,
    gold_from: GoldAnswer = GoldFrom.AUTHOR,
) -> None:
    """Import a collection made elsewhere into closed rounds, and compare.

    Every vote goes through the rules that hold here; what they derive is shown beside what
    the source says. **anli** reads `R*_dev_merged.jsonl` and `R*_dev.jsonl`, **dynasent** round
    2, **hatemoji** `HatemojiBuild*.csv`. **jsonl** reads rounds of your own into a task that is
    there (`--task`): an example a line, `{"id", "round", "context", "inputs", "answer", "author",
    "prediction", "votes": [{"by", "vote"}]}`.

    All files are checked to their ends before anything is stored. What is there already is not
    imported again: an interrupted replay is simply run once more.

    With `--release` each round becomes a dataset with train, dev and test like one that was
    collected here; its card and its pages say where it comes from.

    The database is the one in `DYNABENCH_DATABASE_URL`, else the embedded one: joined where
    `dynabench up` runs, started for the time of the command where it does not.
    """
    _require_writable(json_file)
    reader = reader_of(source_format)
    if source_format is SourceFormat.JSONL:
        reader = JsonlReader(quorum=quorum, maximum=maximum, gold_from=gold_from)
    with connected_settings(may_be_new=True) as settings:
        assert settings.database_url is not None, "connected settings name the database"
        upgrade(settings.database_url)
        found = asyncio.run(_carried_out(settings, reader, files, task))
        _tell(found, json_file)
        if release:
            terms = _Terms(licence=licence, seed=seed, allow_incomplete=allow_incomplete)
            for version in asyncio.run(_released(settings, found, terms)):
                _show_release(version)


def _tell(found: ReplayRead, json_file: Path | None) -> None:
    for round_ in found.rounds:
        _show_round(found, round_)
    if json_file is not None:
        _write(json_file, found.model_dump_json(indent=2) + "\n")
        notice(f"Wrote {json_file}.")


class _Terms(NamedTuple):
    """How rounds are released."""

    licence: str | None
    seed: int
    allow_incomplete: bool


async def _released(settings: Settings, found: ReplayRead, terms: _Terms) -> list[DatasetVersion]:
    wiring = wire(settings, application_name="dynabench replay", fold_patience_seconds=0)
    try:
        with moving_share("Releasing") as move:

            async def progress(done: float, total: float, message: str) -> None:
                move(done / total, message)

            return await ReplayReleaser(releases=wiring.get(ReleaseService)).release(
                found,
                licence=terms.licence or reader_of(found.format).collection.licence,
                seed=terms.seed,
                allow_incomplete=terms.allow_incomplete,
                progress=progress,
            )
    finally:
        await wiring.close()


def _show_release(version: DatasetVersion) -> None:
    sizes = ", ".join(f"{size:,} {split.value}" for split, size in version.sizes.items())
    say(f"\n{version.name} is released: {sizes}; {version.licence}; {version.digest}")
    missing = version.card.get("missing")
    for sentence in missing if isinstance(missing, list) else []:
        say(f"  {sentence}")


async def _carried_out(
    settings: Settings, reader: Reader, files: Sequence[Path], task: str | None
) -> ReplayRead:
    wiring = wire(settings, application_name="dynabench replay", fold_patience_seconds=0)
    try:
        with _bar(reader.collection.format) as on_progress:
            return await replay_service(wiring).replay(
                reader, files, task_slug=task, on_progress=on_progress
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
    """Refuse a place for the numbers before minutes are spent on them; leaves nothing there."""
    if file is None:
        return
    is_new = not file.exists()
    try:
        with file.open("a", encoding="utf-8"):
            pass
        if is_new:
            file.unlink()
    except OSError as error:
        raise OutputFileError(file=str(file), reason=error.strerror or str(error)) from error


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputFileError(file=str(file), reason=error.strerror or str(error)) from error


@contextmanager
def _bar(source_format: SourceFormat) -> Iterator[OnProgress]:
    """Show a bar for each stage, of which the second appears once the first is through."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[records]:,} records"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
    )
    words = {
        ReplayStage.CHECKING: f"Checking {source_format.value}",
        ReplayStage.STORING: f"Replaying {source_format.value}",
    }
    bars: dict[ReplayStage, TaskID] = {}
    with progress:

        def move(done: ReplayProgress) -> None:
            if done.stage not in bars:
                bars[done.stage] = progress.add_task(words[done.stage], records=0)
            progress.update(
                bars[done.stage],
                completed=done.read_bytes,
                total=max(done.total_bytes, 1),
                records=done.records,
            )

        yield move


def _show_round(found: ReplayRead, round_: ReplayedRoundRead) -> None:
    say(f"\n{found.title}, round {round_.number} (task “{found.task_slug}”)")
    _show_facts(_facts(round_))
    told = [one for one in round_.comparisons if one.records]
    say("")
    show_table(
        ["", "source", "derived here", "records alike"],
        [
            (
                one.what,
                _counts(one.source, between="\n"),
                _counts(one.derived, between="\n"),
                f"{one.derived_the_same:,} of {one.records:,}",
            )
            for one in told
        ],
        empty="The source tells no verdict, gold answer or outcome to compare with.",
    )
    for one in told:
        if one.differing:
            count = one.records - one.derived_the_same
            say(f"The {one.what} differs in {_some(one.differing, count)}.")
    left = round_.left_as_they_were
    if left.records:
        say(
            "Stored earlier with other content, and left as they were: "
            f"{_some(left.first, left.records)}. Replay into another --task to compare."
        )


class _Fact(NamedTuple):
    """A named figure, or None and why there is none."""

    name: str
    figure: str | None
    reason: str | None = None


def _facts(round_: ReplayedRoundRead) -> list[_Fact]:
    rates, agreement, twins = round_.error_rate, round_.agreement, round_.duplicates
    return [
        _Fact("records", f"{round_.records:,} ({round_.examples_added:,} new)"),
        _Fact("votes", f"{round_.votes:,} ({round_.votes_added:,} new)"),
        _Fact("people", _PEOPLE[round_.people_are_known]),
        _Fact("duplicates", f"{twins.same:,} the same, {twins.near:,} nearly; none refused"),
        _Fact("verdicts", _counts(round_.verdicts) or None, round_.verdicts_reason),
        _Fact("MER (fooled)", _rate(rates.model_error_rate), rates.reason),
        _Fact("vMER (fooled and verified)", _rate(rates.validated_model_error_rate), rates.reason),
        _Fact("MER, mean over authors", _figure(rates.macro_model_error_rate), rates.reason),
        _Fact(
            "vMER, mean over authors",
            _figure(rates.macro_validated_model_error_rate),
            rates.reason,
        ),
        _Fact("recorded model right", _rate(round_.model_right), _NO_ANSWERS),
        _Fact("Fleiss' kappa", _figure(agreement.fleiss_kappa), agreement.reason),
        _Fact("Krippendorff's alpha", _figure(agreement.krippendorff_alpha), agreement.reason),
        _Fact("unanimous", _rate(agreement.unanimous), agreement.reason),
    ]


def _show_facts(facts: Sequence[_Fact]) -> None:
    """Show what is known, then each reason why something is not, with all that it holds for."""
    show_facts([(one.name, one.figure) for one in facts])
    unknown: dict[str, list[str]] = {}
    for one in facts:
        if one.figure is None and one.reason is not None:
            unknown.setdefault(one.reason, []).append(one.name)
    for reason, names in unknown.items():
        say(f"No {'; '.join(names)}: {reason}")


def _counts(
    counts: Mapping[Verdict, int] | Mapping[str, int] | None, *, between: str = ", "
) -> str:
    return between.join(f"{count:,} {name}" for name, count in (counts or {}).items())


def _some(uids: Sequence[str], count: int) -> str:
    """Name the first few of some records."""
    named = ", ".join(uids[:_NAMED])
    records = f"{count:,} {'record' if count == 1 else 'records'}"
    return f"{records}: {named}{' …' if count > _NAMED else ''}"


def _rate(rate: RateRead) -> str | None:
    if rate.value is None or rate.low is None or rate.high is None:
        return None if rate.value is None else f"{rate.part:,} of {rate.whole:,} = {rate.value:.4f}"
    interval = f"[{rate.low:.3f}, {rate.high:.3f}]"
    return f"{rate.part:,} of {rate.whole:,} = {rate.value:.4f} {interval}"


def _figure(value: float | None) -> str | None:
    return None if value is None else f"{value:.3f}"
