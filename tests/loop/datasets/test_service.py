"""Releases and datasets against a real database."""

import json
from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy import update

from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.datasets.errors import (
    DatasetNotFoundError,
    NothingToReleaseError,
    PerturbationTooOpenError,
)
from dynabench.loop.datasets.jobs import handlers
from dynabench.loop.datasets.schemas import DatasetPatch, ReleaseRequest
from dynabench.loop.datasets.tables import dataset_versions
from dynabench.loop.datasets.values import (
    DATASET_PUBLISHED,
    DatasetAccess,
    OpenVerdicts,
    ReleaseOrder,
    Split,
)
from dynabench.loop.rounds.errors import RoundStateError
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.contexts import make_context
from tests.factories.datasets import (
    Chapters,
    close,
    fill_round,
    judge,
    make_dataset,
    make_example,
    make_item,
)
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


async def ignore(done: float, total: float, message: str) -> None:
    """Tell nobody."""


async def owner_of(db: Database, task: Task) -> Actor:
    owner = await make_user(db)
    await add_member(db, task, owner, TaskRole.OWNER)
    return owner


async def released(
    db: Database, clock: HeldClock, *, seed: int = 0
) -> tuple[Task, Chapters, UUID, UUID]:
    """Release a filled round; returns its task, services, round and version."""
    task = await make_task(db)
    round_ = await make_round(db, task)
    await fill_round(db, task, round_, clock=clock)
    await close(db, round_, clock=clock)
    chapters = Chapters.over(db, clock)
    order = ReleaseOrder(round_id=round_.id, seed=seed, licence="CC-BY-4.0")
    version = await chapters.releases.release(order, progress=ignore)
    return task, chapters, round_.id, version.id


async def lines(chapters: Chapters, version_id: UUID, split: str) -> list[dict[str, object]]:
    stream = await chapters.datasets.download(version_id, split=split, actor=VISITOR)
    text = b"".join([part async for part in stream])
    return [json.loads(line) for line in text.splitlines()]


async def test_a_closed_round_becomes_a_dataset_with_three_splits(
    database: Database, clock: HeldClock
) -> None:
    task, chapters, round_id, version_id = await released(database, clock)
    found = await chapters.datasets.read(version_id, actor=VISITOR)
    sizes = {one.split: one.items for one in found.splits}
    assert (found.name, found.version, found.round_number) == ("Round 1", 1, 1)
    assert 1 <= sizes["test"] <= 4
    assert 1 <= sizes["dev"] <= 4
    assert sizes["train"] > 20
    assert (await chapters.rounds.get(round_id)).status is RoundStatus.RELEASED
    assert [one.id for one in await chapters.datasets.list(task.slug, actor=VISITOR)] == [
        version_id
    ]


async def test_the_card_counts_what_is_in_and_what_is_out(
    database: Database, clock: HeldClock
) -> None:
    _, chapters, _, version_id = await released(database, clock)
    card = (await chapters.datasets.get(version_id)).card
    splits, excluded = card["splits"], card["excluded"]
    assert isinstance(splits, dict)
    assert isinstance(excluded, dict)
    items = sum(one["items"] for one in splits.values())
    assert items + sum(excluded.values()) == card["stored"] == 60
    rates = card["error_rate"]
    assert isinstance(rates, dict)
    assert (rates["model_error_rate"]["part"], rates["model_error_rate"]["whole"]) == (40, 60)
    assert str(card["canary"]).startswith("dynabench canary ")


async def test_the_gold_of_test_is_withheld_and_authors_are_pseudonyms(
    database: Database, clock: HeldClock
) -> None:
    _, chapters, _, version_id = await released(database, clock)
    assert all("gold" not in line for line in await lines(chapters, version_id, "test"))
    train = await lines(chapters, version_id, "train")
    assert all("gold" in line for line in train)
    assert all(str(line["annotator"]).startswith("annotator-") for line in train)
    assert {line["is_verified"] for line in train} == {True, False}


async def test_the_same_round_and_seed_give_the_same_digest_elsewhere(
    database: Database, clock: HeldClock
) -> None:
    task, chapters, _, version_id = await released(database, clock)
    first = await chapters.datasets.get(version_id)
    items = [
        item
        for split in Split
        async for page in chapters.datasets.pages(version_id, split, size=7)
        for item in page
    ]
    again = await make_dataset(database, task, [*reversed(items)], clock=clock)
    assert again.digest == first.digest
    assert len(items) == sum(first.sizes.values())


async def test_a_release_is_done_once_however_often_its_job_runs(
    database: Database, clock: HeldClock
) -> None:
    _, chapters, round_id, version_id = await released(database, clock)
    order = ReleaseOrder(round_id=round_id, seed=9, licence="CC0")
    again = await Chapters.over(database, clock).releases.release(order, progress=ignore)
    assert again.id == version_id
    async with database.read() as session:
        published = await chapters.queue.list_jobs(session, name=DATASET_PUBLISHED)
    assert [one.payload for one in published] == [{"version_id": str(version_id)}]


async def test_a_release_that_is_interrupted_leaves_nothing(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock, verified=12, others=0)
    await close(database, round_, clock=clock)

    async def lose_power(done: float, total: float, message: str) -> None:
        assert done <= total
        if message == "writing":
            raise ConnectionError

    chapters = Chapters.over(database, clock)
    order = ReleaseOrder(round_id=round_.id, seed=0, licence="CC0")
    with pytest.raises(ConnectionError):
        await chapters.releases.release(order, progress=lose_power)
    fresh = Chapters.over(database, clock)
    assert await fresh.datasets.of_task(task.id) == []
    assert (await fresh.rounds.get(round_.id)).status is RoundStatus.CLOSED
    assert (await fresh.releases.release(order, progress=ignore)).round_id == round_.id


def as_it_is(round_id: UUID) -> ReleaseOrder:
    """Return an order that waits for nothing and takes a round whatever it lacks."""
    return ReleaseOrder(
        round_id=round_id,
        seed=0,
        licence="CC0",
        open_verdicts=OpenVerdicts.SETTLE,
        allow_incomplete=True,
    )


async def test_what_was_taken_back_or_refused_is_in_no_split(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    author, expert = await make_user(database), await make_user(database)
    context = await make_context(database, task)

    async def example(**given: bool) -> UUID:
        known: dict[str, object] = {"label": "entailment"}
        return await make_example(
            database,
            round_,
            context_id=context.id,
            author=author,
            answer={} if given.get("is_unknown") else known,
            clock=clock,
            is_retracted=given.get("is_retracted", False),
            is_flagged=given.get("is_flagged", False),
        )

    await example(is_retracted=True)
    await example(is_flagged=True)
    await example(is_unknown=True)
    wrong, odd, voided, _ = [await example() for _ in range(4)]
    votes = {wrong: Vote.INCORRECT, odd: Vote.FLAGGED, voided: Vote.CORRECT}
    await judge(database, round_, votes, expert=expert, clock=clock)
    chapters = Chapters.over(database, clock)
    assert expert.user_id is not None
    async with database.transaction() as session:
        await chapters.outcomes.void(session, [voided], by=expert.user_id, reason="a test")
    await close(database, round_, clock=clock)
    version = await chapters.releases.release(as_it_is(round_.id), progress=ignore)
    (train,) = await lines(chapters, version.id, "train")
    assert (train["is_fooling"], train["is_verified"]) == (True, False)
    assert version.card["excluded"] == {
        "retracted": 1,
        "voided": 1,
        "flagged": 2,
        "incorrect": 1,
        "no_answer": 1,
        "context_held_out": 0,
        "annotator_held_out": 0,
        "earlier_release": 0,
    }


async def test_a_round_with_nothing_that_stands_fails_with_the_reason(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    ids = await fill_round(database, task, round_, clock=clock, verified=0, others=1)
    expert = await make_user(database)
    await judge(database, round_, {ids[0]: Vote.INCORRECT}, expert=expert, clock=clock)
    await close(database, round_, clock=clock)
    chapters = Chapters.over(database, clock)
    owner = await owner_of(database, task)
    anyhow = ReleaseRequest(allow_incomplete=True)
    job = await chapters.desk.release(round_.id, anyhow, actor=owner, key=None)
    runner = JobRunner(
        database, handlers(releases=chapters.releases, desk=chapters.desk), executor_id="one"
    )
    await runner.run(job.id)
    async with database.read() as session:
        done = await chapters.queue.get(session, job.id)
    assert done.state is JobState.FAILED
    assert "no example that stands" in str(done.error)
    assert (await Chapters.over(database, clock).rounds.get(round_.id)).status is RoundStatus.CLOSED


async def test_an_owner_asks_for_a_release_and_the_job_does_it(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock, verified=12, others=3)
    await close(database, round_, clock=clock)
    owner = await owner_of(database, task)
    chapters = Chapters.over(database, clock)
    key = RequestKey.of(actor_id=owner.user_id, route="POST /release", key="k", body=b"{}")
    job = await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=key)
    again = await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=key)
    assert again.id == job.id
    runner = JobRunner(
        database, handlers(releases=chapters.releases, desk=chapters.desk), executor_id="one"
    )
    await runner.run(job.id)
    async with database.read() as session:
        done = await chapters.queue.get(session, job.id)
    assert (done.state, done.error) == (JobState.DONE, None)
    (version,) = await chapters.datasets.of_task(task.id)
    assert done.result == {"dataset_version_id": str(version.id), "digest": version.digest}


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_release(
    database: Database, clock: HeldClock, role: TaskRole | None
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task, status=RoundStatus.CLOSED)
    actor = await make_user(database)
    if role is not None:
        await add_member(database, task, actor, role)
    desk = Chapters.over(database, clock).desk
    with pytest.raises(TaskRoleNeededError):
        await desk.release(round_.id, ReleaseRequest(), actor=actor, key=None)
    with pytest.raises(SignInRequiredError):
        await desk.release(round_.id, ReleaseRequest(), actor=VISITOR, key=None)


async def test_a_round_that_is_open_or_empty_is_not_released(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    desk = Chapters.over(database, clock).desk
    open_round = await make_round(database, task)
    with pytest.raises(RoundStateError):
        await desk.release(open_round.id, ReleaseRequest(), actor=owner, key=None)
    empty = await make_round(database, task, status=RoundStatus.CLOSED)
    with pytest.raises(NothingToReleaseError):
        await desk.release(empty.id, ReleaseRequest(), actor=owner, key=None)


async def test_a_drafts_datasets_are_its_members_alone(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database, status=TaskStatus.DRAFT)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    datasets = Chapters.over(database, clock).datasets
    assert (await datasets.read(version.id, actor=owner)).id == version.id
    for actor in (VISITOR, await make_user(database)):
        with pytest.raises(DatasetNotFoundError):
            await datasets.read(version.id, actor=actor)
        with pytest.raises(DatasetNotFoundError):
            await datasets.download(version.id, split="train", actor=actor)


async def test_there_is_no_fourth_split_and_no_version_of_another_task(
    database: Database, clock: HeldClock
) -> None:
    task, other = await make_task(database), await make_task(database)
    version = await make_dataset(database, task, [make_item(1)], clock=clock)
    datasets = Chapters.over(database, clock).datasets
    with pytest.raises(DatasetNotFoundError):
        await datasets.download(version.id, split="gold", actor=VISITOR)
    with pytest.raises(DatasetNotFoundError):
        await datasets.get_of_task([version.id], task_id=other.id)
    with pytest.raises(DatasetNotFoundError):
        await datasets.get(task.id)


async def test_a_perturbed_set_shows_no_more_than_the_set_that_it_varies(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    original = await make_dataset(database, task, [make_item(1)], clock=clock)
    varied = await make_dataset(database, task, [make_item(2)], clock=clock)
    async with database.transaction() as session:
        await session.execute(
            update(dataset_versions)
            .where(dataset_versions.c.id == varied.id)
            .values(perturbs_id=original.id)
        )
    owner = await owner_of(database, task)
    datasets = Chapters.over(database, clock).datasets
    open_up = DatasetPatch(access=DatasetAccess.STANDARD)
    with pytest.raises(PerturbationTooOpenError, match="which is scoring"):
        await datasets.change(varied.id, open_up, actor=owner)
    hidden = DatasetPatch(access=DatasetAccess.HIDDEN)
    assert (await datasets.change(varied.id, hidden, actor=owner)).access is DatasetAccess.HIDDEN
    await datasets.change(original.id, open_up, actor=owner)
    assert (await datasets.read(varied.id, actor=VISITOR)).access is DatasetAccess.STANDARD


async def test_items_split_otherwise_have_another_digest(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    items = [make_item(number) for number in range(3)]
    moved = [replace(items[0], split=Split.DEV), *items[1:]]
    one = await make_dataset(database, task, items, clock=clock)
    other = await make_dataset(database, task, moved, clock=clock)
    assert one.digest != other.digest
