"""Why a job cannot be done or found."""

from uuid import UUID

from dynabench.engines.jobs.values import JobState
from dynabench.kit.errors import ConflictError, LimitError, NotFoundError


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


class JobTimeError(LimitError):
    """The long jobs of a person or a task have taken as much time as a day may have."""

    code = "jobs.no_time_left"

    def __init__(self, *, whose: str, hours: float, retry_after_seconds: int) -> None:
        of = "you asked for" if whose == "you" else "of this task"
        super().__init__(
            f"The checks, evaluations and trainings {of} took {hours:g} hours within the last 24, "
            "which is as much as this server gives. Some of it comes back as time passes; the "
            "operator may give more.",
            retry_after_seconds=retry_after_seconds,
            whose=whose,
            hours=hours,
        )


class JobInterrupted(BaseException):
    """Not a failure: this worker may not go on with the job, another one (or it) will later.

    It is no `Exception`, so that a handler that catches those does not stop it, and so that
    the job engine does not record an outcome.
    """


class JobCancelled(BaseException):
    """Somebody cancelled the job; raised in the handler at its next step or progress."""
