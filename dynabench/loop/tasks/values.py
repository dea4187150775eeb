"""Ids and states of tasks."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.science.task_config.schema import TaskConfig

TaskId = NewType("TaskId", UUID)


class TaskStatus(StrEnum):
    """Where a task stands."""

    DRAFT = "draft"
    ACTIVE = "active"
    ARCHIVED = "archived"


class TaskRole(StrEnum):
    """What a member may do in one task; each role includes those after it."""

    OWNER = "owner"
    EXPERT = "expert"
    ANNOTATOR = "annotator"


@dataclass(frozen=True, slots=True)
class Task:
    """A task with its active config.

    Attributes:
        config_version: The version of `config`; versions count from 1.
        is_open_to_everyone: Whether everybody with an account annotates and validates,
            or members only.
        visitors_may_try: Whether the targets of an open round answer people without an account.
        catalog_folder: The folder of the catalogue that it was made from, such as
            `tasks/nli`; its starter data lies there.
    """

    id: UUID
    slug: str
    status: TaskStatus
    config: TaskConfig
    config_version: int
    is_open_to_everyone: bool = True
    visitors_may_try: bool = True
    catalog_folder: str | None = None
