"""Evaluations and trainings for tests: the services, and a model that a test can hold up."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.host import ModelHost
from dynabench.engines.inference.protocol import (
    Description,
    FakeTargetModel,
    ModelInput,
    Prediction,
)
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.scans.service import ItemScan
from dynabench.loop.datasets.selections.service import SelectionService
from dynabench.loop.evaluations.runs.asking.values import Patience
from dynabench.loop.evaluations.runs.clusters.service import ClusterOpener
from dynabench.loop.evaluations.runs.deltas.service import DeltaFinder
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.runs.targets.service import SourceOpener
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.views.service import EvaluationViews
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.renewals.service import ModelRenewals
from dynabench.loop.models.values import ModelIsolation
from dynabench.loop.training.checkpoints.service import Checkpoints
from dynabench.loop.training.gathering.service import Gatherer
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.plans.service import Planner
from dynabench.loop.training.runs.service import Surroundings, TrainingRunner
from dynabench.loop.training.service import TrainingService
from dynabench.loop.training.workspaces.service import Workspaces
from tests.factories.datasets import Chapters
from tests.factories.media import make_media_service
from tests.factories.models import always, make_model_service


class HeldTargetModel:
    """Answers so many inputs, then none until it is let go."""

    def __init__(self, model: FakeTargetModel, *, answers: int) -> None:
        self._model = model
        self._left = answers
        self.is_held = asyncio.Event()

    async def describe(self) -> Description:
        """Return the name and fields of the model behind it."""
        return await self._model.describe()

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        """Answer, or wait for ever."""
        self._left -= len(batch)
        if self._left < 0:
            self.is_held.set()
            await asyncio.Event().wait()
        return await self._model.predict(batch)

    async def close(self) -> None:
        """Close the model behind it."""
        await self._model.close()


PATIENCE = Patience(shard_items=256, pause_seconds=0.0)


def make_runner(
    earlier: Chapters,
    db: Database,
    clock: Clock,
    *,
    factory: TargetFactory,
    blobs: BlobStore,
    patience: Patience = PATIENCE,
    cluster: ClusterOpener | None = None,
) -> EvaluationRunner:
    """Put together what scores models; it does not wait between two tries."""
    scan = ItemScan(db=db)
    access = TargetAccess(host=ModelHost(factory=factory), factory=factory, blobs=blobs)
    tasks, datasets = earlier.tasks, earlier.datasets
    return EvaluationRunner(
        db=db,
        clock=clock,
        tasks=tasks,
        datasets=datasets,
        scan=scan,
        sources=SourceOpener(
            db=db,
            models=earlier.models,
            datasets=datasets,
            scan=scan,
            access=access,
            renewals=ModelRenewals(db=db, clock=clock, queue=earlier.queue),
            cluster=cluster,
            patience=patience,
        ),
        deltas=DeltaFinder(db=db, tasks=tasks, datasets=datasets, scan=scan),
    )


def make_training(
    earlier: Chapters,
    db: Database,
    evaluations: EvaluationService,
    *,
    store: BlobStore,
    factory: TargetFactory,
    blobs: Path,
    checkpoints: Path | None = None,
) -> TrainingService:
    """Put together what trains models; it works in a folder beside the stored files."""
    learners, selections = Learners(blobs=store), SelectionService(db=db)
    found = Checkpoints(root=checkpoints, max_bytes=10_000_000)
    return TrainingService(
        db=db,
        tasks=earlier.tasks,
        planner=Planner(rounds=earlier.rounds, datasets=earlier.datasets, selections=selections),
        runner=TrainingRunner(
            db=db,
            tasks=earlier.tasks,
            models=earlier.models,
            evaluations=evaluations,
            gatherer=Gatherer(
                datasets=earlier.datasets,
                selections=selections,
                media=MediaInliner(media=make_media_service(db, blobs=blobs)),
            ),
            learners=learners,
            workspaces=Workspaces(blobs / "trainings"),
            surroundings=Surroundings(
                checkpoints=found, factory=factory, isolate=lambda: ModelIsolation.BUILT_IN
            ),
            queue=earlier.queue,
        ),
        learners=learners,
        checkpoints=found,
        queue=earlier.queue,
    )


@dataclass(frozen=True)
class LaterChapters:
    """The services from evaluations to training, as one process has them."""

    earlier: Chapters
    evaluations: EvaluationService
    views: EvaluationViews
    runner: EvaluationRunner
    training: TrainingService

    @classmethod
    def over(
        cls,
        db: Database,
        clock: Clock,
        *,
        factory: TargetFactory | None = None,
        blobs: Path = Path("/nonexistent"),
        cluster: ClusterOpener | None = None,
        checkpoints: Path | None = None,
    ) -> Self:
        """Put the services together over a database."""
        store = FolderBlobStore(blobs)
        factory = factory or always(label="neutral")
        models = make_model_service(db, clock, factory=factory, blobs=store)
        earlier = Chapters.over(db, clock, models=models)
        views = EvaluationViews(
            db=db,
            tasks=earlier.tasks,
            rounds=earlier.rounds,
            models=models,
            datasets=earlier.datasets,
            queue=earlier.queue,
        )
        evaluations = EvaluationService(
            db=db,
            tasks=earlier.tasks,
            rounds=earlier.rounds,
            models=models,
            datasets=earlier.datasets,
            views=views,
            queue=earlier.queue,
            most_retries=3,
        )
        return cls(
            earlier=earlier,
            evaluations=evaluations,
            views=views,
            runner=make_runner(earlier, db, clock, factory=factory, blobs=store, cluster=cluster),
            training=make_training(
                earlier,
                db,
                evaluations,
                store=store,
                factory=factory,
                blobs=blobs,
                checkpoints=checkpoints,
            ),
        )
