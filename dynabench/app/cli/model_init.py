"""`dynabench model init`: the files of a model that already answers a task."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from dynabench.app.cli.output import say
from dynabench.kit.errors import ConflictError


class StarterKind(StrEnum):
    """What a model can be written as."""

    HANDLER = "handler"
    HUGGINGFACE = "huggingface"
    ONNX = "onnx"
    CONTAINER = "container"


TaskName = Annotated[
    str,
    typer.Option("--task", metavar="TASK", help="A task of the server, or a config's YAML file."),
]


class FolderTakenError(ConflictError):
    """A starter is written into an empty folder only, so that nothing is written over."""

    code = "cli.folder_taken"

    def __init__(self, *, folder: Path) -> None:
        super().__init__(f"{folder} holds files already. Name a new or an empty folder.")


def init_model(
    *,
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", file_okay=False, help="A new or an empty folder.")
    ],
    task: TaskName,
    kind: Annotated[StarterKind, typer.Option(help="What to hand in.")] = StarterKind.HANDLER,
) -> None:
    """Write a model that answers a task from the first line: make it better.

    It passes the checks as it is. Then: dynabench model test FOLDER
    """
    # Most commands do without what knows models.
    from dynabench.app.cli.model_starter import write_starter  # noqa: PLC0415

    if folder.exists() and any(folder.iterdir()):
        raise FolderTakenError(folder=folder)
    names = write_starter(folder, task=task, kind=kind.value)
    say(f"{folder} holds {', '.join(names)}.")
    say(f"Change it, and try it out: dynabench model test {folder} --task {task}")
