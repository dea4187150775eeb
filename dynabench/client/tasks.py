"""Calls about tasks."""

from dynabench.client.calls import Id, create, delete, get, patch, path, post, put, shape
from dynabench.client.links import JoinLink, make_link, secret_of
from dynabench.client.methods import Endpoint
from dynabench.client.steps import Steps
from dynabench.kit.wire import Values
from dynabench.loop.tasks.schemas import (
    ConfigCheck,
    ConfigCheckRead,
    ConfigUpdate,
    ConfigVersionRead,
    JoinedRead,
    JoinLinkCreate,
    JoinLinkRead,
    MemberRead,
    MemberUpdate,
    TaskCreate,
    TaskPatch,
    TaskRead,
    TaskSummary,
)


class TaskCalls:
    """Questions put to models; a task is named by its slug, such as `nli`."""

    @Endpoint
    def list_tasks(self) -> Steps[list[TaskSummary]]:
        """List active tasks, and drafts and archived ones of which one is a member."""
        return get(path("tasks"), list[TaskSummary])

    @Endpoint
    def read_task(self, task: str) -> Steps[TaskRead]:
        """Show a task with its active config."""
        return get(path("tasks", task), TaskRead)

    @Endpoint
    def create_task(
        self, task: str, config: str, *, idempotency_key: str | None = None
    ) -> Steps[TaskRead]:
        """Create a draft task from a config's YAML text (administrators)."""
        body = shape(TaskCreate, {"slug": task, "config": config})
        return create(path("tasks"), TaskRead, body, key=idempotency_key)

    @Endpoint
    def check_config(self, config: str, *, task: str | None = None) -> Steps[ConfigCheckRead]:
        """Check a config's YAML text without storing it, as a task's next version if named."""
        body = shape(ConfigCheck, {"config": config, "task_slug": task})
        return post(path("task-config-checks"), ConfigCheckRead, body)

    @Endpoint
    def read_config_schema(self) -> Steps[Values]:
        """Return the JSON schema of task configs, for editors."""
        return get(path("task-config.schema.json"), Values)

    @Endpoint
    def list_configs(self, task: str) -> Steps[list[ConfigVersionRead]]:
        """List the versions of a task's config, newest first (owners)."""
        return get(path("tasks", task, "configs"), list[ConfigVersionRead])

    @Endpoint
    def read_config(self, task: str, version: int) -> Steps[ConfigVersionRead]:
        """Show one version of a task's config (owners)."""
        return get(path("tasks", task, "configs", version), ConfigVersionRead)

    @Endpoint
    def update_config(self, task: str, config: str, *, activate: bool = True) -> Steps[TaskRead]:
        """Store a new version of the config; unless told otherwise it becomes active (owners)."""
        body = shape(ConfigUpdate, {"config": config, "activate": activate})
        return post(path("tasks", task, "configs"), TaskRead, body)

    @Endpoint
    def activate_config(self, task: str, version: int) -> Steps[TaskRead]:
        """Make a stored version of the config the active one, newer or older (owners)."""
        return post(path("tasks", task, "configs", version, "activate"), TaskRead)

    @Endpoint
    def activate_task(self, task: str) -> Steps[TaskRead]:
        """Open a draft task to everyone; freezes its inputs and outputs (owners)."""
        return post(path("tasks", task, "activate"), TaskRead)

    @Endpoint
    def archive_task(self, task: str) -> Steps[TaskRead]:
        """Archive a task: readable, closed to everything new (owners)."""
        return post(path("tasks", task, "archive"), TaskRead)

    @Endpoint
    def change_task(
        self,
        task: str,
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
    def list_members(self, task: str) -> Steps[list[MemberRead]]:
        """List the members of a task (owners)."""
        return get(path("tasks", task, "members"), list[MemberRead])

    @Endpoint
    def set_member(self, task: str, username: str, *, role: str) -> Steps[MemberRead]:
        """Give a person the role `owner`, `expert` or `annotator` in a task (owners)."""
        body = shape(MemberUpdate, {"role": role})
        return put(path("tasks", task, "members", username), MemberRead, body)

    @Endpoint
    def remove_member(self, task: str, username: str) -> Steps[None]:
        """Take a person's role in a task away (owners)."""
        return delete(path("tasks", task, "members", username))

    @Endpoint
    def list_join_links(self, task: str) -> Steps[list[JoinLinkRead]]:
        """List the join links of a task (owners)."""
        return get(path("tasks", task, "join-links"), list[JoinLinkRead])

    @Endpoint
    def create_join_link(
        self, task: str, *, role: str = "annotator", expires_in_days: int = 14
    ) -> Steps[JoinLink]:
        """Make a link that gives its visitors a role in the task (owners)."""
        body = shape(JoinLinkCreate, {"role": role, "expires_in_days": expires_in_days})
        return make_link(path("tasks", task, "join-links"), JoinLink, body)

    @Endpoint
    def revoke_join_link(self, task: str, link_id: Id) -> Steps[None]:
        """Take a join link back (owners)."""
        return delete(path("tasks", task, "join-links", link_id))

    @Endpoint
    def join(self, link: str) -> Steps[JoinedRead]:
        """Take the role that a join link gives: its `url`, its `path` or its `secret`."""
        return post(path("join-links", secret_of(link)), JoinedRead)
