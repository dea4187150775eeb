"""Writing the files of a starter into an empty folder."""

from pathlib import Path

from dynabench.app.cli.task_configs import named_config
from dynabench.engines.inference.protocol import TargetKind
from dynabench.engines.runners.starters.files import starter_files
from dynabench.engines.runners.starters.values import Starter


def write_starter(folder: Path, *, task: str, kind: TargetKind) -> tuple[str, ...]:
    """Write a model of a task into a folder, and return the names of its files."""
    slug, config = named_config(task)
    files = starter_files(Starter(task=slug, config=config, kind=kind))
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return tuple(sorted(files))
