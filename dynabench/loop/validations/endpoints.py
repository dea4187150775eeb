"""Routes of validations: votes, outcomes, error rates."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from dynabench.kit.actor import ReadOnlyTokenError
from dynabench.kit.paging import Page
from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.examples.errors import ExampleNotFoundError
from dynabench.loop.rounds.errors import RoundNotFoundError, RoundReleasedError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskStateError
from dynabench.loop.validations import errors
from dynabench.loop.validations.arms.service import ArmService
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.loop.validations.schemas import (
    AgreementRead,
    AnnotatorBoardRead,
    ArmRead,
    CreditRead,
    CurrentRoundRead,
    DayCount,
    ErrorRateRead,
    ExpertDecision,
    ExpertDecisionRead,
    MyProgressRead,
    NextToValidateRead,
    OutcomeQuery,
    OutcomeRead,
    ValidationCreate,
    ValidationRead,
    VoidRequest,
)
from dynabench.loop.validations.service import ValidationService
from dynabench.people.errors import UserNotFoundError
from dynabench.science.task_config.problems import FieldValueError

router = APIRouter(prefix="/api/v1", tags=["validations"])

Validations = Annotated[ValidationService, Depends(provide(ValidationService))]
Experts = Annotated[ExpertService, Depends(provide(ExpertService))]
Arms = Annotated[ArmService, Depends(provide(ArmService))]
ErrorRates = Annotated[ErrorRateService, Depends(provide(ErrorRateService))]


@router.get(
    "/rounds/{round_id}/next-to-validate",
    openapi_extra=raises(
        RoundNotFoundError,
        TaskStateError,
        ReadOnlyTokenError,
        errors.AnswersKnownError,
        errors.AnswersReadError,
        errors.AccountTooNewError,
    ),
)
async def next_to_validate(
    round_id: UUID,
    actor: ActorDep,
    validations: Validations,
    count: Annotated[int, Query(ge=1, le=5)] = 3,
) -> NextToValidateRead:
    """Lend the next examples to judge: fooling first, then closest to a quorum, then oldest."""
    return await validations.next_items(round_id, count=count, actor=actor)


@router.delete(
    "/examples/{example_id}/validation-lease",
    status_code=204,
    openapi_extra=raises(ExampleNotFoundError, TaskStateError, errors.TooManySkipsError),
)
async def skip_item(example_id: UUID, actor: ActorDep, validations: Validations) -> None:
    """Give a lent example back without a vote; it is not offered again in this round."""
    await validations.skip(example_id, actor=actor)


@router.post(
    "/examples/{example_id}/validations",
    status_code=201,
    openapi_extra=raises(
        ExampleNotFoundError,
        TaskStateError,
        errors.OwnExampleError,
        errors.AnswersKnownError,
        errors.AnswersReadError,
        errors.AlreadyVotedError,
        errors.NotLentError,
        errors.NotWaitingError,
        errors.VoteNeededError,
        FieldValueError,
    ),
)
async def cast_vote(
    example_id: UUID,
    body: ValidationCreate,
    actor: ActorDep,
    validations: Validations,
    key: RequestKeyDep,
) -> ValidationRead:
    """Judge an example of somebody else that `next-to-validate` has lent."""
    return await validations.vote(example_id, body, actor=actor, key=key)


@router.delete(
    "/validations/{validation_id}",
    status_code=204,
    openapi_extra=raises(
        errors.ValidationNotFoundError, errors.WithdrawalTooLateError, RoundReleasedError
    ),
)
async def withdraw_vote(validation_id: UUID, actor: ActorDep, validations: Validations) -> None:
    """Withdraw a vote within ten seconds; in a blind round others judge the example then."""
    await validations.withdraw(validation_id, actor=actor)


@router.get("/rounds/{round_id}/outcomes", openapi_extra=raises(RoundNotFoundError))
async def list_outcomes(
    round_id: UUID,
    actor: ActorDep,
    experts: Experts,
    query: Annotated[OutcomeQuery, Query()],
) -> Page[OutcomeRead]:
    """Browse a round's examples with their votes (owners and experts)."""
    return await experts.browse(round_id, chosen=query, cursor=query.cursor, actor=actor)


@router.get("/examples/{example_id}/outcome", openapi_extra=raises(ExampleNotFoundError))
async def read_outcome(example_id: UUID, actor: ActorDep, experts: Experts) -> OutcomeRead:
    """Show one example with its votes (owners and experts)."""
    return await experts.read(example_id, actor=actor)


@router.post(
    "/rounds/{round_id}/expert-decisions",
    openapi_extra=raises(
        RoundNotFoundError, ExampleNotFoundError, FieldValueError, RoundReleasedError
    ),
)
async def decide(
    round_id: UUID, body: ExpertDecision, actor: ActorDep, experts: Experts
) -> ExpertDecisionRead:
    """Decide one or many examples; the latest expert vote decides (owners and experts)."""
    return await experts.decide(round_id, body, actor=actor)


@router.post(
    "/rounds/{round_id}/voided-examples",
    openapi_extra=raises(RoundNotFoundError, ExampleNotFoundError, RoundReleasedError),
)
async def void(
    round_id: UUID, body: VoidRequest, actor: ActorDep, experts: Experts
) -> ExpertDecisionRead:
    """Take examples out of every count, with the reason (owners and experts)."""
    return await experts.void(round_id, body, actor=actor)


@router.get(
    "/rounds/{round_id}/export",
    openapi_extra=raises(RoundNotFoundError),
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
)
async def export_round(round_id: UUID, actor: ActorDep, experts: Experts) -> StreamingResponse:
    """Download a round's examples with all votes as JSON lines (owners)."""
    lines = await experts.export(round_id, actor=actor)
    return StreamingResponse(
        lines,
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="round-{round_id}.jsonl"'},
    )


@router.get("/rounds/{round_id}/error-rate", openapi_extra=raises(RoundNotFoundError))
async def read_error_rate(
    round_id: UUID, actor: ActorDep, error_rates: ErrorRates
) -> ErrorRateRead:
    """Show a round's MER and vMER with everything that is counted."""
    return await error_rates.of_round(round_id, actor=actor)


@router.get("/rounds/{round_id}/arms", openapi_extra=raises(RoundNotFoundError))
async def list_arms(round_id: UUID, actor: ActorDep, arms: Arms) -> list[ArmRead]:
    """Compare a round's control arms with its targets; while it is open, its owners alone."""
    return await arms.of_round(round_id, actor=actor)


@router.get("/rounds/{round_id}/days", openapi_extra=raises(RoundNotFoundError))
async def list_days(round_id: UUID, actor: ActorDep, error_rates: ErrorRates) -> list[DayCount]:
    """List a round's attempts per day, oldest first."""
    return await error_rates.days(round_id, actor=actor)


@router.get("/rounds/{round_id}/annotators", openapi_extra=raises(RoundNotFoundError))
async def read_annotator_board(
    round_id: UUID, actor: ActorDep, error_rates: ErrorRates
) -> AnnotatorBoardRead:
    """Show the annotator board: most validated fooling examples first."""
    return await error_rates.annotators(round_id, actor=actor)


@router.get("/rounds/{round_id}/agreement", openapi_extra=raises(RoundNotFoundError))
async def read_agreement(round_id: UUID, actor: ActorDep, error_rates: ErrorRates) -> AgreementRead:
    """Show how far a round's validators agree."""
    return await error_rates.agreement(round_id, actor=actor)


@router.get("/rounds/{round_id}/my-progress", openapi_extra=raises(RoundNotFoundError))
async def read_my_progress(
    round_id: UUID, actor: ActorDep, error_rates: ErrorRates
) -> MyProgressRead:
    """Show what the reader did in a round."""
    return await error_rates.my_progress(round_id, actor=actor)


@router.get("/users/{username}/credit", openapi_extra=raises(UserNotFoundError))
async def read_credit(username: str, error_rates: ErrorRates) -> list[CreditRead]:
    """Show what a person did, by task and round."""
    return await error_rates.credit(username)


@router.get("/current-rounds")
async def list_current_rounds(actor: ActorDep, error_rates: ErrorRates) -> list[CurrentRoundRead]:
    """List each active task's latest round and how hard its target is today."""
    return await error_rates.current_rounds(actor=actor)


@router.get("/tasks/{slug}/current-round", openapi_extra=raises(TaskNotFoundError))
async def read_current_round(
    slug: str, actor: ActorDep, error_rates: ErrorRates
) -> CurrentRoundRead | None:
    """Show a task's latest round; null before its first one."""
    return await error_rates.current_round(slug, actor=actor)
