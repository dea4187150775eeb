"""`dynabench model submit` and what follows: show, log, publish, withdraw, retry, delete."""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
import yaml

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.finding import find_dataset_version
from dynabench.app.cli.output import (
    AsJson,
    counted,
    moving_bytes,
    moving_share,
    notice,
    say,
    show_facts,
    show_json,
)
from dynabench.engines.runners.manifest import Manifest, read_card, read_manifest
from dynabench.kit.errors import InvalidError
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.values import ModelKind, ModelStatus

if TYPE_CHECKING:
    from dynabench.client.client import DynabenchClient
    from dynabench.client.results import Results

_MODEL_HELP = "A model's id, or TASK/NAME, of which the newest version is meant."
AnyModel = Annotated[str, typer.Argument(metavar="MODEL", help=_MODEL_HELP)]
CardFile = Annotated[
    Path | None,
    typer.Option(
        "--card", metavar="FILE", exists=True, dir_okay=False, help="The card as YAML; card.yaml."
    ),
]

ModelPath = Annotated[
    Path | None,
    typer.Argument(
        metavar="[PATH]",
        exists=True,
        help="A folder, a zip or tar.gz archive, or an .onnx file; none for other kinds.",
    ),
]
TaskName = Annotated[
    str | None,
    typer.Option("--task", metavar="TASK", help="Left out: the one of dynabench.yaml."),
]
Kind = Annotated[
    ModelKind | None,
    typer.Option("--kind", help="Left out: that of dynabench.yaml or of the files."),
]
Name = Annotated[str | None, typer.Option(help="The same name again is the next version.")]
Description = Annotated[str | None, typer.Option(help="Shown with the model.")]
Options = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="How it is reached or read; the value as YAML."),
]
Anonymous = Annotated[
    bool, typer.Option("--anonymous", help="Tell nobody but the owners who submitted it.")
]
Wait = Annotated[bool, typer.Option(help="Wait until it is checked.")]


class Until(StrEnum):
    """What is waited for."""

    CHECK = "check"
    SCORES = "scores"
    NOTHING = "nothing"


WaitUntil = Annotated[
    Until, typer.Option("--wait", help="Wait until it is checked, scored, or not at all.")
]
NoWait = Annotated[bool, typer.Option("--no-wait", help="As --wait nothing.")]


def add_to(models: typer.Typer) -> None:
    """Add these commands."""
    models.command("submit")(submit)
    models.command("predictions")(hand_in_predictions)
    models.command("show")(show_model)
    models.command("log")(show_log)
    models.command("retry")(retry)
    models.command("publish")(publish)
    models.command("withdraw")(withdraw)
    models.command("delete")(delete)


def submit(
    *,
    path: ModelPath = None,
    task: TaskName = None,
    kind: Kind = None,
    name: Name = None,
    description: Description = None,
    option: Options = None,
    card: CardFile = None,
    anonymous: Anonymous = False,
    wait: WaitUntil = Until.CHECK,
    no_wait: NoWait = False,
) -> None:
    """Hand a model in: its files are sent, checked, and scored on every dataset of the task.

    What is not said is read from the folder's `dynabench.yaml` and `card.yaml`.
    """
    folder = path if path is not None and path.is_dir() else None
    manifest = Manifest() if folder is None else read_manifest(folder)
    slug = task or manifest.task
    if slug is None:
        raise InvalidError("Name the task with --task, or in dynabench.yaml.")
    chosen = manifest.kind if kind is None else kind.value
    told = read_card(folder) if folder is not None and card is None else _card(card)
    given = {**manifest.options, **_options(option or ())}
    # An image and a model on a hub are not sent, only named.
    source = None if chosen == ModelKind.CONTAINER or given.get("hub") else path
    with open_client() as client:
        with moving_bytes(f"Sending {path.name}" if source and path else "Submitting") as move:
            submitted = client.models.submit(
                source,
                task=slug,
                kind=chosen,
                name=name or manifest.name,
                description=description or manifest.description or "",
                options=given,
                card=told,
                is_anonymous=anonymous,
                on_progress=move,
            )
        if no_wait or wait is Until.NOTHING or chosen == ModelKind.PREDICTIONS:
            say(f"Submitted: {submitted.id}")
            return
        model = _wait(client, submitted)
        results = _scored(client, model) if wait is Until.SCORES else None
    say(f"{model.name} v{model.version} is {model.status}: {model.id}")
    if results is not None:
        _show_results(results)
    notice(f"Show it to everybody: dynabench model publish {model.id}")


def hand_in_predictions(
    *,
    model: AnyModel,
    dataset: Annotated[
        str, typer.Argument(metavar="DATASET", help="A dataset's name, or a version's id.")
    ],
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", exists=True, dir_okay=False, help='JSON lines: {"uid": "…", …answers}.'
        ),
    ],
) -> None:
    """Hand a `predictions` model's answers to a dataset in; they are scored at once."""
    with open_client() as client:
        found = client.models.get(model)
        version_id = find_dataset_version(client, found.task_slug, dataset)
        with moving_bytes(f"Sending {file.name}") as move:
            taken = client.models.submit_predictions(found.id, version_id, file, on_progress=move)
    say(f"{found.name} v{found.version} answers {counted(taken.items, 'item')}.")


def show_model(*, model: AnyModel, as_json: AsJson = False) -> None:
    """Show a model, what its check found, and its card."""
    with open_client() as client:
        found = client.models.get(model)
    if as_json:
        show_json(found)
        return
    card = {} if found.card is None else found.card.model_dump()
    place = "" if found.queue_position is None else f" (place {found.queue_position} in the queue)"
    show_facts(
        [
            ("model", f"{found.name} v{found.version}"),
            ("task", found.task_slug),
            ("kind", found.kind),
            ("status", f"{found.status}{place}"),
            ("isolation", found.isolation),
            ("published", found.is_published),
            ("by", found.submitted_by),
            ("submitted", found.created_at.date()),
            ("files", found.artifact_bytes and counted(found.artifact_bytes, "byte")),
            ("digest", found.digest),
            ("description", found.description),
            *((name.replace("_", " "), text) for name, text in card.items() if text),
        ]
    )
    for line in _problems(found):
        say(line)


def show_log(*, model: AnyModel) -> None:
    """Print the log of a model's check, oldest line first (its submitter, owners)."""
    with open_client() as client:
        found = client.models.get(model)
        lines = client.models.log(found.id)
    for line in lines:
        say(line)
    if not lines:
        notice("Nothing was logged.")


def retry(*, model: AnyModel, wait: Wait = True) -> None:
    """Have a model checked again that was rejected, or whose check could not be done."""
    with open_client() as client:
        found = client.models.retry(model)
        if wait:
            found = _wait(client, found)
    say(f"{found.name} v{found.version} is {found.status}.")


def publish(*, model: AnyModel, card: CardFile = None) -> None:
    """Show a model to everybody; its card must say what readers need to know."""
    with open_client() as client:
        found = client.models.publish(model, card=_card(card))
    say(f"{found.name} v{found.version} is published.")


def withdraw(*, model: AnyModel) -> None:
    """Make a model private again (its submitter, owners)."""
    with open_client() as client:
        found = client.models.withdraw(model)
    say(f"{found.name} v{found.version} is private.")


def delete(
    *,
    model: AnyModel,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a model with its files, predictions and scores (its submitter, owners)."""
    with open_client() as client:
        found = client.models.get(model)
        if not yes:
            typer.confirm(
                f"{found.name} v{found.version} goes with its files, predictions and scores. "
                "This cannot be undone. Delete it?",
                abort=True,
            )
        client.models.delete(found.id)
    say(f"{found.name} v{found.version} is deleted.")


def _wait(client: "DynabenchClient", model: ModelRead) -> ModelRead:
    with moving_share("Checking") as move:
        return client.models.wait(model, on_progress=lambda found: move(*_standing(found)))


def _scored(client: "DynabenchClient", model: ModelRead) -> "Results":
    """Wait until a model is scored, telling how far it is."""
    with moving_share("Scoring") as move:

        def tell(_: ModelRead, evaluations: Sequence[EvaluationRead]) -> None:
            over = [one for one in evaluations if one.state is not EvaluationState.PENDING]
            parts = len(over) + sum(one.progress or 0.0 for one in evaluations if one not in over)
            words = f"({len(over)} of {counted(len(evaluations), 'dataset')})"
            move(parts / len(evaluations) if evaluations else 0.0, words)

        return client.models.results(model, on_progress=tell)


def _show_results(results: "Results") -> None:
    show_facts(list(results.items()))
    for name, reason in results.reasons.items():
        notice(f"{name}: {reason}")


def _standing(model: ModelRead) -> tuple[float, str]:
    if model.queue_position is not None:
        return 0.0, f"(place {model.queue_position} in the queue)"
    return (1.0 if model.status is ModelStatus.READY else 0.5), ""


def _problems(model: ModelRead) -> list[str]:
    found = []
    for problem in model.problems or ():
        places = (problem.item and f"input “{problem.item}”", problem.field)
        where = ", ".join(place for place in places if place)
        found.append(f"{where}: {problem.problem}" if where else problem.problem)
    return found


def _options(given: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for one in given:
        key, sign, text = one.partition("=")
        if not sign or not key:
            raise InvalidError(f"“{one}” is no option. Write KEY=VALUE, as in image=nli:1.")
        try:
            found[key] = yaml.safe_load(text)
        except yaml.YAMLError:
            found[key] = text
    return found


def _card(file: Path | None) -> dict[str, str] | None:
    if file is None:
        return None
    try:
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        sentence = f"{file} is not YAML: {' '.join(str(error).split())[:200]}"
        raise InvalidError(sentence, fields={"card": sentence}) from None
    if not isinstance(told, dict):
        sentence = f"{file} must map keys such as intended_use to texts."
        raise InvalidError(sentence, fields={"card": sentence})
    return {str(key): str(text) for key, text in told.items() if text}
