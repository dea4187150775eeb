"""Rounds that take examples between set times only, on the real services."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, text

from dynabench.app.housekeeping import Housekeeping
from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.kit.asking import Asking, asking
from dynabench.loop.assignments.schemas import NextContextRequest
from dynabench.loop.assignments.service import AssignmentService
from dynabench.loop.datasets.releases.orders.service import ReleaseDesk
from dynabench.loop.examples.errors import RoundNotOpenError
from dynabench.loop.rounds.errors import (
    RoundNotBegunError,
    RoundOverError,
    RoundSettingsError,
    RoundStateError,
)
from dynabench.loop.rounds.schedules.service import ScheduleService
from dynabench.loop.rounds.schemas import RoundCreate, RoundPatch, RoundReopen
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import (
    Round,
    RoundBudget,
    RoundPlan,
    RoundSchedule,
    RoundStatus,
)
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.audit.tables import audit_entries
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage, make_wiring
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member, make_task


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Wiring]:
    made = make_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


async def _stage(
    wiring: Wiring,
    clock: HeldClock,
    *,
    opens_in: timedelta | None = None,
    closes_in: timedelta | None = None,
    days: int | None = None,
) -> Stage:
    now = clock.now()
    schedule = RoundSchedule(
        opens_at=None if opens_in is None else now + opens_in,
        closes_at=None if closes_in is None else now + closes_in,
    )
    plan = RoundPlan(schedule=schedule, budget=RoundBudget(days=days))
    return await make_stage(wiring, clock, plan=plan)


async def _owner(stage: Stage) -> Actor:
    owner = await stage.person()
    await add_member(stage.db, stage.task, owner, TaskRole.OWNER)
    return owner


async def _now(stage: Stage) -> Round:
    """Return the round as the database has it, past what a service remembers."""
    found = await stage.wiring.get(RoundService).of_task(stage.task.id)
    return next(one for one in found if one.id == stage.round_.id)


async def _borrow(stage: Stage) -> None:
    await stage.wiring.get(AssignmentService).next_context(
        stage.round_.id, NextContextRequest(), actor=stage.author
    )


async def test_a_round_takes_examples_from_its_opening_on(wiring: Wiring, clock: HeldClock) -> None:
    stage = await _stage(wiring, clock, opens_in=timedelta(hours=2))
    opens_at = stage.round_.schedule.opens_at
    assert opens_at is not None
    for attempt in (stage.write, lambda: _borrow(stage)):
        with pytest.raises(RoundNotBegunError) as refused:
            await attempt()
        assert refused.value.facts == {"round_number": 1, "opens_at": opens_at.isoformat()}
        assert f"{opens_at:%Y-%m-%d at %H:%M} UTC" in refused.value.message

    clock.advance(hours=2)

    await _borrow(stage)
    assert (await stage.write()).round_id == stage.round_.id


async def test_after_its_closing_a_round_refuses_although_nothing_has_closed_it_yet(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    await stage.write()
    clock.advance(hours=2)

    for attempt in (stage.write, lambda: _borrow(stage)):
        with pytest.raises(RoundOverError):
            await attempt()

    assert (await _now(stage)).status is RoundStatus.OPEN


async def test_what_was_answered_after_the_closing_is_not_stored(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    rounds = wiring.get(RoundService)
    async with stage.db.transaction() as session:
        await rounds.hold_open(session, stage.round_.id)
    clock.advance(hours=2)
    async with stage.db.transaction() as session:
        with pytest.raises(RoundOverError):
            await rounds.hold_open(session, stage.round_.id)


async def test_a_round_closes_once_at_its_time_however_many_close_it(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    schedules = wiring.get(ScheduleService)
    assert await schedules.close_due() == []
    clock.advance(hours=2)

    closed = await asyncio.gather(*(schedules.close_due() for _ in range(4)))

    assert [one for some in closed for one in some] == [stage.round_.id]
    round_ = await _now(stage)
    assert (round_.status, round_.closed_at) == (RoundStatus.CLOSED, clock.now())
    assert round_.close_reason == "Its closing time has come."
    assert await _closings(stage) == [("system", "Its closing time has come.")]


async def test_a_closing_that_comes_late_is_made_up_for(wiring: Wiring, clock: HeldClock) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    clock.advance(days=3)
    # The process that looks now is not the one that looked before.
    housekeeping = asyncio.create_task(wiring.get(Housekeeping).keep_asking())
    try:
        for _ in range(600):
            if (await _now(stage)).status is RoundStatus.CLOSED:
                break
            await asyncio.sleep(0.05)
    finally:
        housekeeping.cancel()
        await asyncio.gather(housekeeping, return_exceptions=True)
    with pytest.raises(RoundNotOpenError):
        await stage.write()


async def test_a_process_that_dies_before_it_commits_leaves_the_closing_to_the_next(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    clock.advance(hours=2)
    rounds, schedules = wiring.get(RoundService), wiring.get(ScheduleService)
    async with stage.db.transaction() as session:
        # An example that is being stored holds the round, so the closing waits and is killed.
        await rounds.hold_unreleased(session, stage.round_.id)
        closing = asyncio.create_task(schedules.close_due())
        await asyncio.sleep(0.1)
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
    assert (await _now(stage)).status is RoundStatus.OPEN

    assert await schedules.close_due() == [stage.round_.id]
    assert len(await _closings(stage)) == 1


async def test_days_that_are_over_close_a_round_in_which_nobody_writes(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, opens_in=timedelta(days=1), days=2)
    schedules = wiring.get(ScheduleService)
    clock.advance(days=2)
    assert await schedules.close_due() == []
    clock.advance(days=1)
    assert await schedules.close_due() == [stage.round_.id]
    assert (await _now(stage)).close_reason == "Its days are over."


async def test_an_owner_who_moves_the_closing_meanwhile_keeps_the_round_open(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    owner = await _owner(stage)
    rounds = wiring.get(RoundService)
    clock.advance(hours=2)
    later = clock.now() + timedelta(hours=1)

    await rounds.change(stage.round_.id, _patch(closes_at=later), actor=owner)

    assert await wiring.get(ScheduleService).close_due() == []
    await stage.write()


async def test_who_changes_the_times_stands_in_the_audit_trail(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock)
    owner = await _owner(stage)
    closes_at = clock.now() + timedelta(hours=1)
    token = asking.set(Asking(name=owner.username, user_id=owner.user_id))
    try:
        await wiring.get(RoundService).change(
            stage.round_.id, _patch(closes_at=closes_at), actor=owner
        )
    finally:
        asking.reset(token)
    async with stage.db.read() as session:
        rows = await session.execute(
            select(audit_entries.c.actor_name, audit_entries.c.before, audit_entries.c.after)
            .where(audit_entries.c.act == "round.changed")
            .order_by(audit_entries.c.number.desc())
            .limit(1)
        )
        who, before, after = rows.one()
    assert (who, before) == (owner.username, {"closes_at": None})
    assert list(after) == ["closes_at"]
    assert datetime.fromisoformat(after["closes_at"]) == closes_at


async def test_wrong_times_are_refused_wherever_they_are_set(
    wiring: Wiring, clock: HeldClock
) -> None:
    task = await make_task(wiring.db, clock=clock)
    owner = await make_user(wiring.db, clock=clock)
    await add_member(wiring.db, task, owner, TaskRole.OWNER)
    model = await make_model(wiring.db, task, clock=clock)
    rounds = wiring.get(RoundService)
    past = {"closes_at": clock.now() - timedelta(hours=1)}
    with pytest.raises(RoundSettingsError):
        await rounds.create(task.slug, RoundCreate(schedule=past), actor=owner, key=None)
    ahead = {"closes_at": clock.now() + timedelta(hours=1)}
    body = RoundCreate(target_model_ids=(model.id,), schedule=ahead)
    draft = await rounds.create(task.slug, body, actor=owner, key=None)
    with pytest.raises(RoundSettingsError):
        await rounds.change(draft.id, RoundPatch(schedule=past), actor=owner)
    clock.advance(hours=2)
    with pytest.raises(RoundSettingsError, match="closing lies in the past"):
        await rounds.open(draft.id, actor=owner)
    await rounds.change(draft.id, RoundPatch(schedule={}), actor=owner)
    assert (await rounds.open(draft.id, actor=owner)).status is RoundStatus.OPEN


async def test_a_round_that_closed_at_its_time_opens_again_with_other_times(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    owner = await _owner(stage)
    clock.advance(hours=2)
    await wiring.get(ScheduleService).close_due()
    with pytest.raises(RoundStateError):
        await wiring.get(RoundService).change(
            stage.round_.id, _patch(closes_at=clock.now() + timedelta(hours=1)), actor=owner
        )
    desk = wiring.get(ReleaseDesk)
    later = clock.now() + timedelta(hours=1)
    await desk.reopen(stage.round_.id, RoundReopen(schedule={"closes_at": later}), actor=owner)
    await stage.write()
    clock.advance(hours=1)
    with pytest.raises(RoundOverError):
        await stage.write()


async def test_a_round_of_another_task_is_not_closed_with_it(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    other = await make_task(wiring.db, clock=clock)
    beside = await make_round(wiring.db, other, clock=clock)
    clock.advance(hours=2)
    assert await wiring.get(ScheduleService).close_due() == [stage.round_.id]
    assert replace(beside, status=RoundStatus.OPEN) in await wiring.get(RoundService).of_task(
        other.id
    )


async def test_a_round_that_cannot_be_closed_keeps_no_other_open(
    wiring: Wiring, clock: HeldClock
) -> None:
    stuck = await _stage(wiring, clock, closes_in=timedelta(hours=2))
    stages = [await _stage(wiring, clock, closes_in=timedelta(hours=2)) for _ in range(2)]
    async with stuck.db.transaction() as session:
        await session.execute(
            text(
                "CREATE FUNCTION keep_open() RETURNS trigger LANGUAGE plpgsql AS"
                " $$ BEGIN RAISE 'It stays open.'; END $$"
            )
        )
        await session.execute(
            text(
                "CREATE TRIGGER keep_open BEFORE UPDATE ON rounds FOR EACH ROW"
                f" WHEN (OLD.id = '{stuck.round_.id}') EXECUTE FUNCTION keep_open()"
            )
        )
    clock.advance(hours=2)

    closed = await wiring.get(ScheduleService).close_due()

    assert set(closed) == {one.round_.id for one in stages}
    assert (await _now(stuck)).status is RoundStatus.OPEN


async def test_a_round_does_not_open_again_at_the_end_of_all_years(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await _stage(wiring, clock)
    owner = await _owner(stage)
    await wiring.get(RoundService).close(stage.round_.id, actor=owner)
    never = RoundReopen.model_validate(
        {"budget": {"days": 3650}, "schedule": {"opens_at": "9999-12-31T00:00:00Z"}}
    )
    with pytest.raises(RoundSettingsError, match="more than ten years ahead"):
        await wiring.get(ReleaseDesk).reopen(stage.round_.id, never, actor=owner)


def _patch(**times: datetime) -> RoundPatch:
    return RoundPatch.model_validate({"schedule": times})


async def _closings(stage: Stage) -> list[tuple[str, str]]:
    async with stage.db.read() as session:
        rows = await session.execute(
            select(audit_entries.c.actor_name, audit_entries.c.reason)
            .where(audit_entries.c.act == "round.changed")
            .where(audit_entries.c.after["status"].astext == "closed")
        )
        return [(row.actor_name, row.reason) for row in rows]
