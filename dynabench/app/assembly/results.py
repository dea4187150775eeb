"""Releases, evaluations, training and the gallery."""

from dynabench.app.assembly.datasets import add_datasets
from dynabench.app.assembly.evaluations import add_evaluations
from dynabench.app.assembly.parts import Parts
from dynabench.app.assembly.training import add_training
from dynabench.engines.signing.key import SigningKey
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.evaluations.comparisons.service import ComparisonService
from dynabench.loop.evaluations.items.service import ItemService
from dynabench.loop.evaluations.signed_reports.service import SignedReportService
from dynabench.loop.interchange.gallery.service import GalleryService
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.leaderboards.preferences.service import PreferenceService
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.training.service import TrainingService
from dynabench.people.directory.service import UserDirectory


def add_results(parts: Parts) -> None:
    """Add what comes of a round."""
    add_datasets(parts)
    _add_scores(parts)


def _add_scores(parts: Parts) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    models, datasets = parts.get(ModelService), parts.get(DatasetService)
    add_evaluations(parts)
    _add_signed_reports(parts)
    parts.keep(ItemService(db=parts.db, tasks=tasks, models=models, datasets=datasets))
    parts.keep(
        ComparisonService(db=parts.db, tasks=tasks, rounds=rounds, models=models, datasets=datasets)
    )
    parts.keep(PreferenceService(db=parts.db, tasks=tasks, rounds=rounds, models=models))
    add_training(parts)
    _add_gallery(parts)


def _add_signed_reports(parts: Parts) -> None:
    parts.keep(
        SignedReportService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            models=parts.get(ModelService),
            datasets=parts.get(DatasetService),
            key=SigningKey(parts.settings.home / "signing-key.pem"),
        )
    )


def _add_gallery(parts: Parts) -> None:
    tasks = parts.get(TaskService)
    set_ups = parts.keep(
        SetUpService(
            db=parts.db,
            tasks=tasks,
            members=parts.get(MemberService),
            media=parts.get(MediaService),
            contexts=parts.get(ContextService),
            rounds=parts.get(RoundService),
            training=parts.get(TrainingService),
        )
    )
    directory = parts.get(UserDirectory)
    parts.keep(
        GalleryService(
            db=parts.db, tasks=tasks, directory=directory, set_ups=set_ups, queue=parts.queue
        )
    )
