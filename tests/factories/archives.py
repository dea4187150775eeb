"""Archives for tests: a maker over a folder of the test, and versions of any kind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Self
from zipfile import ZipFile

from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import BlobStore, parse_digest
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.archives.values import Archive
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from tests.factories.datasets import Chapters
from tests.factories.media import make_media_service


async def no_progress(done: float, total: float, message: str) -> None:
    """Tell nobody."""
    del done, total, message


@dataclass(frozen=True)
class Archives:
    """What makes, keeps and gives out archives, as one process has it."""

    chapters: Chapters
    blobs: BlobStore
    maker: ArchiveMaker
    service: ArchiveService

    @classmethod
    def over(
        cls, db: Database, clock: Clock, folder: Path, *, blobs: BlobStore | None = None
    ) -> Self:
        """Put the services together over a database and a folder."""
        chapters = Chapters.over(db, clock)
        blobs = blobs or FolderBlobStore(folder / "blobs")
        return cls(
            chapters=chapters,
            blobs=blobs,
            maker=ArchiveMaker(
                db=db,
                clock=clock,
                datasets=chapters.datasets,
                tasks=chapters.tasks,
                media=make_media_service(db, clock),
                blobs=blobs,
                leftovers=Leftovers(db=db, blobs=blobs),
                queue=chapters.queue,
                folder=folder / "blobs" / "unfinished",
            ),
            service=ArchiveService(
                db=db,
                clock=clock,
                datasets=chapters.datasets,
                blobs=blobs,
                queue=chapters.queue,
            ),
        )

    async def make(self, version: DatasetVersion) -> Archive:
        """Make a version's archive."""
        made = await self.maker.make(version.id, progress=no_progress)
        assert made is not None
        return made

    async def unpacked(self, version: DatasetVersion, *, into: Path) -> Path:
        """Make a version's archive and unpack it."""
        made = await self.make(version)
        with self.blobs.open(parse_digest(made.digest)) as file, ZipFile(file) as archive:
            archive.extractall(into)
        return into
