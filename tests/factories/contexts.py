"""Contexts for tests, of which a test names only what it is about."""

from itertools import count

from dynabench.kit.clock import Clock, SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.wire import Values
from dynabench.loop.contexts.repository import ContextRepository
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.values import Context, ContextItem
from dynabench.loop.media.resolving.service import MediaResolver
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from tests.factories.media import make_media_resolver

_numbers = count(1)


def make_context_service(
    db: Database, clock: Clock | None = None, *, media: MediaResolver | None = None
) -> ContextService:
    """Put the service together."""
    clock = clock or SystemClock()
    return ContextService(
        db=db,
        clock=clock,
        tasks=TaskService(db, clock),
        media=media or make_media_resolver(db, clock),
    )


async def make_context(
    db: Database,
    task: Task,
    *,
    content: Values | None = None,
    tag: str = "",
    clock: Clock | None = None,
) -> Context:
    """Write a context; its content is unlike any other's unless the test gives one."""
    if content is None:
        content = {
            field.name: f"Text number {next(_numbers)} of a test." for field in task.config.context
        }
    item = ContextItem(content=content, tag=tag)
    async with db.transaction() as session:
        done = await make_context_service(db, clock).add(session, task_id=task.id, items=[item])
        (context_id,) = done.ids.values()
        found = await ContextRepository(session).get(context_id)
    assert found is not None
    return found
