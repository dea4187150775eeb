"""What a round's votes say together, for the task's owners and nobody else."""

from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import select

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import ValidationMode
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.consensus.service import ConsensusService
from tests.conftest import HeldClock
from tests.factories.boards import BoardStage, release_answered
from tests.factories.chats import make_talking_wiring
from tests.factories.people import make_user
from tests.factories.tasks import add_member

pytestmark = pytest.mark.anyio


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Wiring]:
    made = make_talking_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


async def answered(
    wiring: Wiring, clock: HeldClock, *, mode: ValidationMode, said: tuple[str, ...]
) -> tuple[BoardStage, UUID]:
    stage = await BoardStage.over(wiring, clock)
    await release_answered(stage, mode=mode, said=said)
    async with wiring.db.read() as session:
        return stage, (await session.execute(select(rounds.c.id))).scalar_one()


async def test_owners_see_labels_and_how_each_validator_votes(
    wiring: Wiring, clock: HeldClock
) -> None:
    said = ("neutral", "neutral", "entailment")
    stage, round_id = await answered(wiring, clock, mode=ValidationMode.BLIND, said=said)
    owner = await make_user(wiring.db)
    await add_member(wiring.db, stage.task, owner, TaskRole.OWNER)

    found = await wiring.get(ConsensusService).of_round(round_id, actor=owner)

    assert found.labels == ["entailment", "neutral"]
    assert (found.examples, found.votes, found.agreeing, found.with_majority) == (20, 60, 20, 20)
    assert found.differing == []
    reliable = [one.reliability for one in found.validators]
    assert reliable[0] < 0.1
    assert reliable[1] > 0.9
    assert all(sum(row) == pytest.approx(1) for one in found.validators for row in one.confusion)


async def test_nobody_else_sees_them(wiring: Wiring, clock: HeldClock) -> None:
    stage, round_id = await answered(wiring, clock, mode=ValidationMode.REVIEW, said=("x", "y"))
    consensus = wiring.get(ConsensusService)
    expert = await make_user(wiring.db)
    await add_member(wiring.db, stage.task, expert, TaskRole.EXPERT)

    with pytest.raises(SignInRequiredError):
        await consensus.of_round(round_id, actor=VISITOR)
    for actor in (await make_user(wiring.db), expert):
        with pytest.raises(TaskRoleNeededError):
            await consensus.of_round(round_id, actor=actor)
    admin = await make_user(wiring.db, is_admin=True)
    # In review mode the votes themselves are the labels.
    assert (await consensus.of_round(round_id, actor=admin)).labels == ["correct"]


async def test_without_votes_there_is_a_reason(wiring: Wiring, clock: HeldClock) -> None:
    _, round_id = await answered(wiring, clock, mode=ValidationMode.BLIND, said=())
    admin = await make_user(wiring.db, is_admin=True)

    found = await wiring.get(ConsensusService).of_round(round_id, actor=admin)

    assert (found.examples, found.validators) == (0, [])
    assert found.reason is not None
