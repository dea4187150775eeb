"""Puts the services together: the one place that knows every constructor."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from dynabench.app.housekeeping import Housekeeping
from dynabench.app.job_service import JobService
from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.host import ModelHost
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import Handler
from dynabench.engines.media.fetching import MediaFetcher
from dynabench.engines.media.inspector import MediaInspector
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.settings import Settings
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.service import ChatService
from dynabench.loop.contexts.leases.service import ContextLeaseService
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.datasets import jobs as dataset_jobs
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.evaluations import jobs as evaluation_jobs
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.examples.answering.service import AnsweringService
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.gallery import jobs as gallery_jobs
from dynabench.loop.interchange.gallery.service import GalleryService
from dynabench.loop.interchange.setups.service import SetUpService
from dynabench.loop.leaderboards.preferences.service import PreferenceService
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.addresses.service import TargetAccess, target_factory
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.training import jobs as training_jobs
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.service import TrainingService
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.leases.service import ValidationLeaseService
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.service import ValidationService
from dynabench.people.authentication.service import Authenticator
from dynabench.people.directory.service import UserDirectory
from dynabench.people.passwords.service import Passwords
from dynabench.people.service import PeopleService
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
        """End the target workers and close the database's connections."""
        await self.host.close()
        await self.db.close()


def _people(db: Database, clock: Clock, settings: Settings) -> dict[type[object], object]:
    authenticator = Authenticator(db, clock, session_days=settings.session_days)
    passwords = Passwords()
    return {
        Authenticator: authenticator,
        UserDirectory: UserDirectory(db, clock),
        PeopleService: PeopleService(db, clock, authenticator=authenticator, passwords=passwords),
        SignInService: SignInService(
            db, clock, authenticator=authenticator, passwords=passwords, settings=settings
        ),
    }


class _Parts:
    """Services made so far, looked up by class with their type kept."""

    def __init__(self, made: dict[type[object], object]) -> None:
        self.made = made

    def keep(self, service: ServiceT) -> ServiceT:
        self.made[type(service)] = service
        return service

    def get(self, kind: type[ServiceT]) -> ServiceT:
        found = self.made[kind]
        assert isinstance(found, kind)
        return found


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
    clock = clock or SystemClock()
    db = Database.from_url(
        settings.database_url,
        pool_size=settings.database_pool_size,
        application_name=application_name,
    )
    allowed = frozenset(settings.allowed_target_hosts)
    factory = factory or target_factory(
        HttpSettings(allowed_hosts=allowed, api_keys=settings.target_api_keys)
    )
    host = ModelHost(factory=factory)
    queue = JobQueue()
    blobs = FolderBlobStore(settings.blobs_folder)
    parts = _Parts(_people(db, clock, settings))
    parts.keep(JobService(db=db, queue=queue))
    media = _wire_media(parts, db=db, clock=clock, settings=settings, blobs=blobs)
    access = TargetAccess(
        host=host, factory=factory, blobs=blobs, allowed_hosts=allowed, complete=media.inline
    )
    _wire_collection(parts, db=db, clock=clock, access=access, queue=queue)
    _wire_validation(parts, db=db, clock=clock, patience=fold_patience_seconds)
    _wire_results(parts, db=db, clock=clock, queue=queue, blobs=blobs, settings=settings)
    parts.keep(
        Housekeeping(
            db=db,
            clock=clock,
            queue=queue,
            sign_ins=parts.get(SignInService),
            context_leases=ContextLeaseService(db=db, clock=clock),
            validation_leases=ValidationLeaseService(db=db, clock=clock),
        )
    )
    return Wiring(
        settings=settings, clock=clock, db=db, host=host, queue=queue, services=parts.made
    )


def _wire_media(
    parts: _Parts, *, db: Database, clock: Clock, settings: Settings, blobs: BlobStore
) -> MediaInliner:
    tasks = parts.keep(TaskService(db, clock))
    media = parts.keep(
        MediaService(
            db=db,
            clock=clock,
            tasks=tasks,
            blobs=blobs,
            inspector=MediaInspector(),
            fetcher=MediaFetcher(allowed_hosts=frozenset(settings.allowed_media_hosts)),
        )
    )
    parts.keep(MediaResolver(media=media))
    return parts.keep(MediaInliner(media=media))


def _wire_collection(
    parts: _Parts, *, db: Database, clock: Clock, access: TargetAccess, queue: JobQueue
) -> None:
    directory = parts.get(UserDirectory)
    tasks, media = parts.get(TaskService), parts.get(MediaResolver)
    parts.keep(MemberService(db, clock, tasks=tasks, directory=directory))
    models = parts.keep(
        ModelService(
            db=db, clock=clock, tasks=tasks, directory=directory, access=access, queue=queue
        )
    )
    rounds = parts.keep(RoundService(db=db, clock=clock, tasks=tasks, models=models))
    contexts = parts.keep(ContextService(db=db, clock=clock, tasks=tasks, media=media))
    replies = parts.keep(ReplyService(models=models))
    chats = parts.keep(
        ChatService(
            db=db, clock=clock, tasks=tasks, rounds=rounds, contexts=contexts, replies=replies
        )
    )
    answering = parts.keep(AnsweringService(models=models))
    parts.keep(
        SandboxService(
            tasks=tasks,
            rounds=rounds,
            models=models,
            contexts=contexts,
            answering=answering,
            replies=replies,
            media=media,
        )
    )
    parts.keep(
        ExampleService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            people=directory,
            answering=answering,
            chats=chats,
            media=media,
        )
    )


def _wire_validation(parts: _Parts, *, db: Database, clock: Clock, patience: float) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    contexts, examples = parts.get(ContextService), parts.get(ExampleService)
    outcomes = parts.keep(
        OutcomeService(clock=clock, tasks=tasks, rounds=rounds, examples=examples)
    )
    folds = parts.keep(
        FoldService(db=db, clock=clock, rounds=rounds, outcomes=outcomes, patience_seconds=patience)
    )
    parts.keep(
        ValidationService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            outcomes=outcomes,
            folds=folds,
            media=parts.get(MediaResolver),
        )
    )
    _wire_readers(parts, db=db, clock=clock)


def _wire_readers(parts: _Parts, *, db: Database, clock: Clock) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    contexts, examples = parts.get(ContextService), parts.get(ExampleService)
    folds, directory = parts.get(FoldService), parts.get(UserDirectory)
    parts.keep(
        ExpertService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            outcomes=parts.get(OutcomeService),
            folds=folds,
            people=directory,
            media=parts.get(MediaResolver),
        )
    )
    parts.keep(
        ErrorRateService(
            db=db, clock=clock, tasks=tasks, rounds=rounds, people=directory, folds=folds
        )
    )
    parts.keep(
        AssignmentService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            examples=examples,
            folds=folds,
        )
    )


def _wire_results(
    parts: _Parts,
    *,
    db: Database,
    clock: Clock,
    queue: JobQueue,
    blobs: BlobStore,
    settings: Settings,
) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    folds = parts.get(FoldService)
    parts.keep(DatasetService(db=db, tasks=tasks, rounds=rounds, folds=folds, queue=queue))
    parts.keep(
        ReleaseService(
            db=db,
            clock=clock,
            tasks=tasks,
            rounds=rounds,
            contexts=parts.get(ContextService),
            examples=parts.get(ExampleService),
            outcomes=parts.get(OutcomeService),
            folds=folds,
            queue=queue,
        )
    )
    _wire_scores(parts, db=db, clock=clock, queue=queue, blobs=blobs, settings=settings)


def _wire_scores(
    parts: _Parts,
    *,
    db: Database,
    clock: Clock,
    queue: JobQueue,
    blobs: BlobStore,
    settings: Settings,
) -> None:
    tasks, rounds = parts.get(TaskService), parts.get(RoundService)
    models, datasets = parts.get(ModelService), parts.get(DatasetService)
    evaluations = parts.keep(
        EvaluationService(
            db=db, tasks=tasks, rounds=rounds, models=models, datasets=datasets, queue=queue
        )
    )
    parts.keep(PreferenceService(db=db, tasks=tasks, rounds=rounds, models=models))
    parts.keep(
        EvaluationRunner(
            db=db,
            clock=clock,
            tasks=tasks,
            models=models,
            datasets=datasets,
            sentencepiece=settings.sentencepiece_model,
        )
    )
    parts.keep(
        TrainingService(
            db=db,
            tasks=tasks,
            models=models,
            datasets=datasets,
            evaluations=evaluations,
            learners=Learners(blobs=blobs),
            queue=queue,
        )
    )
    _wire_gallery(parts, db=db, queue=queue)


def _wire_gallery(parts: _Parts, *, db: Database, queue: JobQueue) -> None:
    tasks = parts.get(TaskService)
    set_ups = parts.keep(
        SetUpService(
            db=db,
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
        GalleryService(db=db, tasks=tasks, directory=directory, set_ups=set_ups, queue=queue)
    )


def job_handlers(wiring: Wiring) -> Mapping[str, Handler]:
    """Return what a worker does, by the job's name."""
    return {
        **dataset_jobs.handlers(releases=wiring.get(ReleaseService)),
        **evaluation_jobs.handlers(
            evaluations=wiring.get(EvaluationService), runner=wiring.get(EvaluationRunner)
        ),
        **training_jobs.handlers(training=wiring.get(TrainingService)),
        **gallery_jobs.handlers(gallery=wiring.get(GalleryService)),
        **wiring.get(Housekeeping).handlers(),
    }
