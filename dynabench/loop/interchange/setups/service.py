"""Makes a task of the catalogue playable.

Each step looks first whether it has been done, so that it can be interrupted anywhere and
run again.
"""

import asyncio
import base64
import json
import tempfile
from collections.abc import Awaitable, Callable
from importlib.resources import as_file
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.uploads.rules import read_line
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.media.service import MediaService
from dynabench.loop.media.values import MediaFile
from dynabench.loop.models.values import ModelPurpose
from dynabench.loop.rounds.schemas import RoundCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.errors import SlugTakenError
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.training.service import TrainingService

_WRITING = Phrase("doing.writing_task", "writing the task").say()
_STORING = Phrase("doing.storing_contexts", "storing contexts").say()
_OPENING = Phrase("doing.opening_round", "opening the first round").say()

Tell: TypeAlias = Callable[[float, str], Awaitable[None]]
"""Called with the share done, 0 to 1, and what is being done."""

_SAYS_WHICH_FILE = frozenset(("file", "media", "media_type", "data"))
_CONTEXTS_SHARE = 0.15
_MODELS_SHARE = 0.95


async def tell_nobody(share: float, doing: str) -> None:
    """Report to nobody."""


class SetUpService:
    """Turns a folder of the catalogue into a task with an owner and an open first round."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        members: MemberService,
        media: MediaService,
        contexts: ContextService,
        rounds: RoundService,
        training: TrainingService,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._members = members
        self._media = media
        self._contexts = contexts
        self._rounds = rounds
        self._training = training

    async def is_done(self, task: Task) -> bool:
        """Tell whether a task has left its set-up behind: a round of it is or was open."""
        rounds = await self._rounds.of_task(task.id)
        return any(one.status is not RoundStatus.DRAFT for one in rounds)

    async def set_up(
        self, folder: CatalogFolder, slug: str, *, owner: Actor, tell: Tell = tell_nobody
    ) -> Task:
        """Do what is not done yet.

        Args:
            folder: Where the task comes from.
            slug: What it is called here.
            owner: The administrator whom it will belong to.
            tell: Hears how far it is.

        Raises:
            SlugTakenError: If another task is called so.
        """
        await tell(0.0, _WRITING)
        task = await self._tasks.ensure(slug, folder.config(), catalog_folder=folder.name)
        if task.catalog_folder != folder.name:
            raise SlugTakenError(slug=slug)
        if await self.is_done(task):
            return task
        await self._members.set_role(
            slug, username=owner.username, role=TaskRole.OWNER, actor=owner
        )
        await tell(_CONTEXTS_SHARE / 2, _STORING)
        await self._add_contexts(task, folder)
        targets = await self._train(task, folder, tell)
        await tell(_MODELS_SHARE, _OPENING)
        await self._open_round(task, folder, targets, owner)
        await tell(1.0, "")
        return task

    async def _add_contexts(self, task: Task, folder: CatalogFolder) -> None:
        drawn = await asyncio.to_thread(folder.context_lines)
        lines = await asyncio.gather(*(self._with_files(line, folder) for line in drawn))
        items = [read_line(line, check_content=task.config.check_context) for line in lines]
        async with self._db.transaction() as session:
            await self._contexts.add(session, task_id=task.id, items=items)

    async def _with_files(self, line: bytes, folder: CatalogFolder) -> bytes:
        """Return a context's line with each file of the folder, or drawn, stored as media.

        That is `{"file": …}`, or what a model is sent of a file, `{"data": …}`.
        """
        said = json.loads(line)
        content: Values = said["context"]
        for name, value in content.items():
            if not isinstance(value, dict):
                continue
            kept = await self._keep(value, folder)
            if kept is not None:
                rest = {key: one for key, one in value.items() if key not in _SAYS_WHICH_FILE}
                content = {**content, name: {"media": kept.digest, **rest}}
        return json.dumps({**said, "context": content}).encode()

    async def _keep(self, value: Values, folder: CatalogFolder) -> MediaFile | None:
        if "file" in value:
            place = folder.place.joinpath(*str(value["file"]).split("/"))
            with as_file(place) as path:
                return await self._media.keep(path)
        if "data" in value:
            with tempfile.TemporaryDirectory(prefix="dynabench-media-") as name:
                drawn = Path(name) / "drawn"
                drawn.write_bytes(base64.b64decode(str(value["data"])))
                return await self._media.keep(drawn)
        return None

    async def _train(self, task: Task, folder: CatalogFolder, tell: Tell) -> list[UUID]:
        """Train every model that the task starts with and return its targets."""
        models = folder.models()
        width = (_MODELS_SHARE - _CONTEXTS_SHARE) / len(models)
        targets: list[UUID] = []
        for number, model in enumerate(models):
            start = _CONTEXTS_SHARE + width * number

            async def progress(done: float, total: float, doing: str, at: float = start) -> None:
                await tell(at + width * done / total, doing)

            trained = await self._training.train_starter(task, model, progress=progress)
            if model.purpose is ModelPurpose.TARGET:
                targets.append(trained.id)
        return targets

    async def _open_round(
        self, task: Task, folder: CatalogFolder, targets: list[UUID], owner: Actor
    ) -> None:
        # A set-up that was interrupted may have left its draft.
        left = [one.id for one in await self._rounds.of_task(task.id) if one.target_model_ids]
        if not left:
            body = RoundCreate.model_validate(
                {**folder.round_settings(), "target_model_ids": targets}
            )
            draft = await self._rounds.create(task.slug, body, actor=owner, key=None)
            left = [draft.id]
        await self._rounds.open(left[-1], actor=owner)
