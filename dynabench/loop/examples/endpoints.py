"""Routes of examples."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends

from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.kit.idempotency import IdempotencyKeyReusedError
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.chats.errors import (
    ChatChangedError,
    ChatFieldError,
    ChatFinishedError,
    ChatNotFoundError,
    ChoiceNeededError,
    ReplyFailedError,
)
from dynabench.loop.contexts.errors import ContextNotFoundError
from dynabench.loop.examples import errors
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import (
    ExampleCreate,
    ExamplePatch,
    ExampleRead,
    FlagCreate,
    TryCreate,
    TryRead,
    TryRepliesCreate,
    TryRepliesRead,
)
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.rounds.errors import (
    RoundNotBegunError,
    RoundNotFoundError,
    RoundOverError,
    RoundReleasedError,
)
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError
from dynabench.science.task_config.problems import FieldValueError

router = APIRouter(prefix="/api/v1", tags=["examples"])

Examples = Annotated[ExampleService, Depends(provide(ExampleService))]
Sandbox = Annotated[SandboxService, Depends(provide(SandboxService))]

_TARGET_ERRORS = (
    TargetUnavailableError,
    TargetTimeoutError,
    TargetBusyError,
    TargetAnswerInvalidError,
)


@router.post(
    "/rounds/{round_id}/examples",
    status_code=201,
    openapi_extra=raises(
        RoundNotFoundError,
        ContextNotFoundError,
        TaskStateError,
        FieldValueError,
        IdempotencyKeyReusedError,
        errors.RoundNotOpenError,
        RoundNotBegunError,
        RoundOverError,
        errors.BudgetSpentError,
        errors.DuplicateExampleError,
        errors.NearDuplicateExampleError,
        errors.TriesSpentError,
        errors.ContrastInvalidError,
        errors.NoAnswerError,
        errors.TextWithheldError,
        ChatNotFoundError,
        ChatFinishedError,
        ChatChangedError,
        ChoiceNeededError,
        *_TARGET_ERRORS,
    ),
)
async def submit_example(
    round_id: UUID, body: ExampleCreate, actor: ActorDep, examples: Examples, key: RequestKeyDep
) -> ExampleRead:
    """Show an attempt to the round's target models and keep it, fooled or not."""
    return await examples.submit(round_id, body, actor=actor, key=key)


@router.get("/rounds/{round_id}/examples/mine", openapi_extra=raises(RoundNotFoundError))
async def list_mine(
    round_id: UUID, actor: ActorDep, examples: Examples, context_id: UUID | None = None
) -> list[ExampleRead]:
    """List the reader's own examples of a round, newest first, at most 200."""
    return await examples.mine(round_id, context_id=context_id, actor=actor)


@router.get("/examples/{example_id}", openapi_extra=raises(errors.ExampleNotFoundError))
async def read_example(example_id: UUID, actor: ActorDep, examples: Examples) -> ExampleRead:
    """Show an example to its author, and to the task's owners and experts."""
    return await examples.read(example_id, actor=actor)


@router.patch(
    "/examples/{example_id}",
    openapi_extra=raises(
        errors.ExampleNotFoundError,
        errors.NotYourExampleError,
        errors.ExampleStateError,
        errors.JudgeFailedError,
        FieldValueError,
        RoundReleasedError,
    ),
)
async def change_example(
    example_id: UUID, body: ExamplePatch, actor: ActorDep, examples: Examples
) -> ExampleRead:
    """Add explanations, or say whether the model was fooled where the task asks (author)."""
    return await examples.change(example_id, body, actor=actor)


@router.post(
    "/examples/{example_id}/retract",
    openapi_extra=raises(
        errors.ExampleNotFoundError,
        errors.NotYourExampleError,
        errors.ExampleStateError,
        RoundReleasedError,
    ),
)
async def retract_example(example_id: UUID, actor: ActorDep, examples: Examples) -> ExampleRead:
    """Take an example back: it is kept and counted, but never as fooling (author)."""
    return await examples.retract(example_id, actor=actor)


@router.post(
    "/examples/{example_id}/flag",
    openapi_extra=raises(
        errors.ExampleNotFoundError, errors.NotYourExampleError, RoundReleasedError
    ),
)
async def flag_example(
    example_id: UUID, body: FlagCreate, actor: ActorDep, examples: Examples
) -> ExampleRead:
    """Say that something is wrong with an example or its context (author)."""
    return await examples.flag(example_id, body, actor=actor)


@router.post(
    "/tasks/{slug}/tries",
    openapi_extra=raises(
        TaskNotFoundError,
        ContextNotFoundError,
        ModelNotFoundError,
        ModelNotReadyError,
        FieldValueError,
        errors.TriesCountError,
        errors.TriesPausedError,
        errors.VisitorsMayNotTryError,
        errors.TextWithheldError,
        *_TARGET_ERRORS,
    ),
)
async def try_out(slug: str, body: TryCreate, actor: ActorDep, sandbox: Sandbox) -> TryRead:
    """Play with a task's target without an account; nothing is stored."""
    return await sandbox.try_out(slug, body, actor=actor)


@router.post(
    "/tasks/{slug}/tries/replies",
    openapi_extra=raises(
        TaskNotFoundError,
        ContextNotFoundError,
        ModelNotFoundError,
        ModelNotReadyError,
        FieldValueError,
        ChatFieldError,
        ReplyFailedError,
        errors.TriesCountError,
        errors.TriesPausedError,
        errors.VisitorsMayNotTryError,
        *_TARGET_ERRORS,
    ),
)
async def try_replies(
    slug: str, body: TryRepliesCreate, actor: ActorDep, sandbox: Sandbox
) -> TryRepliesRead:
    """Talk with a task's models without an account; the conversation is stored nowhere."""
    return await sandbox.reply(slug, body, actor=actor)
