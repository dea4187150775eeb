import asyncio
from typing import Any, TypeAlias

import psycopg
import pytest
from sqlalchemy import text

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.kit.idempotency import IdempotencyKeyReusedError, RequestKey
from dynabench.kit.ids import new_id
from dynabench.loop.tasks.errors import (
    ConfigInvalidError,
    ConfigVersionNotFoundError,
    ShapeFrozenError,
    SlugTakenError,
    TaskNotFoundError,
    TaskRoleNeededError,
    TaskStateError,
    TooManyChecksError,
)
from dynabench.loop.tasks.lookup import service as lookup
from dynabench.loop.tasks.repository import TaskRepository
from dynabench.loop.tasks.schemas import ConfigCheck, ConfigUpdate, TaskCreate, TaskPatch
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from dynabench.people.errors import AdminNeededError
from dynabench.people.permissions import OPERATOR
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig
from tests.conftest import HeldClock
from tests.factories.people import make_user
from tests.factories.tasks import NLI_CONFIG, add_member, make_task

# Early enough for tests with parameters.
pytestmark = pytest.mark.anyio

Cursor: TypeAlias = psycopg.AsyncCursor[Any]
REWORDED = NLI_CONFIG.replace("title: Inference", "title: Entailment")
RESHAPED = NLI_CONFIG.replace(", contradiction]", "]")


@pytest.fixture
def tasks(database: Database, clock: Clock) -> TaskService:
    return TaskService(database, clock)


@pytest.fixture
async def admin(database: Database) -> Actor:
    return await make_user(database, username="root", is_admin=True)


async def test_a_task_begins_as_its_makers_draft(tasks: TaskService, admin: Actor) -> None:
    made = await tasks.create(TaskCreate(slug="nli", config=NLI_CONFIG), actor=admin)
    assert (made.slug, made.title, made.status) == ("nli", "Inference", TaskStatus.DRAFT)
    assert (made.config_version, made.my_role, made.owners) == (1, TaskRole.OWNER, ["root"])
    assert made.is_open_to_everyone
    assert await tasks.read("nli", actor=admin) == made


@pytest.mark.parametrize("who", ["visitor", "person"])
async def test_only_administrators_make_tasks(
    database: Database, tasks: TaskService, who: str
) -> None:
    actor = VISITOR if who == "visitor" else await make_user(database)
    with pytest.raises(SignInRequiredError if who == "visitor" else AdminNeededError):
        await tasks.create(TaskCreate(slug="nli", config=NLI_CONFIG), actor=actor)


async def test_a_slug_belongs_to_one_task(tasks: TaskService, admin: Actor) -> None:
    body = TaskCreate(slug="nli", config=NLI_CONFIG)
    results = await asyncio.gather(
        *(tasks.create(body, actor=admin) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(result, SlugTakenError) for result in results) == 2


async def test_a_creation_that_is_sent_again_is_done_once(tasks: TaskService, admin: Actor) -> None:
    def key(body: bytes) -> RequestKey:
        return RequestKey.of(actor_id=admin.user_id, route="POST /tasks", key="k", body=body)

    body = TaskCreate(slug="nli", config=NLI_CONFIG)
    both = await asyncio.gather(*(tasks.create(body, actor=admin, key=key(b"1")) for _ in range(2)))
    again = await tasks.create(body, actor=admin, key=key(b"1"))
    assert both[0] == both[1] == again
    with pytest.raises(IdempotencyKeyReusedError):
        await tasks.create(body, actor=admin, key=key(b"2"))


async def test_a_config_that_cannot_be_used_is_told_apart_and_not_stored(
    tasks: TaskService, admin: Actor
) -> None:
    broken = NLI_CONFIG.replace("type: multiclass", "type: multiclas")
    with pytest.raises(ConfigInvalidError) as refused:
        await tasks.create(TaskCreate(slug="nli", config=broken), actor=admin)
    assert refused.value.fields
    with pytest.raises(SignInRequiredError):
        await tasks.check(ConfigCheck(config=broken), actor=VISITOR)
    checked = await tasks.check(ConfigCheck(config=broken), actor=admin)
    assert checked.config is None
    assert checked.problems[0].line is not None
    assert (checked.problems[0].column or 0) > 1
    good = await tasks.check(ConfigCheck(config=NLI_CONFIG), actor=admin)
    assert (good.problems, good.frozen_changes) == ([], [])
    assert good.config
    with pytest.raises(TaskNotFoundError):
        await tasks.get("nli")


async def test_nobody_has_many_configs_checked_at_once(tasks: TaskService, admin: Actor) -> None:
    body = ConfigCheck(config=NLI_CONFIG)
    asked = [tasks.check(body, actor=admin) for _ in range(6)]

    found = await asyncio.gather(*asked, return_exceptions=True)
    assert [type(one) for one in found if isinstance(one, Exception)] == [TooManyChecksError] * 2
    assert (await tasks.check(body, actor=admin)).config


@pytest.mark.parametrize("slug", ["nobody", "", "NLI", "nli\x00", "x" * 10_000])
async def test_a_task_that_is_not_there_is_not_found(tasks: TaskService, slug: str) -> None:
    await tasks.ensure("nli", NLI_CONFIG)
    with pytest.raises(TaskNotFoundError):
        await tasks.get(slug)
    with pytest.raises(TaskNotFoundError):
        await tasks.get_by_id(new_id())


ROLES = ["visitor", "stranger", "annotator", "expert", "owner", "admin"]


async def _actor(database: Database, who: str, slug: str, clock: Clock) -> Actor:
    if who == "visitor":
        return VISITOR
    actor = await make_user(database, is_admin=who == "admin")
    if who in {role.value for role in TaskRole}:
        task = await TaskService(database, clock).get(slug)
        await add_member(database, task, actor, TaskRole(who))
    return actor


@pytest.mark.parametrize("who", ROLES)
async def test_a_draft_is_there_for_its_members_only(
    database: Database, tasks: TaskService, clock: Clock, who: str
) -> None:
    await make_task(database, slug="draft", status=TaskStatus.DRAFT)
    await make_task(database, slug="active")
    await make_task(database, slug="archived", status=TaskStatus.ARCHIVED)
    actor = await _actor(database, who, "draft", clock)
    listed = {task.slug for task in await tasks.list(actor=actor)}
    assert (await tasks.get_for("archived", actor)).status is TaskStatus.ARCHIVED
    if who in {"visitor", "stranger"}:
        assert listed == {"active"}
        for look in (tasks.read("draft", actor=actor), tasks.get_for("draft", actor)):
            with pytest.raises(TaskNotFoundError):
                await look
        with pytest.raises(TaskNotFoundError):
            await tasks.activate("draft", actor=actor)
    else:
        expected = {"active", "draft"} | ({"archived"} if who == "admin" else set())
        assert listed == expected
        assert (await tasks.read("draft", actor=actor)).status is TaskStatus.DRAFT


@pytest.mark.parametrize("who", ROLES)
async def test_only_owners_and_administrators_change_a_task(
    database: Database, tasks: TaskService, clock: Clock, who: str
) -> None:
    await make_task(database, slug="nli")
    actor = await _actor(database, who, "nli", clock)
    changes = [
        tasks.config_versions("nli", actor=actor),
        tasks.config_version("nli", 1, actor=actor),
        tasks.activate_config("nli", 1, actor=actor),
        tasks.update_config("nli", ConfigUpdate(config=REWORDED), actor=actor),
        tasks.change("nli", TaskPatch(is_open_to_everyone=False), actor=actor),
        tasks.archive("nli", actor=actor),
    ]
    for change in changes:
        if who in {"owner", "admin"}:
            await change
        else:
            refused: type[DynabenchError] = TaskRoleNeededError
            with pytest.raises(SignInRequiredError if who == "visitor" else refused):
                await change


@pytest.mark.parametrize("who", ROLES)
async def test_everyone_sees_the_role_that_they_have(
    database: Database, tasks: TaskService, clock: Clock, who: str
) -> None:
    await make_task(database, slug="nli")
    actor = await _actor(database, who, "nli", clock)
    roles = {"visitor": None, "stranger": None, "admin": TaskRole.OWNER}
    expected = roles[who] if who in roles else TaskRole(who)
    assert (await tasks.read("nli", actor=actor)).my_role is expected


async def test_an_active_task_takes_new_words_but_no_new_shape(
    database: Database, tasks: TaskService
) -> None:
    await make_task(database, slug="nli")
    changed = await tasks.update_config("nli", ConfigUpdate(config=REWORDED), actor=OPERATOR)
    assert (changed.title, changed.config_version) == ("Entailment", 2)
    with pytest.raises(ShapeFrozenError) as refused:
        await tasks.update_config("nli", ConfigUpdate(config=RESHAPED), actor=OPERATOR)
    assert refused.value.facts == {"changed": ["input.label", "output.label"]}
    with pytest.raises(ConfigInvalidError):
        await tasks.update_config("nli", ConfigUpdate(config="title: [x"), actor=OPERATOR)
    versions = await tasks.config_versions("nli", actor=OPERATOR)
    assert [(one.version, one.config, one.is_active) for one in versions] == [
        (2, REWORDED, True),
        (1, NLI_CONFIG, False),
    ]
    task = await tasks.get("nli")
    assert (await tasks.config_of(task.id, 1)).title != (await tasks.config_of(task.id, 2)).title


async def test_a_draft_takes_any_shape_and_the_same_text_makes_no_version(
    tasks: TaskService, admin: Actor
) -> None:
    await tasks.create(TaskCreate(slug="nli", config=NLI_CONFIG), actor=admin)
    for _ in range(2):
        changed = await tasks.update_config("nli", ConfigUpdate(config=RESHAPED), actor=admin)
        assert changed.config_version == 2
    (latest, _) = await tasks.config_versions("nli", actor=admin)
    assert latest.created_by == "root"


async def test_a_version_is_kept_first_and_used_later_and_an_earlier_one_again(
    database: Database, tasks: TaskService
) -> None:
    await make_task(database, slug="nli")
    kept = ConfigUpdate(config=REWORDED, activate=False)
    for _ in range(2):
        assert (await tasks.update_config("nli", kept, actor=OPERATOR)).config_version == 1
    second = await tasks.config_version("nli", 2, actor=OPERATOR)
    assert (second.config, second.is_active) == (REWORDED, False)
    assert (await tasks.activate_config("nli", 2, actor=OPERATOR)).title == "Entailment"
    assert [one.title for one in await tasks.list(actor=OPERATOR)] == ["Entailment"]
    assert (await tasks.activate_config("nli", 1, actor=OPERATOR)).title == "Inference"
    assert [one.title for one in await tasks.list(actor=OPERATOR)] == ["Inference"]
    with pytest.raises(ConfigVersionNotFoundError):
        await tasks.activate_config("nli", 3, actor=OPERATOR)


async def test_another_shape_is_kept_for_an_active_task_and_never_used(
    database: Database, tasks: TaskService, admin: Actor
) -> None:
    await make_task(database, slug="nli")
    told = await tasks.check(ConfigCheck(config=RESHAPED, task_slug="nli"), actor=admin)
    assert told.frozen_changes == ["input.label", "output.label"]
    await tasks.update_config("nli", ConfigUpdate(config=RESHAPED, activate=False), actor=admin)
    with pytest.raises(ShapeFrozenError):
        await tasks.activate_config("nli", 2, actor=admin)
    with pytest.raises(TaskNotFoundError):
        await tasks.check(ConfigCheck(config=RESHAPED, task_slug="qa"), actor=admin)


async def test_a_list_of_tasks_parses_no_config_but_those_stored_before_summaries(
    database: Database, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await make_task(database, slug="old")
    await make_task(database, slug="new", config=REWORDED)
    async with database.transaction() as session:
        await session.execute(
            text("UPDATE task_config_versions SET summary = NULL WHERE config = :old"),
            {"old": NLI_CONFIG},
        )
    parsed: list[str] = []

    async def parse(config: str) -> TaskConfig:
        parsed.append(config)
        return load_task_config(config)

    monkeypatch.setattr(lookup, "_parse_stored", parse)
    listed = await TaskService(database, clock).list(actor=VISITOR)
    assert [(one.slug, one.title) for one in listed] == [
        ("old", "Inference"),
        ("new", "Entailment"),
    ]
    assert parsed == [NLI_CONFIG]


async def test_two_changes_at_once_are_two_versions(database: Database, tasks: TaskService) -> None:
    await make_task(database, slug="nli")
    texts = [NLI_CONFIG.replace("Inference", word) for word in ("One", "Two", "Three")]
    await asyncio.gather(
        *(tasks.update_config("nli", ConfigUpdate(config=one), actor=OPERATOR) for one in texts)
    )
    versions = await tasks.config_versions("nli", actor=OPERATOR)
    assert [one.version for one in versions] == [4, 3, 2, 1]
    assert [one.is_active for one in versions] == [True, False, False, False]


async def test_a_task_goes_from_draft_to_active_to_archived_and_never_back(
    tasks: TaskService, admin: Actor
) -> None:
    await tasks.create(TaskCreate(slug="nli", config=NLI_CONFIG), actor=admin)
    assert (await tasks.activate("nli", actor=admin)).status is TaskStatus.ACTIVE
    with pytest.raises(TaskStateError):
        await tasks.activate("nli", actor=admin)
    assert (await tasks.archive("nli", actor=admin)).status is TaskStatus.ARCHIVED
    for change in (
        tasks.activate("nli", actor=admin),
        tasks.archive("nli", actor=admin),
        tasks.update_config("nli", ConfigUpdate(config=REWORDED), actor=admin),
    ):
        with pytest.raises(TaskStateError):
            await change


async def test_a_task_is_opened_to_members_only_and_to_everyone_again(
    database: Database, tasks: TaskService
) -> None:
    await make_task(database, slug="nli")
    closed = await tasks.change("nli", TaskPatch(is_open_to_everyone=False), actor=OPERATOR)
    assert not closed.is_open_to_everyone
    assert not (await tasks.get("nli")).is_open_to_everyone
    unchanged = await tasks.change("nli", TaskPatch(), actor=OPERATOR)
    assert not unchanged.is_open_to_everyone


async def test_the_installation_makes_its_tasks_once(database: Database, clock: Clock) -> None:
    services = [TaskService(database, clock) for _ in range(3)]
    made = await asyncio.gather(*(one.ensure("nli", NLI_CONFIG) for one in services))
    assert len({task.id for task in made}) == 1
    fresh = TaskService(database, clock)
    again = await fresh.ensure("nli", REWORDED)
    assert (again.status, again.config_version) == (TaskStatus.ACTIVE, 1)
    assert (await fresh.read("nli", actor=VISITOR)).owners == []


async def test_an_installation_stopped_while_it_makes_a_task_makes_it_whole_or_not_at_all(
    tasks: TaskService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(TaskRepository, "set_status", stop)
        with pytest.raises(KeyboardInterrupt):
            await tasks.ensure("nli", NLI_CONFIG)
    assert (await tasks.ensure("nli", NLI_CONFIG)).status is TaskStatus.ACTIVE


async def test_what_an_attempt_asks_about_its_task_costs_no_query(
    database: Database, tasks: TaskService, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = await make_task(database, slug="nli")
    actor = await make_user(database)
    async with database.read():
        pass  # What a new connection asks is no question about the task.
    statements: list[str] = []
    execute = psycopg.AsyncCursor.execute

    async def noted(cursor: Cursor, query: str, *arguments: Any, **named: Any) -> Cursor:
        statements.append(query)
        return await execute(cursor, query, *arguments, **named)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", noted)
    for _ in range(50):
        await tasks.get_by_id(task.id)
        await tasks.role_of(task.id, actor)
    assert len(statements) == 3
    statements.clear()
    clock.advance(seconds=1)
    await tasks.get_by_id(task.id)
    await tasks.role_of(task.id, actor)
    assert len(statements) == 2


async def test_another_process_learns_of_a_change_within_a_second(
    database: Database, tasks: TaskService, clock: HeldClock
) -> None:
    task = await make_task(database, slug="nli")
    await tasks.get_by_id(task.id)
    await TaskService(database, clock).archive("nli", actor=OPERATOR)
    clock.advance(seconds=1)
    assert (await tasks.get_by_id(task.id)).status is TaskStatus.ARCHIVED


async def test_a_version_that_was_never_written_is_our_own_mistake(
    database: Database, tasks: TaskService
) -> None:
    task = await make_task(database)
    with pytest.raises(ValueError, match="no config version 9"):
        await tasks.config_of(task.id, 9)
