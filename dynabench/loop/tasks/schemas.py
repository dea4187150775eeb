"""Wire shapes of tasks."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.science.texts.wire_texts import OneLine

Slug = Annotated[str, Field(min_length=2, max_length=64, pattern=r"^[a-z0-9][a-z0-9-]*$")]
ConfigText = Annotated[str, Field(max_length=300_000, description="The task config, as YAML.")]


class TaskCreate(WireModel):
    """A new task from one YAML document; it starts as a draft."""

    slug: Slug
    config: ConfigText


class ConfigUpdate(WireModel):
    """A new version of the config, to use at once or only to keep for later."""

    config: ConfigText
    activate: bool = True


class ConfigCheck(WireModel):
    """A config to look over, as a new one or as the next version of a task's."""

    config: ConfigText
    task_slug: Slug | None = None


class TaskPatch(WireModel):
    """What owners change about a task beside its config."""

    is_open_to_everyone: bool | None = None
    visitors_may_try: bool | None = None


class ConfigProblemRead(WireModel):
    """One thing wrong with a config, with its place."""

    path: str
    line: int | None
    column: int | None = None
    message: str
    suggestion: str | None = None


class ConfigCheckRead(WireModel):
    """The result of checking a config.

    Attributes:
        config: What pages would render; None where there are problems.
        frozen_changes: What it changes although the task is active: it can be kept, but
            not be activated.
    """

    problems: list[ConfigProblemRead]
    config: Values | None
    frozen_changes: list[str] = []


class TaskSummary(WireModel):
    """A task in the list."""

    id: UUID
    slug: str
    title: str
    description: str
    status: TaskStatus
    language: str
    has_content_warning: bool
    is_open_to_everyone: bool
    visitors_may_try: bool
    created_at: datetime


class TaskRead(TaskSummary):
    """A task with its active config as pages render it, and the reader's role in it."""

    config: Values
    config_version: int
    my_role: TaskRole | None
    owners: list[str]


class ConfigVersionRead(WireModel):
    """One version of a task's config."""

    version: int
    config: str
    created_at: datetime
    created_by: str | None
    is_active: bool


class MemberRead(WireModel):
    """A person with a role in a task."""

    username: str
    role: TaskRole
    added_at: datetime


class MemberUpdate(WireModel):
    """The role to give."""

    role: TaskRole


class JoinLinkCreate(WireModel):
    """A link that gives its visitors a role in the task."""

    role: TaskRole = TaskRole.ANNOTATOR
    expires_in_days: Annotated[int, Field(ge=1, le=365)] = 14
    note: Annotated[
        OneLine, Field(max_length=200, description="Whom it is for; only owners see it.")
    ] = ""


class JoinLinkRead(WireModel):
    """A join link without its secret."""

    id: UUID
    role: TaskRole
    note: str = ""
    created_at: datetime
    expires_at: datetime
    uses: int


class JoinLinkCreated(JoinLinkRead):
    """A new join link; `path` is the page to send, shown this once.

    Attributes:
        public_url: The same as a whole address, where the operator has said the server's.
    """

    path: str
    public_url: str | None = None


class JoinedRead(WireModel):
    """What a join link gave."""

    task_slug: str
    role: TaskRole
