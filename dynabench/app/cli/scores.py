"""`dynabench evaluate` and `scores`: how good each model is."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.jobs import wait_for
from dynabench.app.cli.models import ModelText
from dynabench.app.cli.output import AsJson, notice, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.datasets.values import DatasetAccess
from dynabench.loop.evaluations.schemas import ScoreRead
from dynabench.loop.models.values import REMOTE_KINDS, ModelKind


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command()(evaluate)
    app.command()(scores)


def evaluate(
    *,
    slug: Slug,
    model: ModelText,
    dataset: Annotated[str, typer.Argument(metavar="ID", help="A dataset version's id.")],
) -> None:
    """Score a model on a dataset (owners).

    A model that runs elsewhere is sent the inputs of the dataset, a hidden one's too.
    """
    with open_client() as client:
        found = find_model(client, slug, model)
        version = client.datasets.get(dataset)
        warning = what_leaves(
            model=found.name, kind=found.kind, dataset=version.name, access=version.access
        )
        if warning is not None:
            notice(warning)
        job = client.evaluations.create(found.id, dataset)
        wait_for(client, job.id, what=f"Scoring {found.name}")
        made = [score for score in client.evaluations.scores(slug) if score.model_id == found.id]
    _show(made, slug=slug)


def what_leaves(*, model: str, kind: ModelKind, dataset: str, access: DatasetAccess) -> str | None:
    """Return what an owner should know before a hidden set is sent out of the installation."""
    if access is not DatasetAccess.HIDDEN or kind not in REMOTE_KINDS:
        return None
    return (
        f"“{dataset}” is hidden, and {model} runs elsewhere: whoever runs it now sees "
        f"the set's inputs, though not the right answers. `dynabench job cancel` stops it."
    )


def scores(
    *,
    slug: Slug,
    every: Annotated[
        bool, typer.Option("--all", help="Every metric, not only the task's principal one.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show every model of a task on every dataset, with 95 % intervals."""
    with open_client() as client:
        found = client.evaluations.scores(slug)
    if as_json:
        show_json(found)
        return
    _show([score for score in found if every or score.is_principal], slug=slug)


def _show(found: list[ScoreRead], *, slug: str) -> None:
    show_table(
        ["model", "dataset", "split", "metric", "score", "95 % interval", "items"],
        [
            (
                f"{score.model_name} v{score.model_version}",
                score.dataset_name,
                score.split,
                score.metric,
                score.value,
                None
                if score.low is None or score.high is None
                else f"{score.low:.1f} to {score.high:.1f}",
                score.items,
            )
            for score in found
        ],
        empty=f"No model of {slug} has been scored yet.",
    )
