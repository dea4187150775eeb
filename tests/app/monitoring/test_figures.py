"""What `/metrics` says of a round that was played, to whom, and at what price."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from dynabench.app.monitoring.counting import count_attempts
from dynabench.app.monitoring.families import FAMILIES, MOST_TASKS, OTHER_TASKS, Samples
from dynabench.app.monitoring.figures import Kept
from dynabench.app.wiring import Wiring, wire
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.tables import jobs
from dynabench.kit.settings import Settings
from dynabench.loop.rounds.values import RoundControls, RoundPlan, RoundValidation, ValidationMode
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.values import Vote
from dynabench.people.schemas import ApiTokenCreate
from dynabench.people.service import PeopleService
from tests.app.monitoring.conftest import ELSEWHERE, Scrape, browser, value
from tests.conftest import HeldClock
from tests.factories.examples import Stage, make_stage
from tests.factories.people import make_user
from tests.factories.validations import vote

MANY_OLDER = (
    "INSERT INTO tasks (id, slug, status, active_config_version, created_at)"
    " SELECT gen_random_uuid(), 'older-' || n, 'active', 1, '2001-01-01'"
    " FROM generate_series(1, :most) n"
)


@pytest.mark.usefixtures("stage")
async def test_every_figure_that_is_described_is_there_and_no_other(scrape: Scrape) -> None:
    figures = await scrape()

    assert {name for name in figures if name.startswith("dynabench_")} == set(FAMILIES)
    assert "process_resident_memory_bytes" in figures


async def test_attempts_are_counted_by_task_and_outcome(stage: Stage, scrape: Scrape) -> None:
    figures = await scrape()

    found = {
        outcome: value(figures, "dynabench_attempts", task=stage.task.slug, outcome=outcome)
        for outcome in ("fooled", "not_fooled", "undecided", "control")
    }
    assert found == {"fooled": 1, "not_fooled": 2, "undecided": 0, "control": 0}


async def test_where_no_model_is_shown_nothing_says_whether_it_was_fooled(
    wiring: Wiring, clock: HeldClock, scrape: Scrape
) -> None:
    plan = RoundPlan(controls=RoundControls(no_model_share=1.0))
    stage = await make_stage(wiring, clock, plan=plan)
    await stage.write(fooling=True)
    await stage.write(fooling=False)
    await wiring.get(FoldService).catch_up(at_once=True)

    figures = await scrape()

    slug = stage.task.slug
    assert value(figures, "dynabench_attempts", task=slug, outcome="control") == 2
    assert value(figures, "dynabench_attempts", task=slug, outcome="fooled") == 0
    assert value(figures, "dynabench_attempts", task=slug, outcome="not_fooled") == 0


async def test_votes_are_counted_by_what_they_say(stage: Stage, scrape: Scrape) -> None:
    figures = await scrape()

    assert value(figures, "dynabench_votes", task=stage.task.slug, vote="incorrect") == 1


async def test_a_blind_vote_does_not_say_whether_it_agrees(
    wiring: Wiring, clock: HeldClock, scrape: Scrape
) -> None:
    rule = RoundValidation(mode=ValidationMode.BLIND)
    stage = await make_stage(wiring, clock, plan=RoundPlan(validation=rule))
    written = await stage.write()
    await vote(stage, written.id, answer="neutral")
    await vote(stage, written.id, Vote.FLAGGED)

    votes = (await scrape())["dynabench_votes"].samples

    assert {one.labels["vote"]: one.value for one in votes} == {"answer": 1, "flagged": 1}


async def test_what_waits_for_validators_is_counted_with_the_age_of_the_oldest(
    stage: Stage, clock: HeldClock, scrape: Scrape
) -> None:
    clock.advance(hours=2)

    figures = await scrape()

    slug = stage.task.slug
    assert value(figures, "dynabench_validation_waiting", task=slug) == 1
    assert value(figures, "dynabench_validation_oldest_seconds", task=slug) == 7200


async def test_jobs_are_counted_by_kind_and_state(wiring: Wiring, scrape: Scrape) -> None:
    async with wiring.db.transaction() as session:
        for state in ("queued", "queued", "failed", "running"):
            job_id = await JobQueue().enqueue(session, "t.work", {})
            await session.execute(jobs.update().where(jobs.c.id == job_id).values(state=state))

    figures = await scrape()

    assert value(figures, "dynabench_jobs", kind="t.work", state="queued") == 2
    assert value(figures, "dynabench_jobs", kind="t.work", state="failed") == 1
    assert value(figures, "dynabench_jobs_oldest_seconds", kind="t.work", state="queued") >= 0
    oldest = figures["dynabench_jobs_oldest_seconds"].samples
    assert {one.labels["state"] for one in oldest} == {"queued", "running"}


async def test_targets_say_how_long_they_took_and_how_they_failed(
    stage: Stage, scrape: Scrape
) -> None:
    figures = await scrape()

    name = "dynabench_target_answer_seconds"
    assert value(figures, f"{name}_count", task=stage.task.slug) == 3
    assert value(figures, f"{name}_bucket", task=stage.task.slug, le="+Inf") == 3
    failures = figures["dynabench_target_failures"].samples
    assert [(one.labels["code"], one.value) for one in failures] == [
        ("models.target_unavailable", 1)
    ]


async def test_counts_say_how_far_they_are_behind(stage: Stage, scrape: Scrape) -> None:
    assert value(await scrape(), "dynabench_fold_waiting") == 0

    await stage.write()

    figures = await scrape()
    assert value(figures, "dynabench_fold_waiting") == 1
    assert value(figures, "dynabench_fold_lag_seconds") >= 0


@pytest.mark.usefixtures("stage")
async def test_files_disk_database_streams_and_trail_are_told(scrape: Scrape) -> None:
    figures = await scrape()

    assert value(figures, "dynabench_blobs_bytes") == 1234
    free, size = (value(figures, f"dynabench_disk_{name}") for name in ("free_bytes", "bytes"))
    assert 0 < free < size
    assert value(figures, "dynabench_database_bytes") > 1_000_000
    assert value(figures, "dynabench_audit_entries") > 0
    assert value(figures, "dynabench_streams_open") == 0
    assert value(figures, "dynabench_database_up") == 1
    assert value(figures, "dynabench_part_ok", part="database") == 1
    assert value(figures, "dynabench_part_ok", part="worker") == 0
    assert value(figures, "dynabench_responses_total", status="2xx") >= 1


async def test_a_database_that_is_gone_is_told_and_its_figures_are_missing(
    tmp_path: Path,
) -> None:
    nowhere = Settings(database_url="postgresql://nobody@127.0.0.1:1/nothing", home=tmp_path)
    lost = wire(nowhere)
    async with browser(lost) as client:
        answer = await client.get("/metrics")
    await lost.close()

    assert answer.status_code == 200
    assert "dynabench_database_up 0.0" in answer.text
    assert "\ndynabench_attempts{" not in answer.text


async def test_drafts_and_tasks_past_the_limit_have_no_name_in_figures(
    stage: Stage, wiring: Wiring
) -> None:
    async def names(change: str, **given: object) -> set[str]:
        async with wiring.db.transaction() as session:
            await session.execute(text(change), given)
            found = await count_attempts(session, wiring.clock)
        return {labels[0] for labels in found.numbers["dynabench_attempts"]}

    assert await names("SELECT 1") == {stage.task.slug}
    assert await names("UPDATE tasks SET status = 'draft'") == {OTHER_TASKS}
    assert await names("UPDATE tasks SET status = 'active'") == {stage.task.slug}
    assert await names(MANY_OLDER, most=MOST_TASKS) == {OTHER_TASKS}


async def test_only_this_machine_and_administrators_read_figures(wiring: Wiring) -> None:
    async with browser(wiring) as client:
        forwarded = await client.get("/metrics", headers={"x-forwarded-for": "192.0.2.7"})
        assert (await client.get("/metrics")).status_code == 200
    admin, stranger = [await token_of(wiring, is_admin=flag) for flag in (True, False)]
    async with browser(wiring, client=ELSEWHERE) as client:
        visitor = await client.get("/metrics")
        asked = {
            name: await client.get("/metrics", headers={"authorization": f"Bearer {secret}"})
            for name, secret in (("admin", admin), ("stranger", stranger))
        }

    assert (forwarded.status_code, visitor.status_code) == (401, 401)
    assert (asked["admin"].status_code, asked["stranger"].status_code) == (200, 403)
    assert "dynabench_" not in visitor.text + asked["stranger"].text


async def token_of(wiring: Wiring, *, is_admin: bool) -> str:
    actor = await make_user(wiring.db, is_admin=is_admin, clock=wiring.clock)
    body = ApiTokenCreate.model_validate({"name": "prometheus", "scope": "read"})
    return (await wiring.get(PeopleService).create_token(body, actor=actor)).secret


async def test_many_who_ask_at_once_read_once_and_what_costs_much_is_read_seldom() -> None:
    reads = 0

    async def read() -> Samples:
        nonlocal reads
        reads += 1
        await asyncio.sleep(0.01)
        return Samples()

    cheap, kept = Kept(read, least_seconds=0), Kept(read, least_seconds=60)
    await asyncio.gather(*(kept.get() for _ in range(20)))
    assert reads == 1

    await asyncio.gather(*(cheap.get() for _ in range(20)))
    # Ten milliseconds of reading allow the next look after two seconds.
    assert reads == 2
