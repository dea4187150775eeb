"""Releases whose test holds what did not fool, and which keep apart from earlier ones."""

import orjson
from sqlalchemy import select

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.contexts.tables import contexts
from dynabench.loop.datasets.releases.schemas import ReleasePlanQuery
from dynabench.loop.datasets.releases.values import Exclusion
from dynabench.loop.datasets.values import DatasetVersion, OpenVerdicts, ReleaseOrder, Split
from dynabench.loop.rounds.values import Round
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.datasets import Chapters, close, fill_round, judge, make_example
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


async def ignore(done: float, total: float, message: str) -> None:
    """Tell nobody."""


async def release(chapters: Chapters, round_: Round) -> DatasetVersion:
    order = ReleaseOrder(
        round_id=round_.id,
        seed=0,
        licence="CC0",
        open_verdicts=OpenVerdicts.SETTLE,
        allow_incomplete=True,
    )
    return await chapters.releases.release(order, progress=ignore)


async def test_half_of_test_did_not_fool_and_no_file_says_which(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    ids = await fill_round(database, task, round_, clock=clock, verified=60, others=60)
    expert = await make_user(database)
    others = dict.fromkeys(ids[60:], Vote.CORRECT)
    await judge(database, round_, others, expert=expert, clock=clock)
    await close(database, round_, clock=clock)
    chapters = Chapters.over(database, clock)

    version = await release(chapters, round_)

    visitor = Actor(user_id=None)
    lines = await chapters.datasets.download(version.id, split="test", actor=visitor)
    told = [line async for page in lines for line in map(orjson.loads, page.splitlines())]
    assert {item["is_fooling"] for item in told} == {None}
    items = [one async for page in chapters.datasets.pages(version.id, Split.TEST) for one in page]
    fooling = sum(one.is_fooling is True for one in items)
    assert fooling == len(items) - fooling > 0


async def test_a_second_release_keeps_apart_from_the_first_and_the_plan_counts_it(
    database: Database, clock: HeldClock
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    first = await make_round(database, task)
    await fill_round(database, task, first, clock=clock, contexts=20)
    await close(database, first, clock=clock)
    chapters = Chapters.over(database, clock)
    version = await release(chapters, first)
    items = [
        one
        for split in Split
        async for page in chapters.datasets.pages(version.id, split)
        for one in page
    ]
    before = {one.context_digest: one.split for one in items}
    second = await make_round(database, task)
    authors, expert = [await make_user(database) for _ in range(4)], await make_user(database)
    async with database.read() as session:
        about = (await session.execute(select(contexts.c.id))).scalars().all()
    ids = [
        await make_example(
            database,
            second,
            context_id=one,
            author=authors[number % 4],
            answer={"label": label},
            clock=clock,
        )
        for number, one in enumerate(about)
        for label in ("entailment", "contradiction")
    ]
    votes = dict.fromkeys(ids, Vote.CORRECT)
    await judge(database, second, votes, expert=expert, clock=clock)
    await close(database, second, clock=clock)

    plan = await chapters.desk.plan(second.id, ReleasePlanQuery(), actor=owner)
    free = await chapters.desk.plan(
        second.id, ReleasePlanQuery(apart_from_earlier=False), actor=owner
    )
    later = await release(chapters, second)

    reasons = {one.reason: one.examples for one in plan.exclusions}
    assert reasons[Exclusion.EARLIER_RELEASE] > 0
    assert Exclusion.EARLIER_RELEASE not in {one.reason for one in free.exclusions}
    for split in Split:
        async for page in chapters.datasets.pages(later.id, split):
            assert {before.get(one.context_digest, split) for one in page} == {split}
