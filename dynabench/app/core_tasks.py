"""Sets up the core tasks at the start of an installation."""

from collections.abc import Sequence

from rich.console import Console

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.people.directory.service import UserDirectory

CORE_TASKS = ("nli", "qa", "sentiment", "hate-speech")
_ADMINISTRATOR = "admin"


async def set_up_core_tasks(
    wiring: Wiring, console: Console, *, slugs: Sequence[str] = CORE_TASKS
) -> None:
    """Make core tasks playable: each ends with an open first round.

    A task of this name that the installation did not make itself is left as it is.
    """
    tasks, set_ups = wiring.get(TaskService), wiring.get(SetUpService)
    for slug in slugs:
        folder = CatalogFolder(f"tasks/{slug}")
        try:
            task = await tasks.get(slug)
        except TaskNotFoundError:
            task = None
        if task is not None and (task.catalog_folder != folder.name or await set_ups.is_done(task)):
            continue
        console.print(f"Setting up the task [bold]{slug}[/] …")
        await set_ups.set_up(folder, slug, owner=await _administrator(wiring))


async def _administrator(wiring: Wiring) -> Actor:
    person = await wiring.get(UserDirectory).find(_ADMINISTRATOR)
    return Actor(user_id=person.id, username=person.username, is_admin=True)
