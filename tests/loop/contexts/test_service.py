import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.kit.paging import BadCursorError
from dynabench.loop.contexts.errors import ContextFileError, ContextNotFoundError
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.contexts.values import LEASE_DURATION, ContextItem
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError, TaskStateError
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from tests.factories.contexts import make_context, make_context_service
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


@dataclass(frozen=True)
class Scene:
    contexts: ContextService
    task: Task
    owner: Actor

    async def upload(self, *premises: str, tag: str = "") -> tuple[int, int]:
        lines = [json.dumps({"context": {"premise": one}, "tag": tag}) for one in premises]
        done = await self.contexts.upload(
            self.task.slug, chunks=pieces("\n".join(lines).encode()), actor=self.owner
        )
        return done.added, done.already_there


async def pieces(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 1000):
        yield data[start : start + 1000]


@pytest.fixture
async def scene(database: Database) -> Scene:
    task = await make_task(database)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    return Scene(contexts=make_context_service(database), task=task, owner=owner)


async def test_contexts_are_stored_once_however_often_they_are_sent(scene: Scene) -> None:
    assert await scene.upload("One.", "Two.", "One.") == (2, 1)
    assert await scene.upload("Two.", "Three.") == (1, 1)
    tags = await scene.contexts.tags(scene.task.slug, actor=VISITOR)
    assert [(one.tag, one.contexts) for one in tags] == [("", 3)]


async def test_uploads_of_the_same_at_once_add_each_context_once(scene: Scene) -> None:
    premises = [f"Text {number}." for number in range(300)]
    done = await asyncio.gather(
        scene.upload(*premises), scene.upload(*reversed(premises)), scene.upload(*premises)
    )
    assert sum(added for added, _ in done) == 300


async def test_nothing_of_a_wrong_file_is_stored(scene: Scene) -> None:
    data = b'{"context": {"premise": "Fine."}}\n{"context": {}}'
    with pytest.raises(ContextFileError, match="Line 2"):
        await scene.contexts.upload(scene.task.slug, chunks=pieces(data), actor=scene.owner)
    assert await scene.contexts.tags(scene.task.slug, actor=VISITOR) == []


async def test_pages_follow_one_another_without_gap(scene: Scene) -> None:
    await scene.upload(*(f"Text {number}." for number in range(70)), tag="a")
    await scene.upload("Another.", tag="b")
    seen: list[UUID] = []
    cursor = None
    for _ in range(2):
        page = await scene.contexts.list(scene.task.slug, actor=scene.owner, tag="a", cursor=cursor)
        seen += [context.id for context in page.items]
        cursor = page.next_cursor
    assert cursor is None
    assert len(seen) == len(set(seen)) == 70
    with pytest.raises(BadCursorError):
        await scene.contexts.list(scene.task.slug, actor=scene.owner, tag=None, cursor="x")


async def test_a_retired_context_is_handed_out_no_more(scene: Scene, database: Database) -> None:
    context = await make_context(database, scene.task, tag="a")
    await scene.contexts.retire(context.id, actor=scene.owner)
    assert await scene.contexts.tags(scene.task.slug, actor=VISITOR) == []
    assert (await scene.contexts.get(context.id)).retired_at is not None
    assert (await scene.contexts.read(context.id, actor=scene.owner)).id == context.id
    with pytest.raises(ContextNotFoundError):
        await scene.contexts.read(context.id, actor=VISITOR)


async def test_an_archived_task_takes_no_contexts(database: Database) -> None:
    admin = await make_user(database, is_admin=True)
    task = await make_task(database, status=TaskStatus.ARCHIVED)
    with pytest.raises(TaskStateError):
        await make_context_service(database).upload(task.slug, chunks=pieces(b"{}"), actor=admin)


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_upload_list_and_retire(
    scene: Scene, database: Database, role: TaskRole | None
) -> None:
    person = await make_user(database)
    if role is not None:
        await add_member(database, scene.task, person, role)
    context = await make_context(database, scene.task)
    slug = scene.task.slug
    with pytest.raises(TaskRoleNeededError):
        await scene.contexts.upload(slug, chunks=pieces(b"{}"), actor=person)
    with pytest.raises(TaskRoleNeededError):
        await scene.contexts.list(slug, actor=person, tag=None, cursor=None)
    with pytest.raises(TaskRoleNeededError):
        await scene.contexts.retire(context.id, actor=person)
    assert (await scene.contexts.read(context.id, actor=person)).id == context.id


async def test_a_visitor_reads_a_context_but_changes_none(scene: Scene, database: Database) -> None:
    context = await make_context(database, scene.task)
    assert (await scene.contexts.read(context.id, actor=VISITOR)).content == context.content
    with pytest.raises(SignInRequiredError):
        await scene.contexts.retire(context.id, actor=VISITOR)


async def test_contexts_of_a_hidden_task_are_not_found(database: Database) -> None:
    task = await make_task(database, status=TaskStatus.DRAFT)
    context = await make_context(database, task)
    contexts = make_context_service(database)
    with pytest.raises(ContextNotFoundError):
        await contexts.read(context.id, actor=VISITOR)
    with pytest.raises(TaskNotFoundError):
        await contexts.tags(task.slug, actor=VISITOR)
    with pytest.raises(ContextNotFoundError):
        await contexts.get(uuid4())


async def test_added_contexts_are_found_by_their_content(scene: Scene, database: Database) -> None:
    there = await make_context(database, scene.task)
    items = [ContextItem(content=there.content), ContextItem(content={"premise": "New."})]
    async with database.transaction() as session:
        done = await scene.contexts.add(session, task_id=scene.task.id, items=items)
    assert (done.added, done.already_there) == (1, 1)
    assert done.ids[content_digest(there.content)] == there.id
    new = await scene.contexts.get(done.ids[content_digest({"premise": "New."})])
    assert new.content == {"premise": "New."}


async def test_a_lease_is_renewed_and_never_becomes_shorter(
    scene: Scene, database: Database
) -> None:
    context, round_ = (
        await make_context(database, scene.task),
        await make_round(database, scene.task),
    )
    person = await make_user(database)
    assert person.user_id is not None
    now = SystemClock().now()

    async def lease_end() -> object:
        async with database.read() as session:
            return await scene.contexts.lease_of(
                session,
                round_id=round_.id,
                context_id=context.id,
                annotator_id=person.user_id or uuid4(),
            )

    assert await lease_end() is None
    for at in (now, now + timedelta(minutes=10), now + timedelta(minutes=5)):
        async with database.transaction() as session:
            await scene.contexts.lease(
                session,
                round_id=round_.id,
                context_id=context.id,
                annotator_id=person.user_id,
                now=at,
            )
    assert await lease_end() == now + timedelta(minutes=10) + LEASE_DURATION
