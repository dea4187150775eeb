"""`dynabench study`: does retraining on what fooled the model help, on real data?"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from dynabench.app.cli.output import notice, say
from dynabench.app.study.materials.inference import SOURCE_ROUNDS
from dynabench.app.study.materials.reading import read_materials
from dynabench.app.study.publishing import is_plotting_installed, publish
from dynabench.app.study.running import OnSeed, run_studies
from dynabench.app.study.values import Plan, StudyName

DATA_VARIABLE = "DYNABENCH_REAL_DATA"
_MOST_SEEDS = 100
_MOST_PROCESSES = 16
_QUICK_ROUNDS = 2


Names: TypeAlias = Annotated[
    list[StudyName] | None,
    typer.Argument(metavar="[sentiment|hate|nli]…", help="Which; by default all."),
]
Rounds: TypeAlias = Annotated[
    int | None,
    typer.Option(min=1, max=SOURCE_ROUNDS, help="How many rounds; by default 3, quickly 2."),
]
Processes: TypeAlias = Annotated[
    int, typer.Option(min=1, max=_MOST_PROCESSES, help="How many seeds at a time.")
]


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command("study")(study)


def study(
    *,
    names: Names = None,
    data: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER", envvar=DATA_VARIABLE, help="Where the published collections lie."
        ),
    ] = Path("../shared/data"),
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where numbers, plots and report go.")
    ] = Path("study"),
    seeds: Annotated[
        int, typer.Option(min=1, max=_MOST_SEEDS, help="How many seeds, from 0 on.")
    ] = 5,
    rounds: Rounds = None,
    recipe: Annotated[str, typer.Option(help="How models are trained.")] = "text-classifier",
    processes: Processes = 2,
    quick: Annotated[
        bool, typer.Option("--quick", help="Small parts of the data: a try, not a result.")
    ] = False,
) -> None:
    """Play rounds of collection from published data against a random control, and report.

    Each round, only what fools the present target is released and learned from; the control
    learns as many items drawn at random from the same pool. Both are scored on all rounds,
    on what was held out and on static sets. Numbers, plots and a report are written.

    Stop it at any time: what is finished is kept and not played again. The published
    collections are not part of this software; a missing file is named.
    """
    plan = Plan(
        seeds=seeds,
        rounds=rounds or (_QUICK_ROUNDS if quick else SOURCE_ROUNDS),
        recipe=recipe,
        is_quick=quick,
    )
    chosen = [name for name in StudyName if not names or name in names]
    materials = read_materials(chosen, folder=data, is_quick=quick)
    out.mkdir(parents=True, exist_ok=True)
    count = min(processes, os.cpu_count() or 1)
    with _bar(len(materials) * seeds) as on_seed:
        found = run_studies(materials, plan=plan, folder=out, processes=count, on_seed=on_seed)
    written = publish(out, found)
    if not is_plotting_installed():
        notice(
            "The report has no plots: pip install 'dynabench-platform[study]' and run this again."
        )
    say(f"Wrote {written[-1]} and {len(written) - 1} files that it is made from.")


@contextmanager
def _bar(total: int) -> Iterator[OnSeed]:
    progress = Progress(
        TextColumn("Playing"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total:.0f}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
        console=Console(stderr=True),
    )
    with progress:
        bar = progress.add_task("", total=total)

        def move(name: str, seed: int) -> None:
            progress.update(bar, advance=1, description=f"{name}, seed {seed} is done")

        yield move
