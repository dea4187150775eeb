"""Routes of conversations."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path

from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.kit.idempotency import IdempotencyKeyReusedError
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.chats import errors
from dynabench.loop.chats.schemas import ChatCreate, ChatRead, TurnCreate, TurnPut
from dynabench.loop.chats.service import ChatService
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.rounds.errors import RoundNotBegunError, RoundNotFoundError, RoundOverError
from dynabench.loop.tasks.errors import TaskStateError

router = APIRouter(prefix="/api/v1", tags=["chats"])

Chats = Annotated[ChatService, Depends(provide(ChatService))]
Number = Annotated[int, Path(ge=1, le=1_000)]

_ASKING_ERRORS = (
    TargetUnavailableError,
    TargetTimeoutError,
    TargetBusyError,
    TargetAnswerInvalidError,
    errors.ReplyFailedError,
)
_CHANGING_ERRORS = (
    errors.ChatNotFoundError,
    errors.ChatRoundClosedError,
    RoundNotBegunError,
    RoundOverError,
    errors.ChatFinishedError,
    TaskStateError,
)


@router.post(
    "/rounds/{round_id}/chats",
    status_code=201,
    openapi_extra=raises(
        RoundNotFoundError,
        ContextNotFoundError,
        TaskStateError,
        IdempotencyKeyReusedError,
        errors.ChatRoundClosedError,
        RoundNotBegunError,
        RoundOverError,
        errors.ChatFieldError,
        errors.TalksSpentError,
    ),
)
async def begin_chat(
    round_id: UUID, body: ChatCreate, actor: ActorDep, chats: Chats, key: RequestKeyDep
) -> ChatRead:
    """Begin a conversation with the round's models, or take up one's own unfinished one."""
    return await chats.begin(round_id, body, actor=actor, key=key)


@router.get("/chats/{chat_id}", openapi_extra=raises(errors.ChatNotFoundError))
async def read_chat(chat_id: UUID, actor: ActorDep, chats: Chats) -> ChatRead:
    """Show a conversation to whoever holds it."""
    return await chats.read(chat_id, actor=actor)


@router.post(
    "/chats/{chat_id}/turns",
    status_code=201,
    openapi_extra=raises(
        *_CHANGING_ERRORS,
        *_ASKING_ERRORS,
        IdempotencyKeyReusedError,
        errors.ChatChangedError,
        errors.ChoiceNeededError,
        errors.TurnsSpentError,
    ),
)
async def say(
    chat_id: UUID, body: TurnCreate, actor: ActorDep, chats: Chats, key: RequestKeyDep
) -> ChatRead:
    """Say something to the models; it is kept with all their replies or not at all."""
    return await chats.say(chat_id, body, actor=actor, key=key)


@router.post(
    "/chats/{chat_id}/turns/{number}/regenerate",
    status_code=201,
    openapi_extra=raises(
        *_CHANGING_ERRORS,
        *_ASKING_ERRORS,
        IdempotencyKeyReusedError,
        errors.ChatChangedError,
        errors.TurnNotFoundError,
        errors.NotLastTurnError,
        errors.RegenerationsSpentError,
    ),
)
async def regenerate(
    chat_id: UUID, number: Number, actor: ActorDep, chats: Chats, key: RequestKeyDep
) -> ChatRead:
    """Ask for other replies to the last message; those replaced are kept."""
    return await chats.regenerate(chat_id, number, actor=actor, key=key)


@router.put(
    "/chats/{chat_id}/turns/{number}",
    openapi_extra=raises(
        *_CHANGING_ERRORS,
        errors.TurnNotFoundError,
        errors.NotLastTurnError,
        errors.ChoiceInvalidError,
    ),
)
async def choose(
    chat_id: UUID, number: Number, body: TurnPut, actor: ActorDep, chats: Chats
) -> ChatRead:
    """Say which reply of a turn is the best, and rate each where the task asks."""
    return await chats.choose(chat_id, number, body, actor=actor)
