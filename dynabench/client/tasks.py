"""Calls about tasks."""

from pathlib import Path
from typing import BinaryIO

from dynabench.client.addresses import TaskRef
from dynabench.client.calls import create, get, patch, path, post, shape
from dynabench.client.files import OnProgress, download
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Watching
from dynabench.client.steps import Steps
from dynabench.client.watching import Subscription
from dynabench.kit.wire import Values
from dynabench.loop.leaderboards.live.schemas import TaskNumbersRead
from dynabench.loop.tasks.schemas import (
    ConfigCheck,
    ConfigCheckRead,
    ConfigUpdate,
    ConfigVersionRead,
    TaskCreate,
    TaskPatch,
    TaskRead,
    TaskSummary,
)


class TaskCalls(Calls[FaceT]):
    """Questions put to models; a task is named by its slug, such as `nli`.

    Example::

        print(client.tasks["nli"].title)
    """

    @Endpoint
    def list(self) -> Steps[Table[TaskSummary]]:
        """List active tasks, and drafts and archived ones of which one is a member."""
        return get(path("tasks"), Table[TaskSummary])

    @Endpoint
    def get(self, task: TaskRef) -> Steps[TaskRead]:
        """Show a task with its active config."""
        return get(path("tasks", task), TaskRead)

    @Endpoint
    def create(
        self, task: TaskRef, config: str, *, idempotency_key: str | None = None
    ) -> Steps[TaskRead]:
        """Create a draft task from a config's YAML text (administrators)."""
        body = shape(TaskCreate, {"slug": task, "config": config})
        return create(path("tasks"), TaskRead, body, key=idempotency_key)

    @Endpoint
    def update(
        self,
        task: TaskRef,
        *,
        is_open_to_everyone: bool | None = None,
        visitors_may_try: bool | None = None,
    ) -> Steps[TaskRead]:
        """Open a task to everyone or to its members only, and let visitors try (owners)."""
        body = shape(
            TaskPatch,
            {"is_open_to_everyone": is_open_to_everyone, "visitors_may_try": visitors_may_try},
        )
        return patch(path("tasks", task), TaskRead, body)

    @Endpoint
    def activate(self, task: TaskRef) -> Steps[TaskRead]:
        """Open a draft task to everyone; freezes its inputs and outputs (owners)."""
        return post(path("tasks", task, "activate"), TaskRead)

    @Endpoint
    def archive(self, task: TaskRef) -> Steps[TaskRead]:
        """Archive a task: readable, closed to everything new (owners)."""
        return post(path("tasks", task, "archive"), TaskRead)

    @Endpoint
    def export(
        self,
        task: TaskRef,
        to: str | Path | BinaryIO,
        *,
        on_progress: OnProgress | None = None,
    ) -> Steps[int]:
        """Download a whole task, for `dynabench task import` elsewhere; returns its bytes (owners).

        People travel as ids, without their names. The server writes the file before it sends
        it: give the client a longer `timeout_seconds` for a large task.

        Args:
            task: The task, by its slug.
            to: The file to write, by its path or open.
            on_progress: Told the bytes that came, and of how many.
        """
        return download(path("tasks", task, "export"), to, on_progress=on_progress)

    @Endpoint
    def numbers(self, task: TaskRef) -> Steps[TaskNumbersRead]:
        """Show how a task's latest round goes."""
        return get(path("tasks", task, "numbers"), TaskNumbersRead)

    @Watching
    def watch(self, task: TaskRef) -> Subscription[TaskNumbersRead]:
        """Watch the numbers of a task's latest round change."""
        return Subscription(path("tasks", task, "live"), TaskNumbersRead)

    __getitem__ = get


class ConfigCalls(Calls[FaceT]):
    """The versions of a task's config.

    Example::

        problems = client.configs.check(yaml_text, task="nli").problems
    """

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[ConfigVersionRead]]:
        """List the versions of a task's config, newest first (owners)."""
        return get(path("tasks", task, "configs"), Table[ConfigVersionRead])

    @Endpoint
    def get(self, task: TaskRef, version: int) -> Steps[ConfigVersionRead]:
        """Show one version of a task's config (owners)."""
        return get(path("tasks", task, "configs", version), ConfigVersionRead)

    @Endpoint
    def create(self, task: TaskRef, config: str, *, activate: bool = True) -> Steps[TaskRead]:
        """Store a new version of the config; unless told otherwise it becomes active (owners)."""
        body = shape(ConfigUpdate, {"config": config, "activate": activate})
        return post(path("tasks", task, "configs"), TaskRead, body)

    @Endpoint
    def activate(self, task: TaskRef, version: int) -> Steps[TaskRead]:
        """Make a stored version of the config the active one, newer or older (owners)."""
        return post(path("tasks", task, "configs", version, "activate"), TaskRead)

    @Endpoint
    def check(self, config: str, *, task: TaskRef | None = None) -> Steps[ConfigCheckRead]:
        """Check a config's YAML text without storing it, as a task's next version if named."""
        body = shape(ConfigCheck, {"config": config, "task_slug": task})
        return post(path("task-config-checks"), ConfigCheckRead, body)

    @Endpoint
    def schema(self) -> Steps[Values]:
        """Return the JSON schema of task configs, for editors."""
        return get(path("task-config.schema.json"), Values)
