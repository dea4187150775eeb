"""Use cases of conversations: begin one, say something, choose among replies, hand it in."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from uuid import UUID
from weakref import WeakValueDictionary

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.chats.errors import (
    ChatChangedError,
    ChatFieldError,
    ChatNotFoundError,
    ChatRoundClosedError,
)
from dynabench.loop.chats.permissions import is_own
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.repository import ChatRepository
from dynabench.loop.chats.rules import (
    draw_candidates,
    messages_before,
    require_choice,
    require_next_turn,
    require_regenerable,
    require_submittable,
    require_try_left,
    require_unfinished,
    turn_of,
)
from dynabench.loop.chats.schemas import (
    CandidateRead,
    ChatCreate,
    ChatRead,
    TurnCreate,
    TurnPut,
    TurnRead,
)
from dynabench.loop.chats.values import MOST_REGENERATIONS, Chat, Place, Reply, Turn
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.rounds.rules import are_models_named, asked_targets, models_for
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.permissions import require_annotator
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.science.task_config.conversations import CANDIDATE_NAMES
from dynabench.science.task_config.fields.chat import ChatType
from dynabench.science.task_config.problems import FieldValueError, UnusableValueError
from dynabench.science.task_config.schema import TaskConfig


class ChatService:
    """Keeps conversations turn by turn: a message is stored with all its replies or not at all.

    No transaction is held while models are asked. What they were asked about may have changed
    when they answer; then nothing is stored.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        rounds: RoundService,
        contexts: ContextService,
        replies: ReplyService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._rounds = rounds
        self._contexts = contexts
        self._replies = replies
        # A lock is forgotten when nobody holds it or waits for it.
        self._asking: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def begin(
        self, round_id: UUID, body: ChatCreate, *, actor: Actor, key: RequestKey | None
    ) -> ChatRead:
        """Begin a conversation about a context, or take up the one that was not handed in."""
        annotator_id = require_signed_in(actor)
        round_, task = await self._collecting(round_id, actor)
        kind = _chat_type(task.config, body.field_name)
        context = await self._contexts.get(body.context_id)
        if context.task_id != task.id:
            raise ContextNotFoundError
        try:
            async with self._db.transaction() as session:
                chat_id = await self._begin(
                    session, body, kind=kind, round_=round_, annotator_id=annotator_id
                )
                if key is not None:
                    await claim(session, key, chat_id)
        except AlreadyDone as done:
            chat_id = done.resource_id
        return await self.read(chat_id, actor=actor)

    async def read(self, chat_id: UUID, *, actor: Actor) -> ChatRead:
        """Return a conversation to whoever holds it."""
        return _read(await self._get_own(chat_id, actor))

    async def say(
        self, chat_id: UUID, body: TurnCreate, *, actor: Actor, key: RequestKey | None
    ) -> ChatRead:
        """Send a message to every candidate and keep it with what they reply."""
        async with self._alone(chat_id, actor, key=key) as chat:
            if chat is not None:
                await self._say(chat, body.text, actor=actor, key=key)
        return await self.read(chat_id, actor=actor)

    async def regenerate(
        self, chat_id: UUID, number: int, *, actor: Actor, key: RequestKey | None
    ) -> ChatRead:
        """Ask for other replies to the last message; those before are kept aside."""
        async with self._alone(chat_id, actor, key=key) as chat:
            if chat is not None:
                await self._regenerate(chat, number, actor=actor, key=key)
        return await self.read(chat_id, actor=actor)

    async def choose(self, chat_id: UUID, number: int, body: TurnPut, *, actor: Actor) -> ChatRead:
        """Say which reply of a turn is the best and how good each is."""
        await self._get_own(chat_id, actor)
        async with self._db.transaction() as session:
            repository = ChatRepository(session)
            chat = await repository.get(chat_id, lock=True)
            assert chat is not None, "a conversation is never deleted"
            _, task = await self._collecting(chat.place.round_id, actor)
            turn = turn_of(chat, number)
            kind = _chat_type(task.config, chat.place.field_name)
            require_choice(chat, kind, turn=turn, choice=body.choice, ratings=body.ratings)
            ratings = body.ratings or [None] * len(turn.candidates)
            rated = tuple(
                replace(reply, rating=rating)
                for reply, rating in zip(turn.candidates, ratings, strict=True)
            )
            chosen = replace(turn, candidates=rated, choice=body.choice)
            await repository.change_turn(chat_id, chosen)
        return await self.read(chat_id, actor=actor)

    async def take_up(
        self,
        inputs: Mapping[str, object],
        *,
        config: TaskConfig,
        round_id: UUID,
        context_id: UUID,
        annotator_id: UUID,
    ) -> Chat | None:
        """Return the conversation that an attempt names; None where the task has none.

        Only a conversation that was held here counts, so what models are said to have replied
        is what they did reply.

        Raises:
            FieldValueError: If the attempt names none, or it is too short.
            ChatNotFoundError: If it is not the annotator's own about this context.
            ChatFinishedError: If another attempt has it.
            ChoiceNeededError: If its last turn waits for a choice.
        """
        field = config.chat_field
        if field is None or field.name not in inputs:
            return None
        assert isinstance(field.type, ChatType)
        chat_id = _named_chat(field.type, inputs[field.name], name=field.name)
        async with self._db.read() as session:
            chat = await ChatRepository(session).get(chat_id)
        place = Place(
            round_id=round_id,
            context_id=context_id,
            annotator_id=annotator_id,
            field_name=field.name,
        )
        if chat is None or chat.place != place:
            raise ChatNotFoundError
        require_unfinished(chat)
        require_submittable(chat, field.type)
        return chat

    async def finish(self, session: Session, chat: Chat) -> None:
        """Hand a conversation in, in the transaction that stores its attempt.

        Raises:
            ChatFinishedError: If another attempt has it by now.
            ChatChangedError: If it went on meanwhile.
        """
        await self._hold(session, chat, key=None)
        await ChatRepository(session).finish(chat.id, now=self._clock.now())

    async def _begin(
        self,
        session: Session,
        body: ChatCreate,
        *,
        kind: ChatType,
        round_: Round,
        annotator_id: UUID,
    ) -> UUID:
        """Lend the context, and return the conversation about it that is begun by now."""
        repository = ChatRepository(session)
        place = Place(
            round_id=round_.id,
            context_id=body.context_id,
            annotator_id=annotator_id,
            field_name=body.field_name,
        )
        await repository.lock_place(place)
        now = self._clock.now()
        await self._contexts.lease(
            session,
            round_id=round_.id,
            context_id=body.context_id,
            annotator_id=annotator_id,
            now=now,
        )
        if (begun := await repository.unfinished(place)) is not None:
            return begun
        held = require_try_left(await repository.count(place), max_tries=round_.max_tries)
        asked = models_for(round_, context_id=body.context_id, annotator_id=annotator_id)
        talk = (body.context_id, annotator_id, held)
        drawn = draw_candidates(
            [one.model_id for one in asked], count=kind.candidates, seed=round_.seed, drawn_for=talk
        )
        chat = Chat(id=new_id(), place=place, model_ids=drawn, created_at=now)
        await repository.add(chat)
        return chat.id

    @asynccontextmanager
    async def _alone(
        self, chat_id: UUID, actor: Actor, *, key: RequestKey | None
    ) -> AsyncIterator[Chat | None]:
        """Have the models of a conversation asked for one request at a time.

        Who waited while it went on asks nothing: the answers would not be kept.

        Yields:
            The actor's conversation; None if this request was carried out before.

        Raises:
            ChatChangedError: If it went on while this request waited.
        """
        seen = await self._get_own(chat_id, actor)
        lock = self._asking.setdefault(chat_id, asyncio.Lock())
        async with lock:
            if key is not None and await self._is_done(key):
                yield None
                return
            if await self._get_own(chat_id, actor) != seen:
                raise ChatChangedError
            yield seen

    async def _say(self, chat: Chat, text: str, *, actor: Actor, key: RequestKey | None) -> None:
        round_, task = await self._collecting(chat.place.round_id, actor)
        require_next_turn(chat, _chat_type(task.config, chat.place.field_name))
        number = len(chat.turns) + 1
        replies = await self._ask(chat, number=number, text=text, round_=round_, task=task)
        turn = Turn(number=number, text=text, candidates=replies)
        with suppress(AlreadyDone):
            async with self._db.transaction() as session:
                await self._hold(session, chat, key=key)
                await ChatRepository(session).add_turn(chat.id, turn, now=self._clock.now())

    async def _regenerate(
        self, chat: Chat, number: int, *, actor: Actor, key: RequestKey | None
    ) -> None:
        round_, task = await self._collecting(chat.place.round_id, actor)
        turn = require_regenerable(chat, number=number)
        replies = await self._ask(
            chat,
            number=number,
            text=turn.text,
            round_=round_,
            task=task,
            regenerated=turn.regenerated + 1,
        )
        changed = replace(
            turn,
            candidates=replies,
            replaced=(*turn.replaced, turn.candidates),
            choice=None,
            regenerated=turn.regenerated + 1,
        )
        with suppress(AlreadyDone):
            async with self._db.transaction() as session:
                await self._hold(session, chat, key=key)
                await ChatRepository(session).change_turn(chat.id, changed)

    async def _ask(
        self,
        chat: Chat,
        *,
        number: int,
        text: str,
        round_: Round,
        task: Task,
        regenerated: int = 0,
    ) -> tuple[Reply, ...]:
        context = await self._contexts.get(chat.place.context_id)
        return await self._replies.ask(
            chat.model_ids,
            messages_before(chat, number=number, text=text),
            config=task.config,
            context=context.content,
            names={target.model_id: target.name for target in asked_targets(round_)},
            regenerated=regenerated,
            is_secret=not are_models_named(round_),
        )

    async def _hold(self, session: Session, chat: Chat, *, key: RequestKey | None) -> None:
        """Keep a conversation as it was read until the transaction ends, and renew the lease.

        Raises:
            AlreadyDone: If the same request has changed it meanwhile.
            ChatFinishedError: If it was handed in.
            ChatChangedError: If it went on.
        """
        held = await ChatRepository(session).get(chat.id, lock=True)
        assert held is not None, "a conversation is never deleted"
        if key is not None:
            await claim(session, key, chat.id)
        require_unfinished(held)
        if held != chat:
            raise ChatChangedError
        await self._contexts.lease(
            session,
            round_id=chat.place.round_id,
            context_id=chat.place.context_id,
            annotator_id=chat.place.annotator_id,
            now=self._clock.now(),
        )

    async def _is_done(self, key: RequestKey) -> bool:
        async with self._db.read() as session:
            return await find(session, key) is not None

    async def _collecting(self, round_id: UUID, actor: Actor) -> tuple[Round, Task]:
        round_ = await self._rounds.get_visible(round_id, actor)
        task = await self._tasks.get_by_id(round_.task_id)
        require_annotator(task, await self._tasks.role_of(task.id, actor), actor)
        if round_.status is not RoundStatus.OPEN:
            raise ChatRoundClosedError(round_number=round_.number, status=round_.status)
        self._rounds.require_within(round_)
        return round_, task

    async def _get_own(self, chat_id: UUID, actor: Actor) -> Chat:
        require_signed_in(actor)
        async with self._db.read() as session:
            chat = await ChatRepository(session).get(chat_id)
        if chat is None or not is_own(actor, chat):
            raise ChatNotFoundError
        return chat


def _chat_type(config: TaskConfig, name: str) -> ChatType:
    field = config.chat_field
    if field is None or field.name != name:
        raise ChatFieldError(known=None if field is None else field.name)
    assert isinstance(field.type, ChatType)
    return field.type


def _named_chat(kind: ChatType, value: object, *, name: str) -> UUID:
    try:
        if kind.is_reference(value):
            assert isinstance(value, Mapping)
            return UUID(str(value["chat"]))
    except UnusableValueError:
        pass
    sentence = 'Hold the conversation here and name it: {"chat": its id}.'
    raise FieldValueError({f"inputs.{name}": sentence})


def _read(chat: Chat) -> ChatRead:
    return ChatRead(
        id=chat.id,
        round_id=chat.place.round_id,
        context_id=chat.place.context_id,
        field_name=chat.place.field_name,
        turns=[
            TurnRead(
                number=turn.number,
                text=turn.text,
                candidates=[
                    CandidateRead(model=name, text=reply.text, rating=reply.rating)
                    for name, reply in zip(CANDIDATE_NAMES, turn.candidates, strict=False)
                ],
                choice=turn.choice,
                regenerations_left=MOST_REGENERATIONS - turn.regenerated,
            )
            for turn in chat.turns
        ],
        created_at=chat.created_at,
        submitted_at=chat.submitted_at,
    )
