"""What can go wrong with tasks."""

from dynabench.kit.errors import ConflictError, ForbiddenError, LimitError, NotFoundError
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.science.task_config.problems import TaskConfigError

ConfigInvalidError = TaskConfigError


class TaskNotFoundError(NotFoundError):
    """There is no such task, or the actor may not know of it."""

    code = "tasks.not_found"

    def __init__(self, *, slug: str) -> None:
        super().__init__(f"There is no task “{slug}” here.", slug=slug)


class SlugTakenError(ConflictError):
    """Another task has this slug."""

    code = "tasks.slug_taken"

    def __init__(self, *, slug: str) -> None:
        message = f"A task “{slug}” is already here. Choose another slug."
        super().__init__(message, fields={"slug": message}, slug=slug)


class ConfigVersionNotFoundError(NotFoundError):
    """The task's config has no such version."""

    code = "tasks.config_version_not_found"

    def __init__(self, *, slug: str, version: int) -> None:
        super().__init__(
            f"The config of task “{slug}” has no version {version}. Look at the list of versions.",
            slug=slug,
            version=version,
        )


class ShapeFrozenError(ConflictError):
    """An active task's inputs, outputs or rule for a wrong model would change."""

    code = "tasks.shape_frozen"

    def __init__(self, *, changed: list[str]) -> None:
        names = ", ".join(changed)
        super().__init__(
            f"The task is active, so its fields and its rule for a wrong model are fixed, but "
            f"this config changes: {names}. Wording, weights and instructions may change; for "
            f"another shape create a new task.",
            changed=changed,
        )


class TooManyChecksError(LimitError):
    """So many of one person's configs are being checked that another one has to wait."""

    code = "tasks.too_many_checks"

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"{limit} of your configs are being checked already. Try again when one is done.",
            limit=limit,
        )


class TaskStateError(ConflictError):
    """The task is in a state in which this cannot be done."""

    code = "tasks.wrong_state"

    def __init__(self, *, slug: str, status: TaskStatus, wanted: str) -> None:
        super().__init__(
            f"Task “{slug}” is {status}; this needs it to be {wanted}.",
            slug=slug,
            status=status.value,
        )


class TaskRoleNeededError(ForbiddenError):
    """The actor lacks a role in the task."""

    code = "tasks.role_needed"

    def __init__(self, *, slug: str, role: TaskRole) -> None:
        super().__init__(
            f"This needs the role {role} in task “{slug}”. Ask one of its owners.",
            slug=slug,
            role=role.value,
        )


class OrderLapsedError(ForbiddenError):
    """Who ordered what waits may not order it any more, so that it was not begun."""

    code = "tasks.order_lapsed"

    def __init__(self, *, slug: str, role: TaskRole, username: str) -> None:
        super().__init__(
            f"{username} asked for this and may not do so any more: it needs the role {role} in "
            f"task “{slug}” and an account that is not disabled. Nothing was begun. Whoever has "
            f"the role can ask for it again.",
            slug=slug,
            role=role.value,
            username=username,
        )


class LastOwnerError(ConflictError):
    """The task would be left without an owner."""

    code = "tasks.last_owner"

    def __init__(self) -> None:
        super().__init__("This is the task's last owner. Make another one first.")


class JoinLinkInvalidError(NotFoundError):
    """The link has expired or was taken back."""

    code = "tasks.join_link_invalid"

    def __init__(self) -> None:
        super().__init__("This link has expired or was taken back. Ask the owner for a new one.")


class JoinLinkUsedError(NotFoundError):
    """The link gives a role and is older than the actor's loss of one."""

    code = "tasks.join_link_used"

    def __init__(self) -> None:
        super().__init__(
            "This link is older than an owner's word that took a role back from you. "
            "Ask the owner for a new one."
        )
