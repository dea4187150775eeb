"""Use cases of the gallery: look at it, add a task from it."""

from importlib.resources import files
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.loop.interchange.gallery.errors import (
    GalleryEntryNotFoundError,
    GalleryOrderLapsedError,
)
from dynabench.loop.interchange.gallery.rules import material_of
from dynabench.loop.interchange.gallery.schemas import GalleryAdd, GalleryEntryRead
from dynabench.loop.interchange.gallery.values import ADD_TASK, AddOrder
from dynabench.loop.interchange.setups.service import SetUpService, Tell
from dynabench.loop.interchange.setups.values import CatalogFolder
from dynabench.loop.tasks.errors import SlugTakenError, TaskNotFoundError
from dynabench.loop.tasks.lookup.service import parse_config
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.directory.service import UserDirectory
from dynabench.people.permissions import require_admin

_ROOT = "gallery"
# Who runs an installation may not read the language of its tasks.
_LANGUAGE = "en"


def gallery_folders() -> dict[str, CatalogFolder]:
    """Return the gallery's tasks by name, sorted."""
    places = files("dynabench.catalog").joinpath(_ROOT).iterdir()
    folders = {place.name: CatalogFolder(f"{_ROOT}/{place.name}") for place in places}
    return {name: one for name, one in sorted(folders.items()) if one.exists()}


class GalleryService:
    """Shows administrators the tasks that the package brings, and adds them."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        directory: UserDirectory,
        set_ups: SetUpService,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._directory = directory
        self._set_ups = set_ups
        self._queue = queue

    async def add(
        self, name: str, body: GalleryAdd, *, actor: Actor, key: RequestKey | None
    ) -> JobRead:
        """Ask for a task to be added; a job writes it, trains its models and opens a round.

        A task whose set-up was stopped can be asked for again.

        Raises:
            AdminNeededError: If the actor is no administrator.
            GalleryEntryNotFoundError: If the gallery has no such task.
            SlugTakenError: If a task is called so already.
        """
        require_admin(actor)
        assert actor.user_id is not None, "an administrator is signed in"
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
                if done is not None:
                    return await self._job(session, done)
        folder = _folder(name)
        slug = body.slug or name
        await self._require_free(slug, folder)
        order = AddOrder(entry=name, slug=slug, asked_by=actor.user_id)
        try:
            async with self._db.transaction() as session:
                job_id = await self._queue.enqueue(
                    session, ADD_TASK, order.payload(), created_by=actor.user_id
                )
                if key is not None:
                    await claim(session, key, job_id)
                return await self._job(session, job_id)
        except AlreadyDone as already:
            async with self._db.read() as session:
                return await self._job(session, already.resource_id)

    async def require_author(self, order: AddOrder) -> None:
        """Refuse to begin for somebody who administrates no longer.

        Raises:
            GalleryOrderLapsedError: If they lost that, or their account is disabled.
        """
        author = (await self._directory.people([order.asked_by]))[order.asked_by]
        if not author.is_admin or author.disabled_at is not None:
            raise GalleryOrderLapsedError(username=author.username)

    async def run(self, order: AddOrder, *, tell: Tell) -> Task:
        """Do what a job was ordered.

        Raises:
            SlugTakenError: If another task was faster.
        """
        names = await self._directory.usernames([order.asked_by])
        owner = Actor(user_id=order.asked_by, username=names[order.asked_by], is_admin=True)
        return await self._set_ups.set_up(_folder(order.entry), order.slug, owner=owner, tell=tell)

    async def _require_free(self, slug: str, folder: CatalogFolder) -> None:
        try:
            task = await self._tasks.get(slug)
        except TaskNotFoundError:
            return
        if task.catalog_folder != folder.name or await self._set_ups.is_done(task):
            raise SlugTakenError(slug=slug)

    async def _describe(
        self, name: str, folder: CatalogFolder, added: dict[str, list[str]]
    ) -> GalleryEntryRead:
        config = await parse_config(folder.config())
        return GalleryEntryRead(
            name=name,
            title=config.text(config.title, _LANGUAGE) or name,
            description=config.text(config.description, _LANGUAGE),
            language=config.language,
            material=material_of(config),
            principal_metric=config.perf_metrics[0].name,
            contexts=folder.context_count(),
            has_content_warning=config.content_warning is not None,
            tasks=added.get(folder.name, []),
        )

    async def _job(self, session: Session, job_id: UUID) -> JobRead:
        return JobRead.model_validate(await self._queue.get(session, job_id))

    # Last, so that above it `list` still is the built-in type.
    async def list(self, *, actor: Actor) -> list[GalleryEntryRead]:
        """Return what can be added, with the tasks that were added before.

        Raises:
            AdminNeededError: If the actor is no administrator.
        """
        require_admin(actor)
        added = await self._tasks.slugs_by_catalog_folder()
        return [
            await self._describe(name, folder, added) for name, folder in gallery_folders().items()
        ]


def _folder(name: str) -> CatalogFolder:
    known = gallery_folders()
    if name not in known:
        raise GalleryEntryNotFoundError(name=name[:100], known=[*known])
    return known[name]
