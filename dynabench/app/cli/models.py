"""`dynabench model`: submitted models."""

from typing import Annotated

import typer

from dynabench.app.cli import comparisons, submissions
from dynabench.app.cli import round_options as options
from dynabench.app.cli.addresses import Address, TargetKind
from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_model
from dynabench.app.cli.model_init import init_model
from dynabench.app.cli.model_test import check_files
from dynabench.app.cli.output import AsJson, say, show_facts, show_json, show_table
from dynabench.app.cli.tasks import Slug
from dynabench.loop.models.values import ModelPurpose

models = typer.Typer(
    no_args_is_help=True,
    help="Submitted models.",
    epilog="A chat model: dynabench model add nli http://127.0.0.1:11434/v1 --kind openai "
    "--model gemma3 --prompt prompt.txt",
)

ModelText = Annotated[str, typer.Argument(metavar="MODEL", help="A model's name or id.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.add_typer(models, name="model")
    models.command("init")(init_model)
    models.command("test")(check_files)
    submissions.add_to(models)
    comparisons.add_to(models)


@models.command("list")
def list_models(*, slug: Slug, as_json: AsJson = False) -> None:
    """List a task's models, newest first."""
    with open_client() as client:
        found = client.models.list(slug)
    if as_json:
        show_json(found)
        return
    show_table(
        ["model", "kind", "status", "published", "by", "submitted", "id"],
        [
            (
                f"{model.name} v{model.version}",
                model.kind,
                model.status,
                model.is_published,
                model.submitted_by,
                model.created_at.date(),
                model.id,
            )
            for model in found
        ],
        empty=f"{slug} has no models yet. Hand one in: dynabench model submit FOLDER --task {slug}",
    )


@models.command("add")
def add_model(
    *,
    slug: Slug,
    url: Annotated[str, typer.Argument(help="Where the model answers.")],
    kind: options.Kind = TargetKind.ENDPOINT,
    model: options.ModelThere = None,
    prompt: options.Prompt = None,
    answer: options.Answer = None,
    api_key_env: options.ApiKeyEnv = None,
    name: options.Name = None,
    description: Annotated[str, typer.Option(help="Shown with the model.")] = "",
    purpose: Annotated[
        ModelPurpose, typer.Option(help="judge: it says what breaks the task's rubric.")
    ] = ModelPurpose.TARGET,
    allow_private_address: options.AllowPrivate = False,
) -> None:
    """Submit a model by its address; it answers a trial input before it is taken (owners)."""
    address = Address(
        kind, model, prompt, answer, api_key_env, name, allow_private_address, description
    )
    with open_client() as client:
        made = client.models.create(slug, **address.submission(url), purpose=purpose.value)
    say(f"{made.name} v{made.version} is {made.status}: {made.id}")


@models.command("check")
def check_model(*, slug: Slug, model: ModelText) -> None:
    """Ask a model a trial input and show how it is doing (owners)."""
    with open_client() as client:
        found = find_model(client, slug, model)
        answer = client.models.check(found.id)
        health = client.models.health(found.id)
    show_facts(
        [
            ("model", f"{found.name} v{found.version}"),
            ("answer", ", ".join(f"{name}: {value}" for name, value in answer.outputs.items())),
            ("took", f"{answer.latency_ms:.1f} ms"),
            ("problem", answer.error),
            ("state", health.state),
            ("waiting", health.queue_length),
            ("answered", health.answered),
            ("failed", health.failed),
            ("restarts", health.restarts),
            ("last problem", health.last_error),
        ]
    )
