import asyncio
from collections.abc import Coroutine

import pytest
from sqlalchemy import func, update

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.tasks.errors import (
    JoinLinkInvalidError,
    JoinLinkUsedError,
    LastOwnerError,
    TaskNotFoundError,
    TaskRoleNeededError,
)
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.schemas import JoinLinkCreate
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.directory.service import UserDirectory
from dynabench.people.errors import UserNotFoundError
from dynabench.people.notifications.service import NotificationService
from dynabench.people.permissions import OPERATOR
from dynabench.people.tables import users
from tests.conftest import HeldClock
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio


@pytest.fixture
def tasks(database: Database, clock: Clock) -> TaskService:
    return TaskService(database, clock)


@pytest.fixture
def members(database: Database, clock: Clock, tasks: TaskService) -> MemberService:
    directory = UserDirectory(database, clock)
    notifications = NotificationService(database, clock)
    return MemberService(
        database, clock, tasks=tasks, directory=directory, notifications=notifications
    )


async def _owner(database: Database, *, username: str = "olga") -> Actor:
    """Return the owner of a new task `nli`."""
    task = await make_task(database, slug="nli")
    owner = await make_user(database, username=username)
    await add_member(database, task, owner, TaskRole.OWNER)
    return owner


def _secret(path: str) -> str:
    return path.rpartition("/")[2]


@pytest.mark.parametrize("who", ["visitor", "stranger", "annotator", "expert", "owner", "admin"])
async def test_only_owners_and_administrators_see_and_change_members(
    database: Database, members: MemberService, tasks: TaskService, who: str
) -> None:
    await _owner(database)
    await make_user(database, username="ada")
    actor = VISITOR if who == "visitor" else await make_user(database, is_admin=who == "admin")
    if who in {role.value for role in TaskRole}:
        await add_member(database, await tasks.get("nli"), actor, TaskRole(who))
    uses: list[Coroutine[object, object, object]] = [
        members.set_role("nli", username="ada", role=TaskRole.EXPERT, actor=actor),
        members.remove("nli", username="ada", actor=actor),
        members.list("nli", actor=actor),
        members.join_links("nli", actor=actor),
        members.create_join_link("nli", JoinLinkCreate(), actor=actor),
    ]
    for use in uses:
        if who in {"owner", "admin"}:
            await use
        else:
            with pytest.raises(SignInRequiredError if who == "visitor" else TaskRoleNeededError):
                await use


async def test_members_of_a_draft_are_no_strangers_business(
    database: Database, members: MemberService
) -> None:
    await make_task(database, slug="draft", status=TaskStatus.DRAFT)
    with pytest.raises(TaskNotFoundError):
        await members.list("draft", actor=await make_user(database))


async def test_a_role_counts_at_once_and_so_does_its_end(
    database: Database, members: MemberService, tasks: TaskService, clock: HeldClock
) -> None:
    owner = await _owner(database)
    ada = await make_user(database, username="ada")
    task = await tasks.get("nli")
    assert await tasks.role_of(task.id, ada) is None
    made = await members.set_role("nli", username="ADA", role=TaskRole.EXPERT, actor=owner)
    assert (made.username, made.role) == ("ada", TaskRole.EXPERT)
    assert await tasks.role_of(task.id, ada) is TaskRole.EXPERT
    await tasks.require_role(task, ada, TaskRole.ANNOTATOR)
    with pytest.raises(TaskRoleNeededError):
        await tasks.require_role(task, ada, TaskRole.OWNER)
    clock.advance(hours=1)
    again = await members.set_role("nli", username="ada", role=TaskRole.OWNER, actor=owner)
    assert again.added_at == made.added_at
    listed = await members.list("nli", actor=owner)
    assert [(one.username, one.role) for one in listed] == [
        ("ada", TaskRole.OWNER),
        ("olga", TaskRole.OWNER),
    ]
    for _ in range(2):
        await members.remove("nli", username="ada", actor=owner)
        assert await tasks.role_of(task.id, ada) is None


async def test_who_gets_a_role_is_told_once(
    database: Database, members: MemberService, clock: HeldClock
) -> None:
    owner = await _owner(database)
    ada = await make_user(database, username="ada")
    for _ in range(2):
        await members.set_role("nli", username="ada", role=TaskRole.EXPERT, actor=owner)
    await members.set_role("nli", username="olga", role=TaskRole.OWNER, actor=owner)

    told = await NotificationService(database, clock).page(actor=ada, cursor=None)
    assert [(one.kind.value, one.details, one.path) for one in told.items] == [
        ("member.role_given", {"slug": "nli", "role": "expert", "by": "olga"}, "/tasks/nli")
    ]
    nobody = await NotificationService(database, clock).page(actor=owner, cursor=None)
    assert nobody.items == []


async def test_a_name_that_nobody_can_sign_in_with_gets_no_role(
    database: Database, members: MemberService
) -> None:
    owner = await _owner(database)
    await make_user(database, username="pseudonym", is_synthetic=True)
    for username in ("nobody", "pseudonym"):
        with pytest.raises(UserNotFoundError):
            await members.set_role("nli", username=username, role=TaskRole.EXPERT, actor=owner)


async def test_a_tasks_last_owner_stays(database: Database, members: MemberService) -> None:
    owner = await _owner(database)
    with pytest.raises(LastOwnerError):
        await members.set_role("nli", username="olga", role=TaskRole.EXPERT, actor=owner)
    with pytest.raises(LastOwnerError):
        await members.remove("nli", username="olga", actor=OPERATOR)
    await members.set_role("nli", username="olga", role=TaskRole.OWNER, actor=owner)


async def test_two_owners_who_remove_each_other_at_once_leave_one(
    database: Database, members: MemberService, tasks: TaskService
) -> None:
    olga = await _owner(database)
    otto = await make_user(database, username="otto")
    await add_member(database, await tasks.get("nli"), otto, TaskRole.OWNER)
    results = await asyncio.gather(
        members.remove("nli", username="otto", actor=olga),
        members.remove("nli", username="olga", actor=otto),
        return_exceptions=True,
    )
    # Who comes second either is the last owner or, with the first one through, none any more.
    refused = (LastOwnerError, TaskRoleNeededError)
    assert sum(isinstance(result, refused) for result in results) == 1
    assert len(await members.list("nli", actor=OPERATOR)) == 1


async def test_a_link_gives_its_role_to_everybody_who_takes_it(
    database: Database, members: MemberService, tasks: TaskService
) -> None:
    owner = await _owner(database)
    made = await members.create_join_link("nli", JoinLinkCreate(role=TaskRole.EXPERT), actor=owner)
    people = [await make_user(database) for _ in range(3)]
    for person in (*people, people[0]):
        joined = await members.join(_secret(made.path), actor=person)
        assert (joined.task_slug, joined.role) == ("nli", TaskRole.EXPERT)
    (shown,) = await members.join_links("nli", actor=owner)
    assert (shown.uses, shown.role) == (3, TaskRole.EXPERT)
    task = await tasks.get("nli")
    assert await tasks.role_of(task.id, people[0]) is TaskRole.EXPERT


@pytest.mark.parametrize("role", [None, TaskRole.EXPERT])
async def test_a_link_of_an_owner_who_is_one_no_more_lets_nobody_in(
    database: Database, members: MemberService, tasks: TaskService, role: TaskRole | None
) -> None:
    owner = await _owner(database)
    otto = await make_user(database, username="otto")
    await add_member(database, await tasks.get("nli"), otto, TaskRole.OWNER)
    made = await members.create_join_link("nli", JoinLinkCreate(role=TaskRole.OWNER), actor=otto)
    if role is None:
        await members.remove("nli", username="otto", actor=owner)
    else:
        await members.set_role("nli", username="otto", role=role, actor=owner)

    for person in (otto, await make_user(database)):
        with pytest.raises(JoinLinkInvalidError):
            await members.join(_secret(made.path), actor=person)


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR])
async def test_a_link_gives_no_role_back_that_an_owner_took(
    database: Database, members: MemberService, tasks: TaskService, role: TaskRole | None
) -> None:
    owner = await _owner(database)
    made = await members.create_join_link("nli", JoinLinkCreate(role=TaskRole.EXPERT), actor=owner)
    eve = await make_user(database, username="eve")
    await members.join(_secret(made.path), actor=eve)
    if role is None:
        await members.remove("nli", username="eve", actor=owner)
    else:
        await members.set_role("nli", username="eve", role=role, actor=owner)

    with pytest.raises(JoinLinkUsedError):
        await members.join(_secret(made.path), actor=eve)

    assert await tasks.role_of((await tasks.get("nli")).id, eve) is role


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR])
async def test_no_older_link_gives_a_lost_role_back_and_a_newer_one_does(
    database: Database, members: MemberService, tasks: TaskService, role: TaskRole | None
) -> None:
    owner = await _owner(database)
    wanted = JoinLinkCreate(role=TaskRole.EXPERT)
    used, unused = [await members.create_join_link("nli", wanted, actor=owner) for _ in range(2)]
    eve = await make_user(database, username="eve")
    await members.join(_secret(used.path), actor=eve)
    if role is None:
        await members.remove("nli", username="eve", actor=owner)
    else:
        await members.set_role("nli", username="eve", role=role, actor=owner)

    with pytest.raises(JoinLinkUsedError):
        await members.join(_secret(unused.path), actor=eve)
    assert await tasks.role_of((await tasks.get("nli")).id, eve) is role

    newer = await members.create_join_link("nli", wanted, actor=owner)
    assert (await members.join(_secret(newer.path), actor=eve)).role is TaskRole.EXPERT


async def test_a_risen_role_keeps_no_older_link_from_giving_more(
    database: Database, members: MemberService
) -> None:
    owner = await _owner(database)
    made = await members.create_join_link("nli", JoinLinkCreate(role=TaskRole.OWNER), actor=owner)
    eve = await make_user(database, username="eve")
    for role in (TaskRole.ANNOTATOR, TaskRole.EXPERT):
        await members.set_role("nli", username="eve", role=role, actor=owner)
    assert (await members.join(_secret(made.path), actor=eve)).role is TaskRole.OWNER


async def _disable(database: Database, actor: Actor) -> None:
    async with database.transaction() as session:
        await session.execute(
            update(users).where(users.c.id == actor.user_id).values(disabled_at=func.now())
        )


async def test_a_link_of_a_disabled_owner_lets_nobody_in(
    database: Database, members: MemberService
) -> None:
    owner = await _owner(database)
    made = await members.create_join_link("nli", JoinLinkCreate(), actor=owner)
    await _disable(database, owner)
    with pytest.raises(JoinLinkInvalidError):
        await members.join(_secret(made.path), actor=await make_user(database))


async def test_a_disabled_owner_is_no_other_owner_and_may_go(
    database: Database, members: MemberService, tasks: TaskService
) -> None:
    await _owner(database)
    otto = await make_user(database, username="otto")
    await add_member(database, await tasks.get("nli"), otto, TaskRole.OWNER)
    await _disable(database, otto)
    with pytest.raises(LastOwnerError):
        await members.remove("nli", username="olga", actor=OPERATOR)
    await members.remove("nli", username="otto", actor=OPERATOR)


async def test_a_link_takes_no_role_away(database: Database, members: MemberService) -> None:
    owner = await _owner(database)
    made = await members.create_join_link("nli", JoinLinkCreate(), actor=owner)
    joined = await members.join(_secret(made.path), actor=owner)
    assert joined.role is TaskRole.OWNER


async def test_a_link_lets_people_into_a_draft(
    database: Database, members: MemberService, tasks: TaskService
) -> None:
    await make_task(database, slug="draft", status=TaskStatus.DRAFT)
    made = await members.create_join_link("draft", JoinLinkCreate(), actor=OPERATOR)
    ada = await make_user(database)
    await members.join(_secret(made.path), actor=ada)
    assert (await tasks.get_for("draft", ada)).slug == "draft"


async def test_a_link_that_does_not_hold_any_more_is_refused(
    database: Database, members: MemberService, tasks: TaskService, clock: HeldClock
) -> None:
    owner = await _owner(database)
    ada = await make_user(database)
    await make_task(database, slug="other")
    revoked, expired, archived = [
        await members.create_join_link("nli", JoinLinkCreate(expires_in_days=days), actor=owner)
        for days in (5, 1, 5)
    ]
    with pytest.raises(SignInRequiredError):
        await members.join(_secret(revoked.path), actor=VISITOR)
    with pytest.raises(JoinLinkInvalidError):
        await members.revoke_join_link("other", link_id=revoked.id, actor=OPERATOR)
    await members.revoke_join_link("nli", link_id=revoked.id, actor=owner)
    with pytest.raises(JoinLinkInvalidError):
        await members.revoke_join_link("nli", link_id=new_id(), actor=owner)
    clock.set(expired.expires_at)
    await tasks.archive("nli", actor=owner)
    for link in (revoked, expired, archived):
        with pytest.raises(JoinLinkInvalidError):
            await members.join(_secret(link.path), actor=ada)
    with pytest.raises(JoinLinkInvalidError):
        await members.join("\ud800", actor=ada)
