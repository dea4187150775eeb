"""Submissions: taking models in, checking them, and what is gone with a deleted one."""

from functools import partial

from dynabench.app.assembly.isolation import choose_isolation
from dynabench.app.assembly.parts import Parts
from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.sandbox.archives import ArchiveLimits
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.engines.sandbox.unpacking import unpack_apart
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.uploads.files.service import SentFiles, kept_of_task
from dynabench.loop.evaluations.discards.service import DiscardService
from dynabench.loop.evaluations.prediction_files.service import PredictionFileService
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.allowances.service import AllowanceService, FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore
from dynabench.loop.models.submissions.care.service import CareService
from dynabench.loop.models.submissions.inspections.service import InspectionService
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.submissions.service import SubmissionService
from dynabench.loop.models.submissions.values import SubmissionLimits
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.service import TaskService
from dynabench.people.notifications.service import NotificationService

_MEGABYTE = 1_000_000
# How many times its own size an archive may be unpacked.
_SWELLING = 2


def add_submissions(parts: Parts, *, factory: TargetFactory) -> None:
    """Add what takes models in; `factory` builds one for its check."""
    settings = parts.settings
    limits = SubmissionLimits(
        max_bytes=settings.max_submission_mb * _MEGABYTE,
        per_day=settings.submissions_per_day,
        spool=settings.home / "incoming",
        kept_bytes_per_person=settings.files_mb_per_person * _MEGABYTE,
        kept_bytes_per_task=(
            settings.files_mb_per_task * _MEGABYTE if settings.files_mb_per_task else None
        ),
    )
    artifacts = parts.keep(ArtifactStore(blobs=parts.blobs, limits=limits))
    quota = parts.keep(FileQuota(limits=limits, kept_elsewhere=kept_of_task))
    parts.keep(Leftovers(db=parts.db, blobs=parts.blobs))
    isolate = choose_isolation(parts.get(Sandbox), trust_submitters=settings.trust_submitters)
    parts.keep(
        AllowanceService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            limits=limits,
            isolate=isolate,
        )
    )
    submissions = parts.keep(
        SubmissionService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            models=parts.get(ModelService),
            artifacts=artifacts,
            queue=parts.queue,
            limits=limits,
            quota=quota,
            isolate=isolate,
            allowed_hosts=frozenset(settings.allowed_target_hosts),
        )
    )
    parts.keep(
        CareService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            models=parts.get(ModelService),
            submissions=submissions,
            queue=parts.queue,
        )
    )
    _add_checks(parts, artifacts, limits, factory=factory)


def _add_checks(
    parts: Parts, artifacts: ArtifactStore, limits: SubmissionLimits, *, factory: TargetFactory
) -> None:
    unpacked = ArchiveLimits(max_bytes=_SWELLING * limits.max_bytes)
    parts.keep(
        InspectionService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            artifacts=artifacts,
            quota=parts.get(FileQuota),
            unpack=partial(unpack_apart, limits=unpacked),
            factory=factory,
            queue=parts.queue,
            notifications=parts.get(NotificationService),
        )
    )


def add_predictions(parts: Parts) -> None:
    """Add files of predictions, and deleting models, once there are evaluations."""
    tasks, models = parts.get(TaskService), parts.get(ModelService)
    submissions, leftovers = parts.get(SubmissionService), parts.get(Leftovers)
    files = parts.keep(
        PredictionFileService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            models=models,
            submissions=submissions,
            artifacts=parts.get(ArtifactStore),
            leftovers=leftovers,
            datasets=parts.get(DatasetService),
            evaluations=parts.get(EvaluationService),
        )
    )
    removals = parts.keep(
        RemovalService(
            db=parts.db,
            tasks=tasks,
            rounds=parts.get(RoundService),
            models=models,
            care=parts.get(CareService),
            files=files,
            leftovers=leftovers,
            media=parts.get(MediaService),
            archives=parts.get(ArchiveService),
            sent=parts.get(SentFiles),
            queue=parts.queue,
        )
    )
    parts.keep(
        DiscardService(
            db=parts.db,
            datasets=parts.get(DatasetService),
            perturbations=parts.get(PerturbationService),
            removals=removals,
            queue=parts.queue,
        )
    )
