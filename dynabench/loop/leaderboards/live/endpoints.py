"""Routes of live numbers: as they are, and as they change."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Request, Response

from dynabench.kit.streams import (
    EventStream,
    LastEventId,
    Snapshot,
    StreamsDep,
    TooManyStreamsError,
)
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.leaderboards.live.schemas import RoundNumbersRead, TaskNumbersRead
from dynabench.loop.leaderboards.live.service import LiveNumbers
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Numbers = Annotated[LiveNumbers, Depends(provide(LiveNumbers))]
IfNoneMatch = Annotated[str | None, Header(max_length=200)]


@router.get(
    "/rounds/{round_id}/numbers",
    openapi_extra=raises(RoundNotFoundError),
    response_model=RoundNumbersRead,
)
async def read_round_numbers(
    round_id: UUID, actor: ActorDep, numbers: Numbers, if_none_match: IfNoneMatch = None
) -> Response:
    """Show how a round goes: pace, error rates, backlog, effort, gap, projected end."""
    return _answer(await numbers.of_round(round_id, actor=actor), if_none_match)


@router.get(
    "/rounds/{round_id}/live",
    openapi_extra=raises(RoundNotFoundError, TooManyStreamsError),
    response_class=EventStream,
)
async def watch_round(
    round_id: UUID,
    request: Request,
    actor: ActorDep,
    numbers: Numbers,
    streams: StreamsDep,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream a round's numbers as server-sent events `round`; `end` is the last one."""
    source = numbers.watching_round(round_id)
    return await streams.respond(source, request=request, actor=actor, last_id=last_event_id)


@router.get(
    "/tasks/{slug}/numbers",
    openapi_extra=raises(TaskNotFoundError),
    response_model=TaskNumbersRead,
)
async def read_task_numbers(
    slug: str, actor: ActorDep, numbers: Numbers, if_none_match: IfNoneMatch = None
) -> Response:
    """Show how a task's latest round goes."""
    return _answer(await numbers.of_task(slug, actor=actor), if_none_match)


@router.get(
    "/tasks/{slug}/live",
    openapi_extra=raises(TaskNotFoundError, TooManyStreamsError),
    response_class=EventStream,
)
async def watch_task(
    slug: str,
    request: Request,
    actor: ActorDep,
    numbers: Numbers,
    streams: StreamsDep,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream the numbers of a task's latest round as server-sent events `task`."""
    source = await numbers.watching_task(slug, actor=actor)
    return await streams.respond(source, request=request, actor=actor, last_id=last_event_id)


def _answer(found: Snapshot, if_none_match: str | None) -> Response:
    # Weak: numbers that say the same differ in the moment of which they say it.
    headers = {"ETag": f'W/"{found.digest}"', "Cache-Control": "no-cache"}
    if if_none_match == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type="application/json", headers=headers)
