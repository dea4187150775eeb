"""`dynabench release`: a closed round becomes a dataset, or shows what it would become."""

from typing import Annotated
from uuid import UUID

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_round
from dynabench.app.cli.jobs import wait_for
from dynabench.app.cli.output import (
    AsJson,
    counted,
    notice,
    say,
    show_facts,
    show_json,
    show_table,
)
from dynabench.app.cli.rounds import Round
from dynabench.client.client import DynabenchClient
from dynabench.kit.errors import InvalidError
from dynabench.loop.datasets.releases.schemas import ReleasePlanRead
from dynabench.loop.datasets.values import OpenVerdicts
from dynabench.loop.rounds.schemas import RoundRead
from dynabench.loop.rounds.values import RoundStatus


def register(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(release)


Licence = Annotated[str, typer.Option(help="The data's licence.")]
Verdicts = Annotated[
    OpenVerdicts,
    typer.Option(
        help="Wait until every example has its verdict, or take those without one as they are."
    ),
]
Anyway = Annotated[
    bool,
    typer.Option(
        "--allow-incomplete", help="Also without dev or test, with one author or one label."
    ),
]
DevShare = Annotated[
    float | None,
    typer.Option(
        "--dev", min=0.01, max=0.8, help="The part of what fooled that goes to dev; a tenth if not."
    ),
]
TestShare = Annotated[
    float | None,
    typer.Option(
        "--test", min=0.01, max=0.8, help="The part that goes to test; train has the rest."
    ),
]
Others = Annotated[
    float | None,
    typer.Option(
        "--others",
        min=0,
        max=0.9,
        help="The part of dev and test that did not fool; half where nothing is said.",
    ),
]
Apart = Annotated[
    bool | None,
    typer.Option(
        "--apart/--not-apart",
        help="Keep contexts and test's authors apart from the task's earlier releases.",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show what it would hold; release nothing.")
]
Cancel = Annotated[
    bool, typer.Option("--cancel", help="Release it no more when its verdicts are in.")
]


# One option for each thing that an owner may decide: a group of them would only hide them.
def release(
    *,
    round_: Round,
    seed: Annotated[int, typer.Option(help="Seeds the splits.")] = 0,
    licence: Licence = "CC-BY-4.0",
    open_verdicts: Verdicts = OpenVerdicts.WAIT,
    allow_incomplete: Anyway = False,
    dev: DevShare = None,
    test: TestShare = None,
    others: Others = None,
    apart: Apart = None,
    dry_run: DryRun = False,
    cancel: Cancel = False,
    as_json: AsJson = False,
) -> None:
    """Freeze a closed round as a dataset with train, dev and test splits (owners)."""
    if dry_run and cancel:
        raise InvalidError("Give --dry-run or --cancel, not both.")
    with open_client() as client:
        if dry_run:
            plan = client.releases.plan(
                find_round(client, round_).id,
                seed=seed,
                dev_share=dev,
                test_share=test,
                share_of_others=others,
                apart_from_earlier=apart,
            )
            _show(plan, as_json=as_json)
            return
        found = find_round(client, round_, status=RoundStatus.CLOSED)
        if cancel:
            client.releases.cancel(found.id)
            say(f"Round {found.number} is not released when its verdicts are in.")
            return
        job = client.releases.create(
            found.id,
            seed=seed,
            licence=licence,
            open_verdicts=open_verdicts.value,
            allow_incomplete=allow_incomplete,
            dev_share=dev,
            test_share=test,
            share_of_others=others,
            apart_from_earlier=apart,
        )
        _tell_released(found, job.id, client, as_json=as_json)


def _tell_released(
    round_: RoundRead, job_id: UUID, client: DynabenchClient, *, as_json: bool
) -> None:
    done = wait_for(client, job_id, what=f"Releasing round {round_.number}")
    if done.result is None or "waits_for" in done.result:
        _tell_waiting(round_, client)
        return
    version = client.datasets.get(str(done.result["dataset_version_id"]))
    if as_json:
        show_json(version)
        return
    sizes = ", ".join(f"{split.items} {split.split}" for split in version.splits)
    say(f"{version.name} v{version.version} ({sizes}): {version.id}")


def _tell_waiting(round_: RoundRead, client: DynabenchClient) -> None:
    waiting = client.releases.get_order(round_.id)
    open_ = "" if waiting is None else f" ({waiting.open_verdicts:,} are open)"
    say(f"Round {round_.number} will be released when its last verdict is in{open_}.")
    where = f"{round_.task_slug}/{round_.number}"
    notice(f"As it is, now: dynabench release {where} --open-verdicts settle")


def _show(plan: ReleasePlanRead, *, as_json: bool) -> None:
    if as_json:
        show_json(plan)
        return
    show_table(
        ["split", "items", "fooling", "verified", "contexts", "annotators", "labels"],
        [
            (
                one.split,
                one.items,
                one.fooling,
                one.verified,
                one.contexts,
                one.annotators,
                ", ".join(f"{label} {count}" for label, count in one.labels.items()),
            )
            for one in plan.splits
        ],
        empty="It would hold nothing.",
    )
    left_out = [f"{one.examples} {one.reason.replace('_', ' ')}" for one in plan.exclusions]
    show_facts(
        [
            ("stored", plan.stored),
            ("left out", ", ".join(left_out)),
            ("for test alone", counted(plan.test_only_annotators, "annotator")),
            ("open verdicts", plan.open_verdicts),
            ("disputed", plan.disputed),
            *(("missing", one.sentence) for one in plan.missing),
            *(("note", sentence) for sentence in plan.notes),
        ]
    )
