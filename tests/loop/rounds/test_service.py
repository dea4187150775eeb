import asyncio
from dataclasses import dataclass
from uuid import UUID, uuid4

import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.models.errors import ModelNotFoundError, ModelNotReadyError
from dynabench.loop.models.values import ModelKind, ModelStatus
from dynabench.loop.rounds.errors import (
    AnotherRoundOpenError,
    RoundNotFoundError,
    RoundSettingsError,
    RoundStateError,
)
from dynabench.loop.rounds.schemas import Budget, RoundCreate, RoundPatch, ValidationRule
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan, RoundStatus, TargetPolicy, ValidationMode
from dynabench.loop.tasks.errors import TaskRoleNeededError, TaskStateError
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round, make_round_service
from tests.factories.tasks import add_member, make_task
from tests.factories.waiting import until_waiting


@dataclass(frozen=True)
class Scene:
    rounds: RoundService
    task: Task
    owner: Actor
    model_id: UUID

    async def create(self, **settings: object) -> UUID:
        body = RoundCreate.model_validate({"target_model_ids": [self.model_id], **settings})
        return (await self.rounds.create(self.task.slug, body, actor=self.owner, key=None)).id


@pytest.fixture
async def scene(database: Database) -> Scene:
    task = await make_task(database)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    model = await make_model(database, task)
    return Scene(rounds=make_round_service(database), task=task, owner=owner, model_id=model.id)


async def test_a_round_lives_from_draft_to_closed(scene: Scene) -> None:
    draft = await scene.create(context_tags=["news"], seed=7)
    created = await scene.rounds.read(draft, actor=scene.owner)
    assert (created.number, created.status) == (1, RoundStatus.DRAFT)
    assert created.context_tags == ("news",)
    opened = await scene.rounds.open(draft, actor=scene.owner)
    assert opened.status is RoundStatus.OPEN
    assert opened.opened_at is not None
    closed = await scene.rounds.close(draft, actor=scene.owner)
    assert closed.status is RoundStatus.CLOSED
    assert closed.close_reason is not None
    with pytest.raises(RoundStateError):
        await scene.rounds.open(draft, actor=scene.owner)


async def test_numbers_follow_one_another_even_when_made_at_once(scene: Scene) -> None:
    made = await asyncio.gather(*(scene.create() for _ in range(6)))
    found = await scene.rounds.list(scene.task.slug, actor=scene.owner)
    assert [one.number for one in found] == [6, 5, 4, 3, 2, 1]
    assert {one.id for one in found} == set(made)


async def test_a_repeated_request_makes_one_round(scene: Scene) -> None:
    key = RequestKey.of(actor_id=scene.owner.user_id, route="POST /rounds", key="a", body=b"{}")
    body = RoundCreate(target_model_ids=[scene.model_id])
    slug = scene.task.slug
    first, second = await asyncio.gather(
        *(scene.rounds.create(slug, body, actor=scene.owner, key=key) for _ in range(2))
    )
    third = await scene.rounds.create(slug, body, actor=scene.owner, key=key)
    assert first.id == second.id == third.id
    assert len(await scene.rounds.list(slug, actor=scene.owner)) == 1


async def test_a_task_collects_in_one_round_at_a_time(scene: Scene) -> None:
    first, second = await scene.create(), await scene.create()
    results = await asyncio.gather(
        *(scene.rounds.open(one, actor=scene.owner) for one in (first, second)),
        return_exceptions=True,
    )
    refused = [one for one in results if isinstance(one, AnotherRoundOpenError)]
    assert len(refused) == 1


async def test_settings_that_contradict_each_other_are_refused(scene: Scene) -> None:
    with pytest.raises(RoundSettingsError) as refused:
        await scene.create(
            target_policy=TargetPolicy.MAJORITY, validation={"quorum": 5, "maximum": 3}
        )
    assert set(refused.value.fields) == {"target_policy", "validation.quorum"}


async def test_a_round_without_target_is_a_draft_that_cannot_open(scene: Scene) -> None:
    draft = await scene.create(target_model_ids=[])
    with pytest.raises(RoundSettingsError):
        await scene.rounds.open(draft, actor=scene.owner)


async def test_targets_are_models_of_the_same_task(scene: Scene, database: Database) -> None:
    elsewhere = await make_model(database, await make_task(database))
    for model_id in (elsewhere.id, uuid4()):
        with pytest.raises(ModelNotFoundError):
            await scene.create(target_model_ids=[model_id])


async def test_a_recorded_model_is_no_target(scene: Scene, database: Database) -> None:
    recorded = await make_model(database, scene.task, kind=ModelKind.RECORDED)
    with pytest.raises(RoundSettingsError) as refused:
        await scene.create(target_model_ids=[recorded.id])
    assert set(refused.value.fields) == {"target_model_ids"}


async def test_a_private_model_is_no_target_of_an_open_round(
    scene: Scene, database: Database
) -> None:
    private = await make_model(database, scene.task, is_published=False)
    draft = await scene.create(target_model_ids=[private.id])
    with pytest.raises(ModelNotReadyError, match="is private"):
        await scene.rounds.open(draft, actor=scene.owner)


async def test_a_rejected_model_keeps_a_round_from_opening(
    scene: Scene, database: Database
) -> None:
    rejected = await make_model(database, scene.task, status=ModelStatus.REJECTED)
    draft = await scene.create(target_model_ids=[rejected.id])
    with pytest.raises(ModelNotReadyError):
        await scene.rounds.open(draft, actor=scene.owner)


async def test_parents_are_earlier_rounds_and_models_of_the_same_task(
    scene: Scene, database: Database
) -> None:
    earlier = await make_round(database, scene.task, status=RoundStatus.CLOSED)
    elsewhere = await make_round(database, await make_task(database), status=RoundStatus.CLOSED)
    child = await scene.create(parent_round_ids=[earlier.id], parent_model_ids=[scene.model_id])
    read = await scene.rounds.read(child, actor=scene.owner)
    assert read.parent_round_ids == (earlier.id,)
    assert read.parent_model_ids == (scene.model_id,)
    with pytest.raises(RoundSettingsError) as refused:
        await scene.create(parent_round_ids=[elsewhere.id], parent_model_ids=[uuid4()])
    assert set(refused.value.fields) == {"parent_round_ids", "parent_model_ids"}


async def test_a_draft_changes_as_a_whole(scene: Scene, database: Database) -> None:
    second = await make_model(database, scene.task)
    draft = await scene.create()
    changed = await scene.rounds.change(
        draft,
        RoundPatch(
            target_model_ids=[second.id, scene.model_id],
            target_policy=TargetPolicy.ANY_FOOLED,
            validation=ValidationRule(mode=ValidationMode.BLIND, quorum=2, maximum=3),
        ),
        actor=scene.owner,
    )
    assert [target.model_id for target in changed.targets] == [second.id, scene.model_id]
    assert changed.validation.mode is ValidationMode.BLIND
    assert changed.max_tries == 10


async def test_an_open_round_changes_its_budget_only(scene: Scene) -> None:
    round_id = await scene.create()
    await scene.rounds.open(round_id, actor=scene.owner)
    changed = await scene.rounds.change(
        round_id, RoundPatch(budget=Budget(examples=5)), actor=scene.owner
    )
    assert changed.budget.examples == 5
    assert [target.model_id for target in changed.targets] == [scene.model_id]
    with pytest.raises(RoundStateError):
        await scene.rounds.change(round_id, RoundPatch(max_tries=3), actor=scene.owner)


@pytest.mark.parametrize("status", [TaskStatus.DRAFT, TaskStatus.ARCHIVED])
async def test_a_round_opens_in_an_active_task_only(database: Database, status: TaskStatus) -> None:
    owner = await make_user(database, is_admin=True)
    task = await make_task(database, status=status)
    draft = await make_round(database, task, status=RoundStatus.DRAFT)
    with pytest.raises(TaskStateError):
        await make_round_service(database).open(draft.id, actor=owner)


async def test_an_archived_task_gets_no_more_rounds(database: Database) -> None:
    admin = await make_user(database, is_admin=True)
    task = await make_task(database, status=TaskStatus.ARCHIVED)
    with pytest.raises(TaskStateError):
        await make_round_service(database).create(task.slug, RoundCreate(), actor=admin, key=None)


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_make_and_move_rounds(
    scene: Scene, database: Database, role: TaskRole | None
) -> None:
    person = await make_user(database)
    if role is not None:
        await add_member(database, scene.task, person, role)
    draft, opened = await scene.create(), await make_round(database, scene.task)
    rounds = scene.rounds
    with pytest.raises(TaskRoleNeededError):
        await rounds.create(scene.task.slug, RoundCreate(), actor=person, key=None)
    with pytest.raises(TaskRoleNeededError):
        await rounds.close(opened.id, actor=person)
    with pytest.raises(TaskRoleNeededError):
        await rounds.change(opened.id, RoundPatch(max_tries=3), actor=person)
    with pytest.raises(RoundNotFoundError):
        await rounds.open(draft, actor=person)
    with pytest.raises(RoundNotFoundError):
        await rounds.read(draft, actor=person)
    assert [one.id for one in await rounds.list(scene.task.slug, actor=person)] == [opened.id]


async def test_a_visitor_reads_but_must_sign_in_to_change(scene: Scene, database: Database) -> None:
    opened = await make_round(database, scene.task)
    assert (await scene.rounds.read(opened.id, actor=VISITOR)).number == opened.number
    with pytest.raises(SignInRequiredError):
        await scene.rounds.close(opened.id, actor=VISITOR)


async def test_rounds_of_a_hidden_task_are_not_found(database: Database) -> None:
    task = await make_task(database, status=TaskStatus.DRAFT)
    round_ = await make_round(database, task)
    with pytest.raises(RoundNotFoundError):
        await make_round_service(database).read(round_.id, actor=VISITOR)
    with pytest.raises(RoundNotFoundError):
        await make_round_service(database).get(uuid4())


async def test_a_spent_budget_closes_once(scene: Scene, database: Database) -> None:
    opened = await make_round(database, scene.task)
    assert await scene.rounds.close_for_budget(opened.id, reason="All examples are in.")
    assert not await scene.rounds.close_for_budget(opened.id, reason="Again.")
    assert (await scene.rounds.get(opened.id)).close_reason == "All examples are in."


async def test_a_round_is_released_after_it_closed(scene: Scene, database: Database) -> None:
    opened = await make_round(database, scene.task)
    with pytest.raises(RoundStateError):
        async with database.transaction() as session:
            await scene.rounds.mark_released(session, opened.id)
    await scene.rounds.close(opened.id, actor=scene.owner)
    async with database.transaction() as session:
        await scene.rounds.mark_released(session, opened.id)
    released = await scene.rounds.get(opened.id)
    assert released.status is RoundStatus.RELEASED
    assert released.released_at is not None


async def test_the_latest_round_is_no_draft(scene: Scene, database: Database) -> None:
    other = await make_task(database)
    await make_round(database, scene.task, status=RoundStatus.CLOSED)
    second = await make_round(database, scene.task, status=RoundStatus.RELEASED)
    await make_round(database, scene.task, status=RoundStatus.DRAFT)
    found = await scene.rounds.latest([scene.task.id, other.id])
    assert set(found) == {scene.task.id}
    assert found[scene.task.id].id == second.id
    assert [one.number for one in await scene.rounds.of_task(scene.task.id)] == [3, 2, 1]


async def test_the_latest_round_is_the_open_one_and_else_the_one_opened_last(
    scene: Scene,
) -> None:
    first, second = await scene.create(), await scene.create()
    await scene.rounds.open(second, actor=scene.owner)
    await scene.rounds.close(second, actor=scene.owner)
    await scene.rounds.open(first, actor=scene.owner)
    assert (await scene.rounds.latest([scene.task.id]))[scene.task.id].id == first
    await scene.rounds.close(first, actor=scene.owner)
    assert (await scene.rounds.latest([scene.task.id]))[scene.task.id].id == first


async def test_a_replay_makes_its_closed_round_once(scene: Scene, database: Database) -> None:
    recorded = await make_model(database, scene.task, kind=ModelKind.RECORDED)
    plan = RoundPlan(target_model_ids=(recorded.id,))
    made = []
    for _ in range(2):
        async with database.transaction() as session:
            made.append(
                await scene.rounds.create_closed(
                    session, plan, task=scene.task, number=4, reason="Replayed."
                )
            )
    assert made[0] == made[1]
    assert made[0].is_replay
    assert made[0].status is RoundStatus.CLOSED
    assert [target.name for target in made[0].targets] == [recorded.name]
    opened = await make_round(database, scene.task, number=9)
    with pytest.raises(RoundSettingsError):
        async with database.transaction() as session:
            await scene.rounds.create_closed(
                session, plan, task=scene.task, number=opened.number, reason="Replayed."
            )


async def test_only_an_open_round_can_be_held(scene: Scene, database: Database) -> None:
    closed = await make_round(database, scene.task, status=RoundStatus.CLOSED)
    for round_id, error in ((closed.id, RoundStateError), (uuid4(), RoundNotFoundError)):
        with pytest.raises(error):
            async with database.transaction() as session:
                await scene.rounds.hold_open(session, round_id)


async def test_a_closing_waits_for_examples_that_are_being_stored(
    scene: Scene, database: Database
) -> None:
    opened = await make_round(database, scene.task)
    async with database.transaction() as session, database.transaction() as another:
        await scene.rounds.hold_open(session, opened.id)
        await scene.rounds.hold_open(another, opened.id)
        closing = asyncio.create_task(scene.rounds.close(opened.id, actor=scene.owner))
        await until_waiting(database)
        assert not closing.done()
    assert (await closing).status is RoundStatus.CLOSED


async def test_whoever_waited_for_a_closing_finds_the_round_closed(
    scene: Scene, database: Database
) -> None:
    opened = await make_round(database, scene.task)

    async def hold() -> None:
        async with database.transaction() as session:
            await scene.rounds.hold_open(session, opened.id)

    async with database.transaction() as session:
        await scene.rounds.hold_open(session, opened.id)
        closing = asyncio.create_task(scene.rounds.close(opened.id, actor=scene.owner))
        await until_waiting(database)
        late = asyncio.create_task(hold())
        await until_waiting(database, count=2)
    await closing
    with pytest.raises(RoundStateError):
        await late


async def test_a_change_of_the_budget_waits_its_turn(scene: Scene, database: Database) -> None:
    opened = await make_round(database, scene.task)
    patch = RoundPatch(budget=Budget(days=3))
    async with database.transaction() as session:
        await scene.rounds.hold_open(session, opened.id)
        changing = asyncio.create_task(scene.rounds.change(opened.id, patch, actor=scene.owner))
        await until_waiting(database)
    assert (await changing).budget.days == 3
    async with database.transaction() as session:
        await scene.rounds.hold_open(session, opened.id)


async def test_a_closed_round_never_takes_an_example_again(
    scene: Scene, database: Database
) -> None:
    """Holds at once with a closing; whoever got hold did so before the round was closed."""
    opened = await make_round(database, scene.task)
    order: list[str] = []

    async def submit() -> None:
        for _ in range(30):
            try:
                async with database.transaction() as session:
                    await scene.rounds.hold_open(session, opened.id)
                    await asyncio.sleep(0)
                    order.append("held")
            except RoundStateError:
                order.append("refused")
                return

    async def close() -> None:
        await asyncio.sleep(0.05)
        await scene.rounds.close_for_budget(opened.id, reason="Enough.")
        order.append("closed")

    await asyncio.gather(close(), *(submit() for _ in range(3)))
    assert "held" not in order[order.index("closed") :]
    if "refused" in order:
        assert "held" not in order[order.index("refused") :]
