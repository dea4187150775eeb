"""Ids and states of tasks."""

from enum import StrEnum
from typing import NewType
from uuid import UUID

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
