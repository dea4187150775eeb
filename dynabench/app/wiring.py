"""Puts the services together: the door to the one folder that knows every constructor."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from dynabench.app.assembly.boards import add_boards
from dynabench.app.assembly.collection import add_collection, add_media
from dynabench.app.assembly.interchange import add_interchange
from dynabench.app.assembly.isolation import factories, make_sandbox
from dynabench.app.assembly.parts import Parts
from dynabench.app.assembly.people import add_people
from dynabench.app.assembly.plans import add_plans
from dynabench.app.assembly.results import add_results
from dynabench.app.assembly.scales import add_scales
from dynabench.app.assembly.submissions import add_predictions, add_submissions
from dynabench.app.assembly.validation import add_validation
from dynabench.app.housekeeping import Housekeeping
from dynabench.app.job_service import JobService
from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.host import HostSettings, ModelHost
from dynabench.engines.jobs.allotment import JobHours
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import Handler
from dynabench.engines.jobs.values import CHANNEL as JOB_CHANNEL
from dynabench.engines.storage.local_files import close_to_others
from dynabench.engines.storage.opening import open_store
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.db.listening import Listener
from dynabench.kit.rate_limits.service import RateLimiter
from dynabench.kit.settings import Settings
from dynabench.kit.streams import StreamHost
from dynabench.loop.contexts.leases.service import ContextLeaseService
from dynabench.loop.datasets import jobs as dataset_jobs
from dynabench.loop.datasets.archives import jobs as archive_jobs
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.perturbing import jobs as perturbing_jobs
from dynabench.loop.datasets.perturbing.runs.service import PerturbationRunner
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.uploads import jobs as upload_jobs
from dynabench.loop.datasets.uploads.imports.service import DatasetImporter
from dynabench.loop.evaluations import jobs as evaluation_jobs
from dynabench.loop.evaluations.removals import jobs as removal_jobs
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.interchange.gallery import jobs as gallery_jobs
from dynabench.loop.interchange.gallery.service import GalleryService
from dynabench.loop.leaderboards import jobs as board_jobs
from dynabench.loop.leaderboards.figures.service import FigureService
from dynabench.loop.leaderboards.scales import jobs as scale_jobs
from dynabench.loop.leaderboards.scales.service import ScaleService
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.submissions.inspections import jobs as inspection_jobs
from dynabench.loop.models.submissions.inspections.service import InspectionService
from dynabench.loop.rounds.schedules.service import ScheduleService
from dynabench.loop.rounds.values import ROUND_CHANNEL
from dynabench.loop.training import jobs as training_jobs
from dynabench.loop.training.service import TrainingService
from dynabench.loop.validations.leases.service import ValidationLeaseService
from dynabench.people.sign_ins.service import SignInService

ServiceT = TypeVar("ServiceT")

# How old a fold may be for a reader of this process to do without a new one: a page that
# polls costs next to nothing then, and its numbers are half a second old at most.
_FOLD_PATIENCE_SECONDS = 0.5


@dataclass(frozen=True)
class Wiring:
    """One process's services and what they stand on."""

    settings: Settings
    clock: Clock
    db: Database
    host: ModelHost
    queue: JobQueue
    services: Mapping[type[object], object]

    def get(self, service: type[ServiceT]) -> ServiceT:
        """Return a service by its class."""
        found = self.services[service]
        assert isinstance(found, service)
        return found

    async def close(self) -> None:
        """End streams and target workers, and close the database's connections."""
        await self.get(StreamHost).close()
        await self.host.close()
        await self.db.close()


def wire(
    settings: Settings,
    *,
    clock: Clock | None = None,
    factory: TargetFactory | None = None,
    application_name: str = "dynabench server",
    fold_patience_seconds: float = _FOLD_PATIENCE_SECONDS,
) -> Wiring:
    """Return every service of a process, connected; nothing is opened before its first use.

    Args:
        settings: What the operator set; `database_url` must be there.
        clock: The clock; the machine's by default.
        factory: Builds target models; tests hand in one that builds fakes.
        application_name: How the database sees this process's connections.
        fold_patience_seconds: See `FoldService`.
    """
    assert settings.database_url is not None, "the caller starts or names the database"
    db = Database.from_url(
        settings.database_url,
        pool_size=settings.database_pool_size,
        application_name=application_name,
    )
    sandbox = make_sandbox(settings)
    in_loop, for_jobs = factories(settings, sandbox=sandbox)
    host = ModelHost(
        HostSettings(request_timeout_seconds=settings.target_timeout_seconds),
        factory=factory or in_loop,
    )
    hours = JobHours(person=settings.job_hours_per_person, subject=settings.job_hours_per_task)
    blobs = _open_blobs(settings)
    clock = clock or SystemClock()
    parts = Parts(settings=settings, clock=clock, db=db, queue=JobQueue(hours=hours), blobs=blobs)
    parts.keep(JobService(db=db, queue=parts.queue))
    parts.keep(StreamHost(Listener(db.url, channels=(JOB_CHANNEL, ROUND_CHANNEL))))
    parts.keep(sandbox)
    add_people(parts)
    media = add_media(parts)
    access = TargetAccess(
        host=host,
        factory=factory or for_jobs,
        blobs=blobs,
        allowed_hosts=frozenset(settings.allowed_target_hosts),
        complete=media.inline,
    )
    parts.keep(access)
    _add_chapters(parts, access, patience_seconds=fold_patience_seconds)
    return Wiring(
        settings=settings, clock=clock, db=db, host=host, queue=parts.queue, services=parts.made
    )


def _open_blobs(settings: Settings) -> BlobStore:
    # An earlier version made the folder open to other accounts.
    close_to_others(settings.blobs_folder)
    return open_store(settings.blobs_url, folder=settings.blobs_folder, environment=os.environ)


def _add_chapters(parts: Parts, access: TargetAccess, *, patience_seconds: float) -> None:
    add_collection(parts, access=access)
    add_submissions(parts, factory=access.factory)
    add_validation(parts, patience_seconds=patience_seconds)
    add_results(parts)
    add_predictions(parts)
    add_boards(parts, patience_seconds=patience_seconds)
    add_scales(parts)
    add_plans(parts)
    add_interchange(parts)
    _add_housekeeping(parts)


def _add_housekeeping(parts: Parts) -> None:
    db, clock = parts.db, parts.clock
    parts.keep(
        Housekeeping(
            db=db,
            clock=clock,
            queue=parts.queue,
            sign_ins=parts.get(SignInService),
            limiter=parts.get(RateLimiter),
            context_leases=ContextLeaseService(db=db, clock=clock),
            validation_leases=ValidationLeaseService(db=db, clock=clock),
            desk=parts.get(ReleaseDesk),
            schedules=parts.get(ScheduleService),
            removals=parts.get(RemovalService),
            settings=parts.settings,
        )
    )


def job_handlers(wiring: Wiring) -> Mapping[str, Handler]:
    """Return what a worker does, by the job's name."""
    return {
        **dataset_jobs.handlers(releases=wiring.get(ReleaseService), desk=wiring.get(ReleaseDesk)),
        **archive_jobs.handlers(maker=wiring.get(ArchiveMaker)),
        **upload_jobs.handlers(importer=wiring.get(DatasetImporter)),
        **perturbing_jobs.handlers(runner=wiring.get(PerturbationRunner)),
        **evaluation_jobs.handlers(
            evaluations=wiring.get(EvaluationService), runner=wiring.get(EvaluationRunner)
        ),
        **inspection_jobs.handlers(inspections=wiring.get(InspectionService)),
        **removal_jobs.handlers(removals=wiring.get(RemovalService)),
        **board_jobs.handlers(figures=wiring.get(FigureService)),
        **scale_jobs.handlers(scales=wiring.get(ScaleService)),
        **training_jobs.handlers(training=wiring.get(TrainingService)),
        **gallery_jobs.handlers(gallery=wiring.get(GalleryService)),
        **wiring.get(Housekeeping).handlers(),
    }
