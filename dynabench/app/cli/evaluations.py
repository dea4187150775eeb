"""`dynabench evaluations`: a model on every dataset, how far each is, and why not."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.output import AsJson, say, show_facts, show_json, show_table
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import EvaluationState

evaluations = typer.Typer(
    no_args_is_help=True,
    help="A model on every dataset.",
    epilog="How far a model is: dynabench evaluations list nli/my-model",
)

ModelText = Annotated[str, typer.Argument(metavar="MODEL", help="A model's id, or TASK/NAME.")]
EvaluationId = Annotated[
    str, typer.Argument(metavar="EVALUATION", help="As shown by `dynabench evaluations list`.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(evaluations, name="evaluations")


@evaluations.command("list")
def list_evaluations(*, model: ModelText, as_json: AsJson = False) -> None:
    """List a model's evaluations, newest dataset first."""
    with open_client() as client:
        found = client.models.get(model)
        made = client.evaluations.list(found.id)
    if as_json:
        show_json(made)
        return
    show_table(
        ["dataset", "state", "metric", "score", "95 % interval", "items", "failed", "id"],
        [
            (f"{one.dataset_name} v{one.dataset_version}", _state(one), *_principal(one), one.id)
            for one in made
        ],
        empty=f"{found.name} has not been scored on anything yet.",
    )


@evaluations.command("show")
def show_evaluation(*, evaluation_id: EvaluationId, as_json: AsJson = False) -> None:
    """Show an evaluation with everything that was measured."""
    with open_client() as client:
        found = client.evaluations.get(evaluation_id)
    if as_json:
        show_json(found)
        return
    measured = found.measurement
    facts: list[tuple[str, object]] = [
        ("dataset", f"{found.dataset_name} v{found.dataset_version}"),
        ("state", _state(found)),
        ("failed items", found.failed_items),
    ]
    if measured is not None:
        facts += [
            ("examples per second", measured.examples_per_second),
            *([("no speed because", measured.reason)] if measured.reason else []),
            ("in batches", measured.batched_examples_per_second),
            ("memory, peak GiB", measured.memory_peak_gib),
        ]
    show_facts(facts)
    show_table(
        ["split", "tag", "metric", "score", "low", "high", "items"],
        [
            (one.split, None, one.metric, one.value, one.low, one.high, one.items)
            for one in found.scores
        ]
        + [
            (one.split, one.tag, one.metric, one.value, one.low, one.high, one.items)
            for one in found.tag_scores
        ],
        empty="No scores yet.",
    )
    if found.deltas:
        show_table(
            ["changed texts", "transform", "split", "same answer", "low", "high", "originals"],
            [
                (one.kind, one.transform, one.split, one.value, one.low, one.high, one.items)
                for one in found.deltas
            ],
            empty="",
        )


@evaluations.command("log")
def show_log(*, evaluation_id: EvaluationId) -> None:
    """Print what an evaluation and its model have written (its submitter, owners)."""
    with open_client() as client:
        for line in client.evaluations.log(evaluation_id):
            say(line)


@evaluations.command("retry")
def retry_evaluation(*, evaluation_id: EvaluationId) -> None:
    """Go on with one that failed or was cancelled (its submitter, owners)."""
    with open_client() as client:
        found = client.evaluations.retry(evaluation_id)
    say(f"{found.dataset_name} v{found.dataset_version}: {_state(found)}")


@evaluations.command("cancel")
def cancel_evaluation(*, evaluation_id: EvaluationId) -> None:
    """End one that waits or runs (its submitter, owners)."""
    with open_client() as client:
        found = client.evaluations.cancel(evaluation_id)
    say(f"{found.dataset_name} v{found.dataset_version}: {_state(found)}")


def _state(found: EvaluationRead) -> str:
    """Say how far an evaluation is."""
    if found.state is not EvaluationState.PENDING:
        return f"{found.state.value}: {found.reason}" if found.reason else found.state.value
    if found.is_running:
        return f"running, {found.progress or 0:.0%}"
    place = found.queue_position
    return "waiting" if place is None else f"waiting, number {place} in the queue"


def _principal(found: EvaluationRead) -> tuple[object, ...]:
    """Return the cells of the score that counts; empty ones where there is none yet."""
    score = next((one for one in found.scores if one.is_principal), None)
    score = score or next(iter(found.scores), None)
    if score is None:
        return (None, None, None, found.items, found.failed_items)
    has_interval = score.low is not None and score.high is not None
    interval = f"{score.low:.1f} to {score.high:.1f}" if has_interval else None
    return (score.metric, score.value, interval, score.items, found.failed_items)
