"""What can be told of a model's files without the server: all but what it answers."""

import ast
import json
from pathlib import Path

import typer

from dynabench.app.cli.chapters import INSTALL_SERVER
from dynabench.app.cli.output import counted, notice, say
from dynabench.app.cli.task_configs import named_config
from dynabench.client.model_files import kind_of, packed
from dynabench.engines.runners.manifest import Manifest, read_card, read_manifest
from dynabench.kit.errors import DynabenchError, InvalidError
from dynabench.loop.models.values import ModelKind

_CHECKED = (
    "dynabench.yaml and card.yaml",
    "the task's config",
    "packing",
    "that model.py is Python",
)
_SKIPPED = ("loading the model", "asking it trial inputs in the sandbox", "its memory and time")


def look_over(path: Path, *, task: str | None, kind: str | None, as_json: bool) -> None:
    """Check what needs no server, and say what was skipped.

    Raises:
        InvalidError: If the model would be rejected, or the task cannot be told.
    """
    problems = [*_problems(path, task=task, kind=kind)]
    if as_json:
        told = {"problems": problems, "checked": _CHECKED, "skipped": _SKIPPED}
        typer.echo(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        for problem in problems:
            say(problem)
        say(f"Checked: {', '.join(_CHECKED)}.")
        say(f"Skipped, as the server's packages are not here: {', '.join(_SKIPPED)}.")
        notice(f"They come with: {INSTALL_SERVER}. `dynabench model submit` does all of it too.")
    if problems:
        raise InvalidError(f"{path} would be rejected: {counted(len(problems), 'problem')}.")


def _problems(path: Path, *, task: str | None, kind: str | None) -> list[str]:
    found: list[str] = []
    manifest = Manifest()
    try:
        if path.is_dir():
            manifest = read_manifest(path)
            read_card(path)
        with packed(path):
            pass
    except DynabenchError as error:
        found.append(error.message)
    named = task or manifest.task
    if named is None:
        raise InvalidError("Name the task with --task, or in dynabench.yaml.")
    named_config(named)
    chosen = kind or manifest.kind or kind_of(path).value
    if chosen not in {one.value for one in ModelKind}:
        found.append(f"The kind must be one of {', '.join(ModelKind)}, not {chosen}.")
    if chosen == ModelKind.HANDLER and path.is_dir():
        found += _of_handler(path / "model.py")
    return found


def _of_handler(file: Path) -> list[str]:
    if not file.is_file():
        return ["model.py is missing; it holds the function predict. See: dynabench model init"]
    try:
        ast.parse(file.read_bytes())
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        return [f"model.py{f', line {line}' if line else ''}: {getattr(error, 'msg', error)}."]
    return []
