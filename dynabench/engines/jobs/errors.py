"""Why a job cannot be done or found."""

from uuid import UUID

from dynabench.engines.jobs.values import JobState
from dynabench.kit.errors import ConflictError, NotFoundError


class JobNotFoundError(NotFoundError):
    """There is no job of this id."""

    code = "jobs.not_found"

    def __init__(self, job_id: UUID) -> None:
        super().__init__(f"There is no job {job_id}.", job_id=str(job_id))


class JobFinishedError(ConflictError):
    """A job that is over cannot be cancelled."""

    code = "jobs.finished"

    def __init__(self, job_id: UUID, *, state: JobState) -> None:
        super().__init__(
            f"The job is already {state.value} and cannot be cancelled.",
            job_id=str(job_id),
            state=state.value,
        )


class JobInterrupted(BaseException):
    """Not a failure: this worker may not go on with the job, another one (or it) will later.

    It is no `Exception`, so that a handler that catches those does not stop it, and so that
    the job engine does not record an outcome.
    """


class JobCancelled(BaseException):
    """Somebody cancelled the job; raised in the handler at its next step or progress."""
