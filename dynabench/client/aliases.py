"""The names that documents once gave to methods; they still work, and say what to write now."""

import inspect
import warnings
from collections.abc import Callable
from typing import Any, Final

from dynabench.client.faces import AsyncFace

RENAMED: Final = {
    "cast_vote": "votes.cast",
    "create_model": "models.create",
    "current_round": "rounds.current",
    "delete_dataset": "datasets.delete",
    "delete_model": "models.delete",
    "download_dataset": "datasets.download",
    "download_media": "media.download",
    "download_split": "datasets.download_split",
    "each_context": "contexts.list",
    "each_outcome": "outcomes.list",
    "each_user": "users.list",
    "error_rate": "rounds.error_rate",
    "export_round": "rounds.export",
    "get_results": "models.results",
    "list_audit_entries": "audit.list",
    "list_contexts": "contexts.list",
    "list_datasets": "datasets.list",
    "list_evaluation_items": "evaluations.items",
    "list_evaluations": "evaluations.list",
    "list_notifications": "notifications.list",
    "list_tasks": "tasks.list",
    "next_context": "rounds.next_context",
    "next_to_validate": "votes.next",
    "publish_model": "models.publish",
    "read_errata": "datasets.errata",
    "read_model_log": "models.log",
    "read_notifications": "notifications.newest",
    "release_round": "releases.create",
    "retry_model": "models.retry",
    "submit_example": "examples.submit",
    "submit_model": "models.submit",
    "submit_predictions": "models.submit_predictions",
    "train": "trainings.create",
    "upload_artifact": "models.upload",
    "upload_contexts": "contexts.upload",
    "upload_dataset": "datasets.upload",
    "upload_media": "media.upload",
    "wait_for_job": "jobs.wait",
    "wait_for_model": "models.wait",
    "watch_job": "jobs.watch",
    "watch_jobs": "jobs.watch_all",
    "watch_round": "rounds.watch",
    "watch_task": "tasks.watch",
    "watch_training": "trainings.watch",
    "withdraw_model": "models.withdraw",
}


# What an old name did, the new one types.
def renamed(client: Any, name: str) -> Callable[..., Any]:
    """Return what an old name stands for, with a warning.

    Raises:
        AttributeError: If there never was such a name.
    """
    if name not in RENAMED:
        nouns = ", ".join(name for name in vars(client) if not name.startswith("_"))
        message = f"the client has no {name!r}; it has {nouns}"
        raise AttributeError(message, name=name, obj=client)
    new = RENAMED[name]
    warnings.warn(f"client.{name}(…) is now client.{new}(…)", DeprecationWarning, stacklevel=2)
    noun, _, verb = new.partition(".")
    method = getattr(getattr(client, noun), verb)

    def call(*given: Any, **more: Any) -> Any:
        if "progress" in more:
            more["on_progress"] = more.pop("progress")
        return method(*given, **more)

    async def call_for_id(*given: Any, **more: Any) -> Any:
        return (await call(*given, **more)).id

    if name != "submit_model":
        return call
    # It returned an id alone.
    is_async = isinstance(client, AsyncFace)
    return call_for_id if is_async else lambda *given, **more: call(*given, **more).id


# What it was told with is the old program's business.
def old_argument(given: dict[str, object], name: str, *, new: str) -> Callable[..., Any] | None:
    """Take an argument of an old name out of what was given; warns if it is there.

    Raises:
        TypeError: If it is no function.
    """
    told = given.pop(name, None)
    if told is None:
        return None
    if not callable(told):
        message = f"{name} must be a function"
        raise TypeError(message)
    level, frame = 1, inspect.currentframe()
    # The warning names the line of the program, and the faces lie between in two ways.
    while frame is not None and frame.f_globals.get("__name__", "").startswith("dynabench."):
        level, frame = level + 1, frame.f_back
    warnings.warn(f"{name}=… is now {new}", DeprecationWarning, stacklevel=level)
    return told
