"""Evaluations: asking for them, doing them, showing them."""

from dynabench.app.assembly.clusters import add_cluster
from dynabench.app.assembly.parts import Parts
from dynabench.loop.datasets.scans.service import ItemScan
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.evaluations.runs.deltas.service import DeltaFinder
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.runs.targets.service import SourceOpener
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.views.service import EvaluationViews
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.renewals.service import ModelRenewals
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService


def add_evaluations(parts: Parts) -> EvaluationService:
    """Add what scores models."""
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    models, datasets = parts.get(ModelService), parts.get(DatasetService)
    views = parts.keep(
        EvaluationViews(
            db=parts.db,
            tasks=tasks,
            rounds=rounds,
            models=models,
            datasets=datasets,
            queue=parts.queue,
        )
    )
    _add_runner(parts)
    return parts.keep(
        EvaluationService(
            db=parts.db,
            tasks=tasks,
            rounds=rounds,
            models=models,
            datasets=datasets,
            views=views,
            queue=parts.queue,
            most_retries=parts.settings.evaluation_retries,
        )
    )


def _add_runner(parts: Parts) -> None:
    tasks, datasets = parts.get(TaskService), parts.get(DatasetService)
    scan = parts.keep(ItemScan(db=parts.db))
    renewals = parts.keep(ModelRenewals(db=parts.db, clock=parts.clock, queue=parts.queue))
    parts.keep(
        EvaluationRunner(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            datasets=datasets,
            scan=scan,
            sources=SourceOpener(
                db=parts.db,
                models=parts.get(ModelService),
                datasets=datasets,
                scan=scan,
                access=parts.get(TargetAccess),
                renewals=renewals,
                cluster=add_cluster(parts),
            ),
            deltas=DeltaFinder(db=parts.db, tasks=tasks, datasets=datasets, scan=scan),
            sentencepiece=parts.settings.sentencepiece_model,
        )
    )
