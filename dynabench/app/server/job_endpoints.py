"""Routes of durable jobs: their progress, their log, cancelling."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Request, Response

from dynabench.app.job_service import JobService
from dynabench.engines.jobs.errors import JobFinishedError, JobNotFoundError
from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.streams import EventStream, LastEventId, StreamsDep, TooManyStreamsError
from dynabench.kit.web import ActorDep, provide, raises

router = APIRouter(prefix="/api/v1", tags=["jobs"])

Jobs = Annotated[JobService, Depends(provide(JobService))]


@router.get("/jobs")
async def list_jobs(actor: ActorDep, jobs: Jobs) -> list[JobRead]:
    """List the newest jobs: one's own, or all of them for administrators."""
    return await jobs.list(actor=actor)


@router.get("/jobs/live", openapi_extra=raises(TooManyStreamsError), response_class=EventStream)
async def watch_jobs(
    request: Request,
    actor: ActorDep,
    jobs: Jobs,
    streams: StreamsDep,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream the newest jobs as server-sent events `jobs`, each of which is the whole list."""
    source = jobs.watching_list(actor)
    return await streams.respond(source, request=request, actor=actor, last_id=last_event_id)


@router.get("/jobs/{job_id}", openapi_extra=raises(JobNotFoundError))
async def read_job(job_id: UUID, actor: ActorDep, jobs: Jobs) -> JobRead:
    """Show a job's state and progress."""
    return await jobs.read(job_id, actor=actor)


@router.get(
    "/jobs/{job_id}/live",
    openapi_extra=raises(JobNotFoundError, TooManyStreamsError),
    response_class=EventStream,
)
async def watch_job(
    job_id: UUID,
    request: Request,
    actor: ActorDep,
    jobs: Jobs,
    streams: StreamsDep,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream a job's state and progress as server-sent events `job`, until it is over."""
    source = jobs.watching(job_id)
    return await streams.respond(source, request=request, actor=actor, last_id=last_event_id)


@router.get("/jobs/{job_id}/log", openapi_extra=raises(JobNotFoundError))
async def read_job_log(job_id: UUID, actor: ActorDep, jobs: Jobs) -> list[str]:
    """Show a job's log, oldest line first."""
    return await jobs.log(job_id, actor=actor)


@router.post("/jobs/{job_id}/cancel", openapi_extra=raises(JobNotFoundError, JobFinishedError))
async def cancel_job(job_id: UUID, actor: ActorDep, jobs: Jobs) -> JobRead:
    """Stop a job; what it finished stays."""
    return await jobs.cancel(job_id, actor=actor)
