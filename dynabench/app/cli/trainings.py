"""`dynabench train`: the next model, from the data of a task."""

from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from typer.core import TyperGroup

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.jobs import wait_for
from dynabench.app.cli.output import AsJson, notice, say, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.app.cli.training_data import read_options, read_sources
from dynabench.app.cli.training_options import (
    AllRounds,
    Data,
    DryRun,
    Name,
    OnlyFooling,
    OnlyVerified,
    Options,
    RecipeText,
    Seed,
    StarterData,
    StarterWeight,
    Wait,
    WithoutControls,
)
from dynabench.client.trainings import TrainingData
from dynabench.loop.training.schemas import RecipeRead, TrainingPlanRead

if TYPE_CHECKING:
    # Click's own types, which Typer brings along under another name.
    from typer._click.core import Context

_START = "start"
_EPILOG = """
**Examples**

On the starter data and every released round: `dynabench train nli --data "all rounds"`

Each item of round 3 ten times: `dynabench train nli --data "Round 1" --data "Round 3:10"`

Only look at what it would learn from: `dynabench train nli --data "all rounds" --dry-run`

Fine-tune a checkpoint: `dynabench train nli --recipe transformers --option checkpoint=tiny
--option epochs=3`

See the recipes and their options: `dynabench train recipes nli`
"""


class _StartsByItself(TyperGroup):
    """Takes `dynabench train nli` for `dynabench train start nli`."""

    by_itself = _START

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Put the command in front where none is named."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = [self.by_itself, *args]
        return super().parse_args(ctx, args)


training = typer.Typer(
    cls=_StartsByItself,
    no_args_is_help=True,
    help="Train a model on a task's data; it becomes a model of the task (owners). "
    "`dynabench train TASK` starts one.",
    epilog=_EPILOG,
)

TrainingText: TypeAlias = Annotated[
    str, typer.Argument(metavar="TRAINING", help="As shown by `dynabench train list`.")
]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(training, name="train")
    app.command("recipes")(list_recipes)


# Each parameter is an option of the command line.
@training.command(_START)
def start(  # noqa: PLR0913
    *,
    slug: Slug,
    name: Name = None,
    recipe: RecipeText = None,
    option: Options = None,
    data: Data = None,
    all_rounds: AllRounds = False,
    starter_data: StarterData = True,
    starter_weight: StarterWeight = 1,
    only_verified: OnlyVerified = False,
    only_fooling: OnlyFooling = False,
    without_controls: WithoutControls = False,
    seed: Seed = 0,
    wait: Wait = True,
    dry_run: DryRun = False,
) -> None:
    """Train a model on starter data, releases and uploaded sets."""
    texts = [*(["all rounds"] if all_rounds else []), *(data or ())]
    with open_client() as client:
        order: TrainingData = {
            "recipe": recipe,
            "options": read_options(option or ()),
            "with_starter_data": starter_data,
            "starter_weight": starter_weight,
            "sources": read_sources(texts, client.datasets.list(slug) if texts else []),
            "only_verified": only_verified,
            "only_fooling": only_fooling,
            "without_controls": without_controls,
        }
        _show_plan(client.trainings.plan(slug, **order))
        if dry_run:
            return
        called = name or recipe or _default(client.trainings.recipes(slug))
        job = client.trainings.create(slug, name=called, seed=seed, **order)
        if not wait:
            say(f"Training {called} is asked for: {job.id}")
            return
        done = wait_for(client, job.id, what=f"Training {called}")
        made = find_model(client, slug, str((done.result or {})["model_id"]))
    say(f"{made.name} v{made.version} is {made.status}: {made.id}")


@training.command("recipes")
def list_recipes(*, slug: Slug, as_json: AsJson = False) -> None:
    """List the ways to train a model for a task, and what can be set of each."""
    with open_client() as client:
        found = client.trainings.recipes(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["recipe", "what it is", "default", "options"],
        [(one.name, one.title, one.is_default, _options_of(one)) for one in found],
        empty=f"No recipe fits {slug}. Bring a model of your own: dynabench model add {slug} URL",
    )
    for recipe in found:
        if recipe.unavailable is not None:
            notice(f"{recipe.name}: {recipe.unavailable}")


@training.command("list")
def list_trainings(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's newest trainings."""
    with open_client() as client:
        found = client.trainings.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["name", "recipe", "state", "done", "doing", "id"],
        [
            (
                one.name,
                one.recipe,
                one.state,
                f"{one.progress:.0%}",
                one.error or one.message,
                one.id,
            )
            for one in found
        ],
        empty=f"Nothing has been trained for {slug}. Start: dynabench train {slug}",
    )


@training.command("log")
def show_log(*, slug: Slug, training_id: TrainingText) -> None:
    """Print a training's log, oldest line first."""
    with open_client() as client:
        lines = client.trainings.log(slug, training_id)
    for line in lines:
        say(line)
    if not lines:
        notice("The training has logged nothing yet.")


@training.command("cancel")
def cancel(*, slug: Slug, training_id: TrainingText) -> None:
    """Stop a training at once; nothing of it stays."""
    with open_client() as client:
        found = client.trainings.cancel(slug, training_id)
    say(f"The training of {found.name} is {found.state}.")


@training.command("resume")
def resume(*, slug: Slug, training_id: TrainingText) -> None:
    """Go on with a training that failed or was cancelled; finished epochs are not repeated."""
    with open_client() as client:
        found = client.trainings.resume(slug, training_id)
        done = wait_for(client, found.id, what=f"Training {found.name}")
        made = find_model(client, slug, str((done.result or {})["model_id"]))
    say(f"{made.name} v{made.version} is {made.status}: {made.id}")


def _default(recipes: list[RecipeRead]) -> str:
    return next((one.name for one in recipes if one.is_default), "model")


def _options_of(recipe: RecipeRead) -> str:
    return ", ".join(
        f"{one.name}={'…' if one.default is None else one.default}" for one in recipe.options
    )


def _show_plan(plan: TrainingPlanRead) -> None:
    show_table(
        ["learns from", "items", "weight", "examples", "left out"],
        [
            (
                part.name if part.version is None else f"{part.name} v{part.version}",
                part.items,
                part.weight,
                part.examples,
                part.left_out,
            )
            for part in plan.parts
        ],
        empty="Nothing.",
    )
    say(plan.problem or f"{plan.examples:,} examples in all.")
