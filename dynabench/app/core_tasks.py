"""Sets up the core tasks: config, starter contexts, a target trained on the starter data.

Each step looks first whether it has been done, so that it can be interrupted anywhere and
run again at every start.
"""

from collections.abc import Sequence
from importlib.resources import files
from uuid import UUID

from rich.console import Console

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.uploads.rules import read_line
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.schemas import RoundCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.training.service import TrainingService
from dynabench.people.directory.service import UserDirectory

CORE_TASKS = ("nli", "qa", "sentiment", "hate-speech")
STARTER_MODEL = "starter"


def catalog_text(slug: str, name: str) -> str:
    """Return a file of a core task's folder."""
    folder = files("dynabench.catalog").joinpath("tasks", slug)
    return folder.joinpath(name).read_text(encoding="utf-8")


async def set_up_core_tasks(
    wiring: Wiring, console: Console, *, slugs: Sequence[str] = CORE_TASKS
) -> None:
    """Make core tasks playable: each ends with an open first round."""
    for slug in slugs:
        await _CoreTask(wiring, console, slug).set_up()


class _CoreTask:
    """One core task on its way to an open round."""

    def __init__(self, wiring: Wiring, console: Console, slug: str) -> None:
        self._wiring = wiring
        self._console = console
        self._slug = slug
        self._tasks = wiring.get(TaskService)
        self._rounds = wiring.get(RoundService)

    async def set_up(self) -> None:
        """Do what is not done yet."""
        task = await self._tasks.ensure(self._slug, catalog_text(self._slug, "task.yaml"))
        rounds = await self._rounds.of_task(task.id)
        if any(one.status is not RoundStatus.DRAFT for one in rounds):
            return
        self._console.print(f"Setting up the task [bold]{self._slug}[/] …")
        await self._add_owner()
        await self._add_contexts(task)
        await self._train_target(task)
        await self._open_round(task)

    async def _add_owner(self) -> None:
        administrator = await self._administrator()
        await self._wiring.get(MemberService).set_role(
            self._slug,
            username=administrator.username,
            role=TaskRole.OWNER,
            actor=administrator,
        )

    async def _add_contexts(self, task: Task) -> None:
        contexts = self._wiring.get(ContextService)
        lines = catalog_text(self._slug, "contexts.jsonl").encode().splitlines()
        items = [read_line(line, check_content=task.config.check_context) for line in lines]
        async with self._wiring.db.transaction() as session:
            await contexts.add(session, task_id=task.id, items=items)

    async def _train_target(self, task: Task) -> None:
        models = self._wiring.get(ModelService)
        if await models.newest_ready(task.id) is not None:
            return
        await self._wiring.get(TrainingService).train_starter(task, name=STARTER_MODEL)

    async def _open_round(self, task: Task) -> None:
        model = await self._wiring.get(ModelService).newest_ready(task.id)
        assert model is not None, "the target was just trained"
        administrator = await self._administrator()
        # A set-up that was interrupted may have left its draft.
        left = [one.id for one in await self._rounds.of_task(task.id) if one.target_model_ids]
        draft_id = left[-1] if left else await self._draft_round(task, model.id, administrator)
        await self._rounds.open(draft_id, actor=administrator)

    async def _draft_round(self, task: Task, model_id: UUID, administrator: Actor) -> UUID:
        draft = await self._rounds.create(
            task.slug,
            RoundCreate(target_model_ids=[model_id]),
            actor=administrator,
            key=None,
        )
        return draft.id

    async def _administrator(self) -> Actor:
        person = await self._wiring.get(UserDirectory).find("admin")
        return Actor(user_id=person.id, username=person.username, is_admin=True)
