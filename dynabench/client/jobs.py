"""Calls about durable jobs, and waiting for one."""

from collections.abc import Callable, Iterator

from dynabench.client.addresses import Id
from dynabench.client.calls import get, path, post
from dynabench.client.errors import JobFailedError, WaitedTooLongError
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Watching
from dynabench.client.steps import Pause, Steps
from dynabench.client.watching import Subscription
from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import JobState

_FIRST_PAUSE_SECONDS = 0.1
_LONGEST_PAUSE_SECONDS = 2.0


def _read(job_id: Id) -> Steps[JobRead]:
    return get(path("jobs", job_id), JobRead)


def _pauses() -> Iterator[float]:
    pause = _FIRST_PAUSE_SECONDS
    while True:
        yield pause
        pause = min(pause * 1.5, _LONGEST_PAUSE_SECONDS)


class JobCalls(Calls[FaceT]):
    """Work that the server does in the background: releases, trainings, evaluations.

    Example::

        done = client.jobs.wait(job, on_progress=print)
    """

    @Endpoint
    def list(self) -> Steps[Table[JobRead]]:
        """List the newest jobs: one's own, or all of them for administrators."""
        return get(path("jobs"), Table[JobRead])

    @Endpoint
    def get(self, job_id: Id) -> Steps[JobRead]:
        """Show a job's state and progress."""
        return _read(job_id)

    @Endpoint
    def log(self, job_id: Id) -> Steps[Table[str]]:
        """Show a job's log, oldest line first."""
        return get(path("jobs", job_id, "log"), Table[str])

    @Endpoint
    def cancel(self, job_id: Id) -> Steps[JobRead]:
        """Stop a job; what it finished stays."""
        return post(path("jobs", job_id, "cancel"), JobRead)

    @Endpoint
    def wait(
        self,
        job_id: Id,
        *,
        on_progress: Callable[[JobRead], None] | None = None,
        timeout_seconds: float | None = None,
    ) -> Steps[JobRead]:
        """Wait until a job is done and return it with its `result`.

        Args:
            job_id: The job, as a release, a training or an evaluation returned it.
            on_progress: Called with each state of the job that was seen.
            timeout_seconds: How long to wait, not counting the time of the requests; None
                waits as long as it takes.

        Raises:
            JobFailedError: If the job failed or was cancelled, with the reason.
            WaitedTooLongError: If it was not done in time; it goes on.
        """
        return wait(job_id, on_progress=on_progress, timeout_seconds=timeout_seconds)

    @Watching
    def watch_all(self) -> Subscription[Table[JobRead]]:
        """Watch the newest jobs: one's own, or all of them for administrators."""
        return Subscription(path("jobs", "live"), Table[JobRead])

    @Watching
    def watch(self, job_id: Id) -> Subscription[JobRead]:
        """Watch a job's state and progress, until it is over."""
        return Subscription(path("jobs", job_id, "live"), JobRead)


def wait(
    job_id: Id,
    *,
    on_progress: Callable[[JobRead], None] | None = None,
    timeout_seconds: float | None = None,
) -> Steps[JobRead]:
    """Return the steps of `JobCalls.wait_for_job`, for calls that wait for a job of theirs."""
    waited, pauses = 0.0, _pauses()
    while True:
        job = yield from _read(job_id)
        if on_progress is not None:
            on_progress(job)
        if job.state.is_final:
            return _done(job)
        if timeout_seconds is not None and waited >= timeout_seconds:
            raise WaitedTooLongError(job_id=str(job_id), seconds=timeout_seconds)
        pause = next(pauses)
        yield Pause(seconds=pause)
        waited += pause


def _done(job: JobRead) -> JobRead:
    if job.state is not JobState.DONE:
        raise JobFailedError(
            job_id=str(job.id),
            name=job.name,
            state=job.state.value,
            reason=job.error or job.message or "no reason was given.",
        )
    return job
