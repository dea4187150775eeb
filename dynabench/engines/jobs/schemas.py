"""Wire shapes of durable jobs."""

from datetime import datetime
from uuid import UUID

from dynabench.engines.jobs.values import JobState
from dynabench.kit.sentences import Told
from dynabench.kit.wire import Values, WireModel


class JobRead(WireModel):
    """A durable job; `progress` is 0 to 1, `result` is there once it is done.

    `told` says what `error` says, or else `message`.
    """

    id: UUID
    name: str
    state: JobState
    progress: float
    message: str
    told: Told | None = None
    result: Values | None
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
