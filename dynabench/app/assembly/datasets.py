"""Datasets: releases, uploads, and sets that vary others."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.perturbing.runs.service import PerturbationRunner
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.storing.service import VersionWriter
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.uploads.imports.service import DatasetImporter
from dynabench.loop.datasets.uploads.service import UploadService
from dynabench.loop.leaderboards.errata.service import ErrataService
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService


def add_datasets(parts: Parts) -> None:
    """Add what comes of a round and what people bring."""
    tasks, rounds, folds = parts.get(TaskService), parts.get(RoundService), parts.get(FoldService)
    datasets = parts.keep(
        DatasetService(db=parts.db, tasks=tasks, rounds=rounds, queue=parts.queue)
    )
    parts.keep(
        ReleaseService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            outcomes=parts.get(OutcomeService),
            folds=folds,
            errata=parts.keep(ErrataService(db=parts.db, datasets=datasets)),
            queue=parts.queue,
        )
    )
    parts.keep(ReleaseDesk(db=parts.db, tasks=tasks, rounds=rounds, folds=folds, queue=parts.queue))
    _add_archives(parts, datasets=datasets, tasks=tasks)
    files = parts.keep(
        SentFiles(
            db=parts.db,
            blobs=parts.blobs,
            artifacts=parts.get(ArtifactStore),
            quota=parts.get(FileQuota),
            leftovers=parts.get(Leftovers),
        )
    )
    parts.keep(
        UploadService(db=parts.db, tasks=tasks, datasets=datasets, files=files, queue=parts.queue)
    )
    writer = VersionWriter(db=parts.db, clock=parts.clock, publisher=Publisher(queue=parts.queue))
    parts.keep(
        DatasetImporter(tasks=tasks, files=files, media=parts.get(MediaResolver), writer=writer)
    )
    parts.keep(
        PerturbationService(
            db=parts.db, tasks=tasks, datasets=datasets, files=files, queue=parts.queue
        )
    )
    parts.keep(PerturbationRunner(tasks=tasks, datasets=datasets, files=files, writer=writer))


def _add_archives(parts: Parts, *, datasets: DatasetService, tasks: TaskService) -> None:
    parts.keep(
        ArchiveService(
            db=parts.db, clock=parts.clock, datasets=datasets, blobs=parts.blobs, queue=parts.queue
        )
    )
    parts.keep(
        ArchiveMaker(
            db=parts.db,
            clock=parts.clock,
            datasets=datasets,
            tasks=tasks,
            media=parts.get(MediaService),
            blobs=parts.blobs,
            leftovers=parts.get(Leftovers),
            queue=parts.queue,
            # Beside the files, since that disk is meant to be large.
            folder=parts.settings.blobs_folder / "unfinished",
        )
    )
