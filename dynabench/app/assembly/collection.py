"""Media, tasks, models, rounds, contexts, conversations and attempts."""

from dynabench.app.assembly.parts import Parts
from dynabench.engines.media.fetching import MediaFetcher
from dynabench.engines.media.inspector import MediaInspector
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.service import ChatService
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.datasets.withheld.service import WithheldTexts
from dynabench.loop.examples.answering.service import AnsweringService
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.media.inlining.service import MediaInliner
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.media.service import MediaService
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.views.service import ModelViews
from dynabench.loop.proposals.service import ProposalService
from dynabench.loop.rounds.schedules.service import ScheduleService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.people.directory.service import UserDirectory
from dynabench.people.notifications.service import NotificationService


def add_media(parts: Parts) -> MediaInliner:
    """Add tasks, and what their pictures and sounds need."""
    tasks = parts.keep(TaskService(parts.db, parts.clock))
    media = parts.keep(
        MediaService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            blobs=parts.blobs,
            inspector=MediaInspector(),
            fetcher=MediaFetcher(allowed_hosts=frozenset(parts.settings.allowed_media_hosts)),
        )
    )
    parts.keep(MediaResolver(media=media))
    return parts.keep(MediaInliner(media=media))


def _add_people_of_tasks(parts: Parts) -> None:
    tasks, notifications = parts.get(TaskService), parts.get(NotificationService)
    parts.keep(
        MemberService(
            parts.db,
            parts.clock,
            tasks=tasks,
            directory=parts.get(UserDirectory),
            notifications=notifications,
            public_url=parts.settings.public_url,
        )
    )
    parts.keep(
        ProposalService(db=parts.db, clock=parts.clock, tasks=tasks, notifications=notifications)
    )


def add_collection(parts: Parts, *, access: TargetAccess) -> None:
    """Add what an attempt passes through; `access` reaches the target models."""
    directory = parts.get(UserDirectory)
    tasks, media = parts.get(TaskService), parts.get(MediaResolver)
    _add_people_of_tasks(parts)
    models = parts.keep(
        ModelService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            views=ModelViews(db=parts.db, directory=directory, queue=parts.queue),
            access=access,
            queue=parts.queue,
        )
    )
    rounds = parts.keep(RoundService(db=parts.db, clock=parts.clock, tasks=tasks, models=models))
    parts.keep(ScheduleService(db=parts.db, clock=parts.clock, rounds=rounds))
    contexts = parts.keep(ContextService(db=parts.db, clock=parts.clock, tasks=tasks, media=media))
    chats = _add_chats(parts)
    answering = parts.keep(
        AnsweringService(models=models, withholding=WithheldTexts(db=parts.db, clock=parts.clock))
    )
    parts.keep(
        SandboxService(
            tasks=tasks,
            rounds=rounds,
            models=models,
            contexts=contexts,
            answering=answering,
            replies=parts.get(ReplyService),
            media=media,
        )
    )
    parts.keep(
        ExampleService(
            db=parts.db,
            clock=parts.clock,
            tasks=tasks,
            rounds=rounds,
            contexts=contexts,
            people=directory,
            answering=answering,
            chats=chats,
            media=media,
        )
    )


def _add_chats(parts: Parts) -> ChatService:
    replies = parts.keep(ReplyService(models=parts.get(ModelService)))
    return parts.keep(
        ChatService(
            db=parts.db,
            clock=parts.clock,
            tasks=parts.get(TaskService),
            rounds=parts.get(RoundService),
            contexts=parts.get(ContextService),
            replies=replies,
        )
    )
