"""Files of items for tests, and the services that read them."""

import json
import tempfile
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.row_files.values import RowFormat
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.perturbing import jobs as perturbing_jobs
from dynabench.loop.datasets.perturbing.runs.service import PerturbationRunner
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.storing.service import VersionWriter
from dynabench.loop.datasets.uploads import jobs
from dynabench.loop.datasets.uploads.files.service import SentFiles, kept_of_task
from dynabench.loop.datasets.uploads.imports.service import DatasetImporter
from dynabench.loop.datasets.uploads.schemas import DatasetCreate, DatasetImportRead
from dynabench.loop.datasets.uploads.service import UploadService
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.submissions.values import SubmissionLimits
from dynabench.loop.tasks.values import Task
from tests.factories.datasets import Chapters
from tests.factories.media import make_media_resolver


def rows(count: int, *, split: str = "test", start: int = 0) -> list[dict[str, object]]:
    """Return rows of an inference task, all different."""
    labels = ("entailment", "neutral", "contradiction")
    return [
        {
            "premise": f"Premise {number // 2}.",
            "hypothesis": f"Hypothesis {number}.",
            "label": labels[number % 3],
            "split": split,
        }
        for number in range(start, start + count)
    ]


def as_lines(found: Iterable[Mapping[str, object]]) -> bytes:
    """Write rows as JSON lines."""
    return "".join(f"{json.dumps(one)}\n" for one in found).encode()


async def in_pieces(data: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    """Give bytes as a network does."""
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def ignore(done: float, total: float, message: str) -> None:
    """Tell nobody."""


def _sent_files(db: Database, folder: Path, *, kept_by_task: int | None) -> SentFiles:
    blobs = FolderBlobStore(folder)
    limits = SubmissionLimits(
        max_bytes=1, per_day=1, spool=folder / "incoming", kept_bytes_per_task=kept_by_task
    )
    return SentFiles(
        db=db,
        blobs=blobs,
        artifacts=ArtifactStore(blobs=blobs, limits=limits),
        quota=FileQuota(limits=limits, kept_elsewhere=kept_of_task),
        leftovers=Leftovers(db=db, blobs=blobs),
    )


@dataclass(frozen=True)
class Uploads:
    """What an upload passes through, as server and worker have it."""

    db: Database
    chapters: Chapters
    files: SentFiles
    service: UploadService
    writer: VersionWriter
    importer: DatasetImporter
    perturbations: PerturbationService
    perturber: PerturbationRunner

    @classmethod
    def over(
        cls, db: Database, clock: Clock, *, folder: Path, kept_by_task: int | None = None
    ) -> Self:
        """Put the services together over a database and a folder for the files."""
        chapters = Chapters.over(db, clock)
        files = _sent_files(db, folder, kept_by_task=kept_by_task)
        writer = VersionWriter(db=db, clock=clock, publisher=Publisher(queue=chapters.queue))
        tasks, datasets, queue = chapters.tasks, chapters.datasets, chapters.queue
        service = UploadService(db=db, tasks=tasks, datasets=datasets, files=files, queue=queue)
        return cls(
            db=db,
            chapters=chapters,
            files=files,
            service=service,
            writer=writer,
            importer=DatasetImporter(
                tasks=chapters.tasks,
                files=files,
                media=make_media_resolver(db, clock),
                writer=writer,
            ),
            perturbations=PerturbationService(
                db=db, tasks=tasks, datasets=datasets, files=files, queue=queue
            ),
            perturber=PerturbationRunner(
                tasks=tasks, datasets=datasets, files=files, writer=writer
            ),
        )

    async def send(self, task: Task, data: bytes) -> str:
        """Keep a file for a task; returns its digest."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            return await self.files.keep(task.id, Path(file.name), created_by=None)

    async def order(self, task: Task, data: bytes, **given: object) -> DatasetCreate:
        """Keep a file for a task, and return the order to import it."""
        known = {"row_format": RowFormat.JSONL, "name": "Mine", "licence": "CC0"}
        return DatasetCreate.model_validate({**known, **given, "file": await self.send(task, data)})

    async def bring(
        self, task: Task, data: bytes, *, actor: Actor | None = None, **given: object
    ) -> DatasetImportRead:
        """Import a file at once, as the job would."""
        return await self.importer.run(
            await self.order(task, data, **given),
            task_id=task.id,
            created_by=None if actor is None else actor.user_id,
            progress=ignore,
        )

    async def run(self, job: JobRead) -> JobRead:
        """Do a job as a worker would."""
        handlers = {
            **jobs.handlers(importer=self.importer),
            **perturbing_jobs.handlers(runner=self.perturber),
        }
        await JobRunner(self.db, handlers, executor_id="one").run(job.id)
        async with self.db.read() as session:
            return JobRead.model_validate(await self.chapters.queue.get(session, job.id))
