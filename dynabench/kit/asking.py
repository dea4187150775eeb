"""Who a change in the database is made for, so that the audit trail can say it.

A request, a job or a command notes itself here once. A transaction hands the note to
PostgreSQL, whose triggers write the trail (revision 0010).
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody or something that changes what is recorded.

    Attributes:
        name: The person's username, or what acts by itself, such as `operator` or a job.
        user_id: The person; None where nobody is signed in.
        request_id: The request or the job.
    """

    name: str
    user_id: UUID | None = None
    request_id: str = ""

    def to_json(self) -> str:
        """Return the note as the triggers read it."""
        user_id = None if self.user_id is None else str(self.user_id)
        return json.dumps({"name": self.name, "user_id": user_id, "request_id": self.request_id})


asking: ContextVar[Asking | None] = ContextVar("asking", default=None)


@contextmanager
def asked_by(one: Asking) -> Iterator[None]:
    """Note who asks for what is changed inside, and nobody for what comes after it."""
    token = asking.set(one)
    try:
        yield
    finally:
        asking.reset(token)
