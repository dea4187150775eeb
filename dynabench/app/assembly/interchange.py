"""Whole tasks in files."""

from dynabench.app.assembly.parts import Parts
from dynabench.engines.media.inspector import MediaInspector
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.transfer.exporting.service import TaskExporter, TaskSender
from dynabench.loop.interchange.transfer.importing.agreements.service import Agreement
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.outcomes.service import OutcomeService


def add_interchange(parts: Parts) -> None:
    """Add what moves tasks between installations."""
    folds = parts.get(FoldService)
    exporter = parts.keep(TaskExporter(db=parts.db, blobs=parts.blobs, folds=folds))
    parts.keep(
        TaskSender(
            tasks=parts.get(TaskService), exporter=exporter, artifacts=parts.get(ArtifactStore)
        )
    )
    agreement = Agreement(
        rounds=parts.get(RoundService),
        examples=parts.get(ExampleService),
        outcomes=parts.get(OutcomeService),
    )
    parts.keep(
        TaskImporter(
            db=parts.db,
            clock=parts.clock,
            blobs=parts.blobs,
            inspector=MediaInspector(),
            agreement=agreement,
            folds=folds,
            datasets=parts.get(DatasetService),
            publisher=Publisher(queue=parts.queue),
        )
    )
