"""Submissions for tests: what a builder packs, and the services that take and check it."""

import io
import zipfile
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Self
from uuid import UUID

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.jobs.allotment import JobHours
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.sandbox.archives import ArchiveLimits, unpack_archive
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.datasets.uploads.files.service import kept_of_task
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.models.submissions.care.service import CareService
from dynabench.loop.models.submissions.inspections.service import InspectionService
from dynabench.loop.models.submissions.schemas import SubmissionCreate
from dynabench.loop.models.submissions.service import SubmissionService
from dynabench.loop.models.submissions.values import ChooseIsolation, SubmissionLimits
from dynabench.loop.models.values import ModelIsolation, ModelKind, ModelStatus
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.notifications.service import NotificationService
from tests.factories.models import always, make_model_service

HANDLER = "def predict(batch):\n    return [{'label': 'neutral'} for _ in batch]\n"
CARD = {
    "intended_use": "Research.",
    "training_data": "None.",
    "limitations": "Always answers the same.",
    "licence": "MIT",
}


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive of some files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # Without the time of day: the same files are the same bytes.
            archive.writestr(zipfile.ZipInfo(name), content)
    return data.getvalue()


async def in_pieces(data: bytes, size: int = 7_000) -> AsyncIterator[bytes]:
    """Give bytes as a request brings them."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


def _limits(
    home: Path, max_bytes: int, per_day: int, kept: tuple[int, int | None]
) -> SubmissionLimits:
    return SubmissionLimits(
        max_bytes=max_bytes,
        per_day=per_day,
        spool=home / "incoming",
        kept_bytes_per_person=kept[0],
        kept_bytes_per_task=kept[1],
    )


def _quota(limits: SubmissionLimits) -> FileQuota:
    return FileQuota(limits=limits, kept_elsewhere=kept_of_task)


@dataclass
class Steps:
    """A job's progress and log, as an inspection writes them."""

    lines: list[str] = field(default_factory=list)

    async def progress(self, done: float, total: float, message: str = "") -> None:
        del done, total, message

    async def log(self, line: str) -> None:
        self.lines.append(line)


@dataclass(frozen=True)
class Desk:
    """Where models are handed in: the services over one database and one folder of files."""

    db: Database
    task: Task
    models: ModelService
    submissions: SubmissionService
    care: CareService
    inspections: InspectionService
    blobs: FolderBlobStore

    @classmethod
    def of(
        cls,
        db: Database,
        clock: Clock,
        task: Task,
        home: Path,
        *,
        factory: TargetFactory | None = None,
        isolate: ChooseIsolation = lambda: ModelIsolation.SANDBOX,
        per_day: int = 10,
        max_bytes: int = 1_000_000,
        kept_by_person: int = 1_000_000_000,
        kept_by_task: int | None = None,
        hours: JobHours | None = None,
        pauses_seconds: Sequence[float] = (0.0,),
    ) -> Self:
        """Put the services together; models answer `label: neutral` unless a test says how."""
        blobs, factory = FolderBlobStore(home / "blobs"), factory or always(label="neutral")
        tasks, queue = TaskService(db, clock), JobQueue(hours=hours)
        models = make_model_service(db, clock, factory=factory, blobs=blobs)
        limits = _limits(home, max_bytes, per_day, (kept_by_person, kept_by_task))
        artifacts = ArtifactStore(blobs=blobs, limits=limits)
        submissions = SubmissionService(
            db=db,
            clock=clock,
            tasks=tasks,
            models=models,
            artifacts=artifacts,
            queue=queue,
            limits=limits,
            quota=_quota(limits),
            isolate=isolate,
            allowed_hosts=frozenset({"127.0.0.1"}),
        )
        inspections = InspectionService(
            db=db,
            clock=clock,
            tasks=tasks,
            artifacts=artifacts,
            quota=_quota(limits),
            unpack=partial(unpack_archive, limits=ArchiveLimits(max_bytes=2 * max_bytes)),
            factory=factory,
            queue=queue,
            notifications=NotificationService(db, clock),
            pauses_seconds=pauses_seconds,
        )
        care = CareService(
            db=db, clock=clock, tasks=tasks, models=models, submissions=submissions, queue=queue
        )
        return cls(db, task, models, submissions, care, inspections, blobs)

    async def submit(
        self,
        actor: Actor,
        *,
        name: str = "mine",
        kind: ModelKind = ModelKind.HANDLER,
        options: Values | None = None,
        is_anonymous: bool = False,
    ) -> ModelRead:
        """Begin a submission."""
        body = SubmissionCreate(
            name=name, kind=kind, options=options or {}, is_anonymous=is_anonymous
        )
        return await self.submissions.create(self.task.slug, body, actor=actor, key=None)

    async def upload(
        self, model_id: UUID, actor: Actor, files: Mapping[str, str | bytes] | bytes | None = None
    ) -> ModelRead:
        """Send files: an archive of some, bytes as they are, or a handler that works."""
        data = files if isinstance(files, bytes) else zipped(files or {"model.py": HANDLER})
        return await self.submissions.upload(
            model_id, chunks=in_pieces(data), announced_bytes=len(data), actor=actor
        )

    async def check(self, model_id: UUID, steps: Steps | None = None) -> ModelStatus | None:
        """Do what the job does."""
        return await self.inspections.inspect(model_id, steps=steps or Steps())

    async def hand_in(
        self,
        actor: Actor,
        *,
        name: str = "mine",
        files: Mapping[str, str | bytes] | None = None,
    ) -> ModelRead:
        """Submit a handler, send its files and check it."""
        model = await self.submit(actor, name=name)
        await self.upload(model.id, actor, files)
        await self.check(model.id)
        return await self.models.read(model.id, actor=actor)
