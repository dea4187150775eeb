"""Gold answers that may be wrong: found with the scale, looked at by experts."""

import pytest
from httpx2 import ASGITransport, AsyncClient

from dynabench.app.server.factory import create_application
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.loop.leaderboards.suspicions.errors import OwnSuspicionError, SuspicionNotFoundError
from dynabench.loop.leaderboards.suspicions.schemas import SuspicionPage, SuspicionSettle
from dynabench.loop.leaderboards.suspicions.service import SuspicionService
from dynabench.loop.leaderboards.suspicions.values import Finding, SuspicionState
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import TaskRole
from tests.factories.tasks import add_member
from tests.loop.leaderboards.scales.conftest import MISLABELLED, Linked

pytestmark = pytest.mark.anyio

WRONG = SuspicionSettle(finding=Finding.WRONG)


async def suspected(
    linked: Linked, *, actor: Actor, state: SuspicionState = SuspicionState.OPEN
) -> SuspicionPage:
    return await linked.stage.wiring.get(SuspicionService).list(
        linked.first.round_.id, state=state, cursor=None, actor=actor
    )


async def test_items_that_only_weak_models_get_right_are_shown_to_experts(judged: Linked) -> None:
    stage = judged.stage
    await stage.compute()

    page = await suspected(judged, actor=stage.expert)

    wanted = {judged.first.example_ids[place] for place in MISLABELLED}
    found = {one.example.example.id: one for one in page.items}
    assert wanted <= found.keys()
    one = found[judged.first.example_ids[MISLABELLED[0]]]
    assert one.responses is not None
    assert one.responses.models == 8
    assert one.responses.correlation < -0.8
    assert one.responses.strongest_wrong[0] == "strong v1"
    assert one.responses.weakest_right[0] == "weaker v1"
    assert (one.votes, one.settled_at) == (None, None)
    assert page.open == len(page.items)


async def test_votes_that_doubt_the_gold_raise_it_too(judged: Linked) -> None:
    stage = judged.stage
    for place in range(20, 40):
        await stage.vote(judged.first, place, correct=5, incorrect=0)
    await stage.vote(judged.first, 50, correct=0, incorrect=4)
    await stage.compute()

    page = await suspected(judged, actor=stage.expert)

    found = {one.example.example.id: one for one in page.items}
    one = found[judged.first.example_ids[50]]
    assert one.votes is not None
    assert (one.votes.label, one.votes.votes) == ("incorrect", 4)
    assert one.votes.probability < 20
    assert not found.keys() & set(judged.first.example_ids[20:40])


async def test_what_an_expert_settled_stays_settled(judged: Linked) -> None:
    stage = judged.stage
    service = stage.wiring.get(SuspicionService)
    await stage.compute()
    example_id = judged.first.example_ids[MISLABELLED[0]]
    before = await suspected(judged, actor=stage.owner)

    settled = await service.settle(example_id, WRONG, actor=stage.expert)
    await stage.add("newer", 1.5, judged.first)
    await stage.compute()

    after = await suspected(judged, actor=stage.owner)
    done = await suspected(judged, actor=stage.owner, state=SuspicionState.SETTLED)
    assert (settled.finding, settled.settled_by) == (Finding.WRONG, stage.expert.username)
    assert after.wrong == 1
    assert example_id not in {one.example.example.id for one in after.items}
    assert [one.example.example.id for one in done.items] == [example_id]
    assert before.wrong == 0


async def test_nobody_settles_their_own_and_only_experts_look(judged: Linked) -> None:
    stage = judged.stage
    service = stage.wiring.get(SuspicionService)
    await stage.compute()
    place = MISLABELLED[0]
    example_id, author = judged.first.example_ids[place], stage.people[place]
    other = stage.people[-1]
    await add_member(stage.wiring.db, stage.task, author, TaskRole.EXPERT)

    with pytest.raises(TaskRoleNeededError):
        await suspected(judged, actor=other)
    with pytest.raises(SignInRequiredError):
        await suspected(judged, actor=VISITOR)
    with pytest.raises(SuspicionNotFoundError):
        await service.settle(example_id, WRONG, actor=other)
    with pytest.raises(SuspicionNotFoundError):
        await service.settle(judged.first.example_ids[-1], WRONG, actor=stage.expert)
    with pytest.raises(OwnSuspicionError):
        await service.settle(example_id, WRONG, actor=author)


async def test_routes_of_suspected_errors(judged: Linked) -> None:
    stage = judged.stage
    application = create_application(stage.wiring, fold_in_background=False)
    async with AsyncClient(
        transport=ASGITransport(app=application), base_url="http://localhost"
    ) as client:
        answers = [
            await client.get(f"/api/v1/rounds/{judged.first.round_.id}/suspected-errors"),
            await client.get(
                f"/api/v1/rounds/{judged.first.round_.id}/suspected-errors?state=strange"
            ),
            await client.post(
                f"/api/v1/examples/{judged.first.example_ids[0]}/suspected-error",
                json={"finding": "right"},
            ),
        ]

    assert [one.status_code for one in answers] == [401, 422, 401]
