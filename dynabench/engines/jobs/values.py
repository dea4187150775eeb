"""What a job is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import JsonValue

from dynabench.kit.sentences import Told

# On this PostgreSQL channel listeners hear of each job whose row changes: its id, the id of the
# person who asked for it, and one word for every job.
CHANNEL = "dynabench_jobs"
EVERY_JOB = "every"
NOBODY = "nobody"


class JobState(StrEnum):
    """How far a job is; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen to the job."""
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


@dataclass(frozen=True, slots=True)
class Job:
    """Work that a worker process does in the background.

    Attributes:
        id: The job's id, made by the one who enqueued it.
        name: Which handler runs it.
        payload: What the handler gets.
        state: How far it is.
        progress: The done part, from 0 to 1, as far as the handler has told.
        message: What it is doing, in a few words.
        result: What the handler returned; None before that, or if that is nothing.
        error: Why it failed, as a sentence.
        told: What the error says, or else the message; None where that is text alone.
        attempts: How often it was started, without those that a stopped worker left to the next.
        created_by: The person who asked for it; None for the platform itself.
        created_at: When it was enqueued.
        started_at: When it was first started.
        finished_at: When it reached a final state.
    """

    id: UUID
    name: str
    payload: Mapping[str, JsonValue]
    state: JobState
    progress: float
    message: str
    result: dict[str, JsonValue] | None
    error: str | None
    attempts: int
    created_by: UUID | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    told: Told | None = None
