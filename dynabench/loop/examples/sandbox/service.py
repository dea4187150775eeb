"""Use case of the sandbox: ask a task's target something, and keep nothing of it."""

from dynabench.kit.actor import Actor
from dynabench.kit.wire import Values
from dynabench.loop.chats.errors import ChatFieldError
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.rules import draw_candidates
from dynabench.loop.chats.schemas import CandidateRead
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.answering.service import (
    AnsweringService,
    check_draft,
    describe_predictions,
)
from dynabench.loop.examples.errors import TriesCountError, TriesPausedError, VisitorsMayNotTryError
from dynabench.loop.examples.files.service import with_files
from dynabench.loop.examples.rules import require_awaiting
from dynabench.loop.examples.schemas import TryCreate, TryRead, TryRepliesCreate, TryRepliesRead
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.rules import asked_targets, keeps_arms_apart, pick_targets
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus, Target, TargetPolicy
from dynabench.loop.tasks.permissions import may_annotate, may_own
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.science.task_config.conversations import CANDIDATE_NAMES
from dynabench.science.task_config.fields.chat import ChatType

_LIVE = frozenset({RoundStatus.OPEN, RoundStatus.CLOSED})


class SandboxService:
    """Lets anybody try to fool a task's target; nothing is stored."""

    def __init__(
        self,
        *,
        tasks: TaskService,
        rounds: RoundService,
        models: ModelService,
        contexts: ContextService,
        answering: AnsweringService,
        replies: ReplyService,
        media: MediaResolver,
    ) -> None:
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._contexts = contexts
        self._answering = answering
        self._replies = replies
        self._media = media

    async def try_out(self, slug: str, body: TryCreate, *, actor: Actor) -> TryRead:
        """Return what the targets of the latest round, or a chosen model, answer."""
        task = await self._tasks.get_for(slug, actor)
        context = await self._context(task, body, actor=actor)
        targets, policy = await self._targets(task, body, actor=actor)
        await self._require_uncounted(task, targets, actor=actor)
        body = await with_files(body, media=self._media, config=task.config, actor=actor)
        draft = check_draft(task.config, context=context, inputs=body.inputs, answer=body.answer)
        answered = await self._answering.ask(
            draft, task=task, context=context, targets=targets, policy=policy
        )
        return TryRead(
            predictions=describe_predictions(answered.predictions, targets=targets),
            fooled=answered.fooled,
        )

    async def reply(self, slug: str, body: TryRepliesCreate, *, actor: Actor) -> TryRepliesRead:
        """Return what the candidates reply to a conversation that only the reader keeps."""
        task = await self._tasks.get_for(slug, actor)
        kind = None if task.config.chat_field is None else task.config.chat_field.type
        if not isinstance(kind, ChatType):
            raise ChatFieldError(known=None)
        context = await self._context(task, body, actor=actor)
        targets, _ = await self._targets(task, body, actor=actor)
        await self._require_uncounted(task, targets, actor=actor)
        require_awaiting([one.role for one in body.messages], max_turns=kind.max_turns)
        drawn = draw_candidates(
            [target.model_id for target in targets],
            count=kind.candidates,
            seed=0,
            drawn_for=(task.id, body.context_id, actor.user_id),
        )
        found = await self._replies.ask(
            drawn,
            [{"role": one.role.value, "text": one.text} for one in body.messages],
            config=task.config,
            context=context,
            names={target.model_id: target.name for target in targets},
        )
        return TryRepliesRead(
            candidates=[
                CandidateRead(model=name, text=reply.text, rating=None)
                for name, reply in zip(CANDIDATE_NAMES, found, strict=False)
            ]
        )

    async def _require_uncounted(
        self, task: Task, targets: tuple[Target, ...], *, actor: Actor
    ) -> None:
        """Keep annotators from rehearsing: each of their tries at a live target is counted.

        A closed round's targets stay live until its release, for it may be opened again. Who
        was shown no model could ask it here, and who was answered by one of two could compare:
        where a round keeps arms apart nobody is answered, signed in or not.

        Raises:
            TriesCountError: If the actor writes for the open round and it has such a target.
            TriesPausedError: If the open round has such a model and keeps arms apart.
            VisitorsMayNotTryError: If nobody is signed in, and the task is not for playing.
        """
        latest = (await self._rounds.latest([task.id])).get(task.id)
        if latest is None or latest.status not in _LIVE or latest.is_replay:
            return
        asked = {target.model_id for target in targets}
        is_live = any(target.model_id in asked for target in asked_targets(latest))
        if is_live and keeps_arms_apart(latest):
            raise TriesPausedError(round_number=latest.number)
        if is_live and actor.user_id is None and not task.visitors_may_try:
            raise VisitorsMayNotTryError(round_number=latest.number, status=latest.status)
        role = await self._tasks.role_of(task.id, actor)
        if is_live and may_annotate(task, role, actor) and not may_own(role):
            raise TriesCountError(round_number=latest.number, status=latest.status)

    async def _context(
        self, task: Task, body: TryCreate | TryRepliesCreate, *, actor: Actor
    ) -> Values:
        if body.context_id is None:
            fields, given = task.config.context, body.context or {}
            return task.config.check_context(
                await self._media.resolve(fields, given, prefix="context", actor=actor)
            )
        context = await self._contexts.get(body.context_id)
        if context.task_id != task.id:
            raise ContextNotFoundError
        return context.content

    async def _targets(
        self, task: Task, body: TryCreate | TryRepliesCreate, *, actor: Actor
    ) -> tuple[tuple[Target, ...], TargetPolicy]:
        if body.model_id is None:
            latest = (await self._rounds.latest([task.id])).get(task.id)
            if latest is not None and latest.status is not RoundStatus.DRAFT:
                # No attempt has the number 0: what a kept one will draw is not given away.
                chosen = pick_targets(
                    latest,
                    context_id=body.context_id or task.id,
                    annotator_id=actor.user_id or task.id,
                    attempt_number=0,
                )
                return chosen, latest.target_policy
        model = await self._models.newest_ready(task.id, model_id=body.model_id)
        if model is None:
            raise ModelNotFoundError
        target = Target(
            model_id=model.id, name=model.name, version=model.version, digest=model.digest
        )
        return (target,), TargetPolicy.SINGLE
