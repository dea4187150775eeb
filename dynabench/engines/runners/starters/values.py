"""What a starter is made for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from dynabench.engines.inference.protocol import TargetKind
from dynabench.kit.errors import InvalidError
from dynabench.science.task_config.schema import TaskConfig

Files: TypeAlias = Mapping[str, str | bytes]
"""Name to content, all in one folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Starter:
    """The task that a model is to answer, and how it is to be handed in."""

    task: str
    config: TaskConfig
    kind: TargetKind

    @property
    def title(self) -> str:
        """The task's title on one line; it comes from whoever owns the task."""
        return " ".join(self.config.text(self.config.title).split()) or self.task


class NoStarterError(InvalidError):
    """There is no starter of this kind for this task."""

    code = "models.no_starter"
