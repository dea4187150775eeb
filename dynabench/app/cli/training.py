"""`dynabench train`, `evaluate` and `scores`: the next model, and how good each one is."""

from typing import Annotated

import typer

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.jobs import wait_for
from dynabench.app.cli.models import ModelText
from dynabench.app.cli.output import AsJson, say, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.evaluations.schemas import ScoreRead


def register(app: typer.Typer) -> None:
    """Add these commands."""
    panel = "The loop"
    app.command(rich_help_panel=panel)(train)
    app.command(rich_help_panel=panel)(evaluate)
    app.command(rich_help_panel=panel)(scores)
    app.command(rich_help_panel=panel)(recipes)


def train(
    *,
    slug: Slug,
    name: Annotated[str, typer.Option(help="What the model will be called.")],
    recipe: Annotated[str | None, typer.Option(help="How; by default the task's own.")] = None,
    dataset: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="A dataset version to learn from.")
    ] = None,
    all_rounds: Annotated[
        bool, typer.Option("--all-rounds", help="Learn from every released round.")
    ] = False,
    starter_data: Annotated[bool, typer.Option(help="Learn from the starter data too.")] = True,
    seed: Annotated[int, typer.Option(help="Seeds everything random.")] = 0,
) -> None:
    """Train a model on starter data and releases; it becomes a model of the task (owners)."""
    with open_client() as client:
        chosen = list(dataset or ())
        if all_rounds:
            chosen += [
                str(version.id)
                for version in client.list_datasets(slug)
                if version.round_number is not None
            ]
        job = client.train(
            slug,
            name=name,
            recipe=recipe,
            with_starter_data=starter_data,
            dataset_version_ids=list(dict.fromkeys(chosen)),
            seed=seed,
        )
        wait_for(client, job.id, what=f"Training {name}")
        made = find_model(client, slug, name)
    say(f"{made.name} v{made.version} is {made.status}: {made.id}")


def evaluate(
    *,
    slug: Slug,
    model: ModelText,
    dataset: Annotated[str, typer.Argument(metavar="ID", help="A dataset version's id.")],
) -> None:
    """Score a model on a dataset (owners)."""
    with open_client() as client:
        found = find_model(client, slug, model)
        job = client.evaluate_model(found.id, dataset)
        wait_for(client, job.id, what=f"Scoring {found.name}")
        made = [score for score in client.list_scores(slug) if score.model_id == found.id]
    _show(made, slug=slug)


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
        found = client.list_scores(slug)
    if as_json:
        show_json(found)
        return
    _show([score for score in found if every or score.is_principal], slug=slug)


def recipes(*, slug: Slug, as_json: AsJson = False) -> None:
    """List the ways to train a model for a task."""
    with open_client() as client:
        found = client.list_recipes(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["recipe", "what it is", "default"],
        [(recipe.name, recipe.title, recipe.is_default) for recipe in found],
        empty=f"No recipe fits {slug}. Bring a model of your own: dynabench model add {slug} URL",
    )


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
