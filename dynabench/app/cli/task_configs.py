"""The config of a task that a model's builder names: by a file, or by a task of the server."""

from pathlib import Path

from dynabench.app.cli.credentials import open_client
from dynabench.app.cli.tasks import read_text
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.restoring import restore_config
from dynabench.science.task_config.schema import TaskConfig

_SUFFIXES = {".yaml", ".yml"}
_TASK_FILE = "task.yaml"


def named_config(task: str) -> tuple[str, TaskConfig]:
    """Return a task's short name and its config.

    Args:
        task: A config's file, or the short name of a task that the server shows.

    Raises:
        TaskConfigError: If the file is no config.
        NotFoundError: If the server shows no such task.
    """
    file = Path(task)
    if file.suffix in _SUFFIXES or file.is_file():
        name = file.resolve().parent.name if file.name == _TASK_FILE else file.stem
        return name, load_task_config(read_text(file))
    with open_client() as client:
        return task, restore_config(client.tasks.get(task).config)
