"""Training: recipes, the data they learn from, and the folders they work in."""

from dynabench.app.assembly.isolation import choose_isolation
from dynabench.app.assembly.parts import Parts
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.loop.datasets.selections.service import SelectionService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.training.checkpoints.service import Checkpoints
from dynabench.loop.training.gathering.service import Gatherer
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.plans.service import Planner
from dynabench.loop.training.runs.service import Surroundings, TrainingRunner
from dynabench.loop.training.service import TrainingService
from dynabench.loop.training.workspaces.service import Workspaces

_MEGABYTE = 1_000_000


def add_training(parts: Parts) -> None:
    """Add what makes the next model."""
    settings, tasks = parts.settings, parts.get(TaskService)
    datasets, learners = parts.get(DatasetService), Learners(blobs=parts.blobs)
    selections = SelectionService(db=parts.db)
    checkpoints = Checkpoints(
        root=settings.checkpoints_folder, max_bytes=settings.max_submission_mb * _MEGABYTE
    )
    runner = TrainingRunner(
        db=parts.db,
        tasks=tasks,
        models=parts.get(ModelService),
        evaluations=parts.get(EvaluationService),
        gatherer=Gatherer(datasets=datasets, selections=selections, media=parts.get(MediaInliner)),
        learners=learners,
        workspaces=Workspaces(settings.home / "trainings"),
        surroundings=Surroundings(
            checkpoints=checkpoints,
            factory=parts.get(TargetAccess).factory,
            isolate=choose_isolation(
                parts.get(Sandbox), trust_submitters=settings.trust_submitters
            ),
        ),
        queue=parts.queue,
    )
    parts.keep(
        TrainingService(
            db=parts.db,
            tasks=tasks,
            planner=Planner(
                rounds=parts.get(RoundService), datasets=datasets, selections=selections
            ),
            runner=runner,
            learners=learners,
            checkpoints=checkpoints,
            queue=parts.queue,
        )
    )
