"""A closed round collects again until it is released."""

from uuid import UUID

import pytest

from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.datasets.values import RELEASE_ROUND, OpenVerdicts, ReleaseOrder
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.schemas import Budget, RoundReopen
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import TaskRole
from tests.conftest import HeldClock
from tests.factories.datasets import Chapters, close
from tests.factories.people import make_user
from tests.factories.releases import release_rows
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task
from tests.loop.datasets.releases.test_service import run, write_open_example

pytestmark = pytest.mark.anyio


async def enqueued_release(db: Database, chapters: Chapters, round_: Round, owner: Actor) -> UUID:
    """Return a job that settles and releases a round, whatever became of it meanwhile."""
    order = ReleaseOrder(
        round_id=round_.id, seed=1, licence="CC0", open_verdicts=OpenVerdicts.SETTLE
    )
    async with db.transaction() as session:
        return await chapters.queue.enqueue(
            session, RELEASE_ROUND, order.payload(), created_by=owner.user_id
        )


async def test_a_closed_round_is_opened_again_and_its_waiting_release_given_up(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)
    wanted = ReleaseRequest(licence="CC0", allow_incomplete=True)
    job = await chapters.desk.release(round_.id, wanted, actor=owner, key=None)
    assert (await run(database, chapters, job.id)).result == {"waits_for": 1}

    with pytest.raises(TaskRoleNeededError):
        await chapters.desk.reopen(round_.id, RoundReopen(), actor=stranger)
    opened = await chapters.desk.reopen(
        round_.id, RoundReopen(budget=Budget(examples=9)), actor=owner
    )

    assert (opened.status, opened.closed_at, opened.close_reason) == (RoundStatus.OPEN, None, None)
    assert opened.budget == Budget(examples=9)
    assert await chapters.desk.waiting(round_.id, actor=owner) is None
    await write_open_example(database, task, round_, clock)
    # A release that was asked for before does not come about.
    late = await run(database, chapters, await enqueued_release(database, chapters, round_, owner))
    assert late.state is JobState.FAILED
    assert await release_rows(database) == [0, 0, 0]
    with pytest.raises(RoundStateError, match="needs it to be closed"):
        await chapters.desk.reopen(round_.id, RoundReopen(), actor=owner)


async def test_a_release_in_the_queue_is_given_up_when_the_round_opens_again(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)
    queued = await enqueued_release(database, chapters, round_, owner)

    await chapters.desk.reopen(round_.id, RoundReopen(), actor=owner)
    await close(database, round_, clock=clock)

    async with database.read() as session:
        assert (await chapters.queue.get(session, queued)).state is JobState.CANCELLED
    assert await release_rows(database) == [0, 0, 0]
