"""What a release waits for, refuses, says on its card, and is known by."""

import asyncio
from collections.abc import Sequence
from random import Random
from uuid import UUID, uuid5

import pytest
from sqlalchemy import insert, select, update

from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import ReleaseIncompleteError, ReleaseOrderNotFoundError
from dynabench.loop.datasets.jobs import handlers
from dynabench.loop.datasets.releases.repository import ReleaseRepository
from dynabench.loop.datasets.releases.schemas import ReleasePlanQuery
from dynabench.loop.datasets.releases.values import MissingPart
from dynabench.loop.datasets.rules import uid_of
from dynabench.loop.datasets.schemas import ReleaseRequest
from dynabench.loop.datasets.storing.repository import StoringRepository
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import (
    RELEASE_ROUND,
    DatasetVersion,
    OpenVerdicts,
    ReleaseOrder,
    Split,
)
from dynabench.loop.examples.tables import examples
from dynabench.loop.rounds.values import Arm, Round, RoundStatus
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.loop.validations.folds.repository import FoldRepository
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.contexts import make_context
from tests.factories.datasets import Chapters, close, fill_round, judge, make_example
from tests.factories.people import make_user
from tests.factories.releases import PLANTED_DIGEST, PLANTED_SEED, plant_round, release_rows
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task

SETTLE = OpenVerdicts.SETTLE
ANYHOW = ReleaseRequest(allow_incomplete=True)
_NAMES = UUID("b6f0b3b0-7b0e-4c43-9a51-0e2b56a3f0a1")


async def ignore(done: float, total: float, message: str) -> None:
    """Tell nobody."""


async def closed_round(db: Database, clock: HeldClock, **given: int) -> tuple[Task, Round, Actor]:
    """Return a closed round with verified fooling examples, and an owner."""
    task = await make_task(db)
    round_ = await make_round(db, task)
    await fill_round(db, task, round_, clock=clock, **given)
    await close(db, round_, clock=clock)
    owner = await make_user(db)
    await add_member(db, task, owner, TaskRole.OWNER)
    return task, round_, owner


async def write_open_example(db: Database, task: Task, round_: Round, clock: HeldClock) -> UUID:
    """Write a fooling example that nobody has judged."""
    context = await make_context(db, task)
    author = await make_user(db)
    return await make_example(
        db,
        round_,
        context_id=context.id,
        author=author,
        answer={"label": "entailment"},
        clock=clock,
    )


async def run(db: Database, chapters: Chapters, job_id: UUID) -> Job:
    found = handlers(releases=chapters.releases, desk=chapters.desk)
    await JobRunner(db, found, executor_id="one").run(job_id)
    async with db.read() as session:
        return await chapters.queue.get(session, job_id)


async def test_a_release_waits_for_open_verdicts_and_follows_when_they_are_in(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock)
    open_one = await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)

    job = await chapters.desk.release(
        round_.id, ReleaseRequest(seed=2**53 - 1, licence="CC0"), actor=owner, key=None
    )
    parked = await run(database, chapters, job.id)

    assert (parked.state, parked.result) == (JobState.DONE, {"waits_for": 1})
    assert await release_rows(database) == [0, 0, 0]
    waiting = await chapters.desk.waiting(round_.id, actor=owner)
    assert waiting is not None
    assert (waiting.seed, waiting.licence, waiting.open_verdicts) == (2**53 - 1, "CC0", 1)
    assert await chapters.desk.release_due() == 0

    await judge(database, round_, {open_one: Vote.CORRECT}, expert=owner, clock=clock)
    assert await chapters.desk.release_due() == 1
    assert await chapters.desk.release_due() == 0
    async with database.read() as session:
        second, _ = await chapters.queue.list_jobs(session, name=RELEASE_ROUND)
    done = await run(database, chapters, second.id)
    assert (done.state, done.created_by) == (JobState.DONE, owner.user_id)
    version = await chapters.datasets.get(UUID(str((done.result or {})["dataset_version_id"])))
    assert (version.licence, version.card["open_verdicts"]) == ("CC0", 0)
    assert await chapters.desk.waiting(round_.id, actor=owner) is None


async def test_a_waiting_release_is_refused_whose_author_owns_the_task_no_more(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock)
    open_one = await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner, expert = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)
    job = await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=None)
    await run(database, chapters, job.id)

    await add_member(database, task, owner, TaskRole.EXPERT)
    await judge(database, round_, {open_one: Vote.CORRECT}, expert=expert, clock=clock)
    await chapters.desk.release_due()
    async with database.read() as session:
        second, _ = await chapters.queue.list_jobs(session, name=RELEASE_ROUND)
    refused = await run(database, chapters, second.id)

    assert refused.state is JobState.FAILED
    assert f"{owner.username} asked for this and may not do so any more" in str(refused.error)
    assert await release_rows(database) == [0, 0, 0]


async def test_a_waiting_release_can_be_called_off_and_settled_instead(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock)
    await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)
    order = ReleaseOrder(round_id=round_.id, seed=0, licence="CC0")
    await chapters.desk.keep(order, created_by=owner.user_id)
    await chapters.desk.cancel(round_.id, actor=owner)
    with pytest.raises(ReleaseOrderNotFoundError):
        await chapters.desk.cancel(round_.id, actor=owner)

    await chapters.desk.keep(order, created_by=owner.user_id)
    settled = ReleaseRequest(open_verdicts=SETTLE)
    job = await chapters.desk.release(round_.id, settled, actor=owner, key=None)
    assert (await run(database, chapters, job.id)).state is JobState.DONE
    (version,) = await chapters.datasets.of_task(task.id)
    assert version.card["open_verdicts"] == 1
    assert await chapters.desk.waiting(round_.id, actor=owner) is None


async def test_an_incomplete_release_is_refused_with_what_is_missing_or_says_so(
    database: Database, clock: HeldClock
) -> None:
    _, round_, owner = await closed_round(
        database, clock, verified=3, others=2, contexts=1, people=1
    )
    chapters = Chapters.over(database, clock)
    plan = await chapters.desk.plan(round_.id, ReleasePlanQuery(), actor=owner)
    assert {one.code for one in plan.missing} == {MissingPart.VERIFIED, MissingPart.ANNOTATORS}
    assert {one.split: one.items for one in plan.splits} == {
        Split.TRAIN: 5,
        Split.DEV: 0,
        Split.TEST: 0,
    }
    with pytest.raises(ReleaseIncompleteError, match="There are 3 verified fooling examples"):
        await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=None)
    order = ReleaseOrder(round_id=round_.id, seed=0, licence="CC0")
    with pytest.raises(ReleaseIncompleteError, match="One person wrote everything"):
        await chapters.releases.release(order, progress=ignore)
    assert await release_rows(database) == [0, 0, 0]
    job = await chapters.desk.release(round_.id, ANYHOW, actor=owner, key=None)
    await run(database, chapters, job.id)
    (version,) = await chapters.datasets.of_task(round_.task_id)
    assert version.card["missing"] == [one.sentence for one in plan.missing]


async def test_the_plan_says_what_the_release_then_holds(
    database: Database, clock: HeldClock
) -> None:
    _, round_, owner = await closed_round(database, clock)
    chapters = Chapters.over(database, clock)
    plan = await chapters.desk.plan(round_.id, ReleasePlanQuery(seed=5), actor=owner)
    assert plan.missing == []
    version = await release(chapters, round_, seed=5)
    splits = version.card["splits"]
    excluded = version.card["excluded"]
    assert isinstance(splits, dict)
    assert isinstance(excluded, dict)
    for one in plan.splits:
        assert one.model_dump(mode="json", exclude={"split"}).items() <= splits[one.split].items()
    assert {one.reason: one.examples for one in plan.exclusions} == {
        reason: count for reason, count in excluded.items() if count
    }


async def release(chapters: Chapters, round_: Round, *, seed: int = 0) -> DatasetVersion:
    order = ReleaseOrder(round_id=round_.id, seed=seed, licence="CC-BY-4.0", open_verdicts=SETTLE)
    return await chapters.releases.release(order, progress=ignore)


async def test_the_card_tells_agreement_time_concentration_and_artifacts(
    database: Database, clock: HeldClock
) -> None:
    _, round_, _ = await closed_round(database, clock, others=160)
    async with database.transaction() as session:
        await session.execute(update(examples).values(time_spent_seconds=30.0))
        ids = (await session.execute(select(examples.c.id).order_by(examples.c.id))).scalars()
        people = [await make_user(database) for _ in range(3)]
        votes = [
            {
                "id": uuid5(_NAMES, f"{example_id}/{number}"),
                "example_id": example_id,
                "round_id": round_.id,
                "validator_id": person.user_id,
                "vote": Vote.CORRECT if number or place % 5 else Vote.INCORRECT,
                "created_at": clock.now(),
            }
            for place, example_id in enumerate(list(ids)[:20])
            for number, person in enumerate(people)
        ]
        await session.execute(insert(validations), votes)
    card = (await release(Chapters.over(database, clock), round_)).card
    agreement, seconds = card["agreement"], card["seconds_per_validated_fooling"]
    artifacts, spread = card["artifacts"], card["concentration"]
    assert isinstance(agreement, dict)
    assert (agreement["examples"], agreement["votes"]) == (20, 60)
    assert agreement["unanimous"]["part"] == 16
    # Three people judged each example, and other examples too.
    assert (agreement["unanimous"]["low"], agreement["unanimous"]["high"]) == (None, None)
    assert agreement["fleiss_kappa"] == pytest.approx(agreement["krippendorff_alpha"], abs=0.02)
    assert seconds == {
        "median": 30.0,
        "mean": 200 * 30 / 40,
        "validated_fooling": 40,
        "timed_attempts": 200,
        "attempts": 200,
    }
    assert isinstance(artifacts, dict)
    assert artifacts["reason"] is None
    assert artifacts["input_only_accuracy"]["whole"] == artifacts["majority_accuracy"]["whole"]
    assert isinstance(spread, dict)
    assert spread["people"] == 4
    assert 0.25 <= spread["top_share"] <= 0.5
    arms = card["arms"]
    assert isinstance(arms, dict)
    assert arms.keys() == {"target"}
    assert (arms["target"]["stored"], arms["target"]["verified_fooling"]) == (200, 40)
    assert (card["provenance"], card["test_gold_withheld"]) == (None, True)


async def test_examples_of_a_control_arm_are_learned_from_and_not_measured_with(
    database: Database, clock: HeldClock
) -> None:
    _, round_, _ = await closed_round(database, clock)
    async with database.transaction() as session:
        found = await session.execute(select(examples.c.id).order_by(examples.c.id))
        chosen = [example_id for place, example_id in enumerate(found.scalars()) if place % 3 == 0]
        for table, key in ((examples, examples.c.id), (outcomes, outcomes.c.example_id)):
            await session.execute(update(table).where(key.in_(chosen)).values(arm=Arm.NO_MODEL))
    version = await release(Chapters.over(database, clock), round_)
    async with database.read() as session:
        rows = (await session.execute(select(dataset_items))).all()
    tagged = {row.uid for row in rows if "control:no_model" in row.tags}
    assert tagged == {row.uid for row in rows} & {uid_of(example_id) for example_id in chosen}
    assert {row.split for row in rows if row.uid in tagged} == {Split.TRAIN}
    arms = version.card["arms"]
    assert isinstance(arms, dict)
    assert arms["no_model"]["released"] == len(tagged) > 0


@pytest.mark.parametrize("order", [Random(1), Random(2)], ids=["one order", "another order"])
async def test_the_digest_of_a_fixed_collection_is_the_same_on_every_machine(
    database: Database, clock: HeldClock, order: Random
) -> None:
    round_ = await plant_round(database, clock, order=order)
    version = await release(Chapters.over(database, clock), round_, seed=PLANTED_SEED)
    assert [version.sizes[split] for split in Split] == [30, 3, 4]
    assert version.digest == PLANTED_DIGEST


async def test_a_copy_that_fails_leaves_no_half_release(
    database: Database, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, round_, _ = await closed_round(database, clock)
    copy = StoringRepository.copy

    async def fill_the_disk(
        self: StoringRepository, version_id: UUID, items: Sequence[object]
    ) -> None:
        await copy(self, version_id, list(items)[:10])  # type: ignore[arg-type]
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(StoringRepository, "copy", fill_the_disk)
        with pytest.raises(OSError, match="No space left"):
            await release(Chapters.over(database, clock), round_)
    chapters = Chapters.over(database, clock)
    assert await release_rows(database) == [0, 0, 0]
    assert (await chapters.rounds.get(round_.id)).status is RoundStatus.CLOSED
    version = await release(chapters, round_)
    assert (await release_rows(database))[2] == version.items


async def test_a_card_counts_what_another_process_is_just_folding(
    database: Database, clock: HeldClock
) -> None:
    _, round_, _ = await closed_round(database, clock, verified=12, others=3)
    chapters = Chapters.over(database, clock)
    order = ReleaseOrder(round_id=round_.id, seed=0, licence="CC0", allow_incomplete=True)

    async with database.transaction() as another:
        assert await FoldRepository(another).take_turn()
        # A task of its own has a connection of its own, as another process has.
        version = await asyncio.create_task(chapters.releases.release(order, progress=ignore))

    rates = version.card["error_rate"]
    assert isinstance(rates, dict)
    assert rates["validated_model_error_rate"]["part"] == 12
    assert rates["model_error_rate"]["whole"] == 15


async def test_an_order_that_waits_is_not_kept_for_a_round_that_was_released_meanwhile(
    database: Database, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = await make_task(database)
    round_ = await make_round(database, task)
    await fill_round(database, task, round_, clock=clock)
    await write_open_example(database, task, round_, clock)
    await close(database, round_, clock=clock)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    chapters = Chapters.over(database, clock)
    job = await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=None)
    settled = ReleaseOrder(
        round_id=round_.id, seed=0, licence="CC0", open_verdicts=OpenVerdicts.SETTLE
    )
    keep = chapters.desk.keep

    async def released_before(order: ReleaseOrder, *, created_by: UUID | None) -> bool:
        await chapters.releases.release(settled, progress=ignore)
        return await keep(order, created_by=created_by)

    monkeypatch.setattr(chapters.desk, "keep", released_before)
    done = await run(database, chapters, job.id)

    (version,) = await chapters.datasets.of_task(task.id)
    assert done.result == {"dataset_version_id": str(version.id), "digest": version.digest}
    assert await chapters.desk.waiting(round_.id, actor=owner) is None


async def test_a_release_that_is_cancelled_while_it_is_written_leaves_nothing(
    database: Database, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, round_, owner = await closed_round(database, clock, verified=12, others=3)
    chapters = Chapters.over(database, clock)
    job = await chapters.desk.release(round_.id, ReleaseRequest(), actor=owner, key=None)
    forget = ReleaseRepository.forget_order

    async def cancelled_before(self: ReleaseRepository, round_id: UUID) -> None:
        async with database.transaction() as session:
            await chapters.queue.cancel(session, job.id)
        await forget(self, round_id)

    monkeypatch.setattr(ReleaseRepository, "forget_order", cancelled_before)
    assert (await run(database, chapters, job.id)).state is JobState.CANCELLED
    assert await release_rows(database) == [0, 0, 0]
    fresh = Chapters.over(database, clock)
    assert (await fresh.rounds.get(round_.id)).status is RoundStatus.CLOSED
