"""The day's tidying up, asked for by many workers and done by one."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Table, case, func, insert, select, update

from dynabench.app.housekeeping import TIDY_UP, Housekeeping, _keep
from dynabench.app.wiring import Wiring, job_handlers
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.runtime import JobRuntime
from dynabench.engines.jobs.tables import job_log_lines, job_steps, jobs
from dynabench.engines.jobs.values import JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.db.database import DatabaseUnavailableError
from dynabench.kit.idempotency import RequestKey, idempotency_keys
from dynabench.loop.contexts.tables import context_leases
from dynabench.loop.datasets.perturbing.values import PERTURB_DATASET
from dynabench.loop.datasets.tables import dataset_files, dataset_versions
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.uploads.values import IMPORT_DATASET
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import MODEL_FILES_LEFT, ModelKind, ModelStatus
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.tables import validation_leases
from dynabench.people.schemas import SignIn
from dynabench.people.service import PeopleService
from dynabench.people.sign_ins.service import SignInService
from dynabench.people.tables import sessions
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.examples import Stage, make_stage, make_wiring
from tests.factories.models import make_model
from tests.factories.tasks import make_task
from tests.factories.validations import lent

_PASSWORD = "correct horse battery"


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Wiring]:
    made = make_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


async def test_a_day_is_tidied_once_however_many_workers_ask(
    wiring: Wiring, clock: HeldClock
) -> None:
    housekeeping = wiring.get(Housekeeping)
    asked = await asyncio.gather(*(housekeeping.ask() for _ in range(4)))
    clock.advance(days=1)
    tomorrow = await housekeeping.ask()

    async with wiring.db.read() as session:
        jobs = await wiring.queue.list_jobs(session, name=TIDY_UP)
    assert {job.id for job in jobs} == {asked[0], tomorrow}
    assert len(set(asked)) == 1


async def test_a_worker_does_what_was_asked(wiring: Wiring) -> None:
    job_id = await wiring.get(Housekeeping).ask()
    working = asyncio.create_task(JobRuntime(wiring.db, job_handlers(wiring)).run())
    try:
        for _ in range(600):
            if await _state(wiring, job_id) is JobState.DONE:
                break
            await asyncio.sleep(0.1)
        assert await _state(wiring, job_id) is JobState.DONE
    finally:
        working.cancel()
        with suppress(asyncio.CancelledError):
            await working


async def test_only_what_ran_out_is_forgotten(wiring: Wiring, clock: HeldClock) -> None:
    stage = await make_stage(wiring, clock)
    passed_over, kept = await stage.write(key=_key()), await stage.write()
    reader = await stage.person()
    assert set(await lent(stage, reader)) == {passed_over.id, kept.id}
    await wiring.get(ValidationService).skip(passed_over.id, actor=reader)
    await _sign_in(wiring)
    clock.advance(days=wiring.settings.session_days + 1)
    await _sign_in(wiring, again=True)
    fresh = await stage.write(key=_key())
    async with wiring.db.transaction() as session:
        # The database's own clock wrote these; the test's is years ahead.
        for example, age in ((passed_over, timedelta(days=2)), (fresh, timedelta())):
            await session.execute(
                update(idempotency_keys)
                .where(idempotency_keys.c.resource_id == example.id)
                .values(created_at=clock.now() - age)
            )

    done = await wiring.get(Housekeeping).tidy_up()

    assert done == {
        "idempotency_keys": 1,
        "job_logs": 0,
        "unfinished_uploads": 0,
        "rate_limits": 0,
        "context_leases": 0,
        "validation_leases": 1,
        "rejected_models": 0,
        "unused_dataset_files": 0,
    }
    assert await _count(stage, sessions) == 1
    assert await _count(stage, idempotency_keys) == 1
    # The author's lease was renewed by writing; what was passed over stays so.
    assert await _count(stage, context_leases) == 1
    assert await _count(stage, validation_leases) == 1
    assert set(await lent(stage, reader)) == {kept.id, fresh.id}
    clock.advance(days=2)
    assert (await wiring.get(Housekeeping).tidy_up())["context_leases"] == 1


async def test_logs_and_left_uploads_go_after_their_time_and_jobs_stay(
    wiring: Wiring, clock: HeldClock
) -> None:
    ids: list[UUID] = []
    for days in (91, 89):
        async with wiring.db.transaction() as session:
            job_id = await wiring.queue.enqueue(session, "any", {})
            await session.execute(insert(job_log_lines).values(job_id=job_id, line="Began."))
            await session.execute(insert(job_steps).values(job_id=job_id, key="first"))
            await session.execute(
                update(jobs)
                .where(jobs.c.id == job_id)
                .values(
                    state=JobState.DONE,
                    started_at=clock.now(),
                    finished_at=clock.now() - timedelta(days=days),
                )
            )
        ids.append(job_id)
    incoming = wiring.settings.home / "incoming"
    for name, days in (("old", 4), ("new", 2)):
        (incoming / name).mkdir(parents=True)
        (incoming / name / "artifact").write_bytes(b"PK")
        then = (clock.now() - timedelta(days=days)).timestamp()
        os.utime(incoming / name, (then, then))

    done = await wiring.get(Housekeeping).tidy_up()

    assert (done["job_logs"], done["unfinished_uploads"]) == (1, 1)
    assert [one.name for one in incoming.iterdir()] == ["new"]
    async with wiring.db.read() as session:
        assert await wiring.queue.log(session, ids[0]) == []
        assert await wiring.queue.log(session, ids[1]) == ["Began."]
        left = (await session.execute(select(job_steps.c.job_id))).scalars()
        assert list(left) == [ids[1]]
        assert {(await wiring.queue.get(session, one)).state for one in ids} == {JobState.DONE}


@pytest.mark.parametrize(
    ("status", "days", "is_left"),
    [
        (ModelStatus.REJECTED, 31, False),
        (ModelStatus.REJECTED, 29, True),
        (ModelStatus.CHECKING, 31, True),
    ],
)
async def test_files_of_rejected_models_go_after_their_time(
    wiring: Wiring, clock: HeldClock, status: ModelStatus, days: int, *, is_left: bool
) -> None:
    blobs = FolderBlobStore(wiring.settings.blobs_folder)
    digest = blobs.put(b"PK and the rest of an archive")
    task = await make_task(wiring.db)
    model = await make_model(wiring.db, task, kind=ModelKind.HANDLER, status=status)
    artifact = {"digest": digest, "format": "zip", "size_bytes": 29}
    async with wiring.db.transaction() as session:
        await session.execute(
            update(models)
            .where(models.c.id == model.id)
            .values(
                source={"options": {}, "artifact": artifact},
                created_at=clock.now() - timedelta(days=days),
            )
        )

    done = await wiring.get(Housekeeping).tidy_up()

    assert done["rejected_models"] == (0 if is_left else 1)
    assert (await wiring.get(Housekeeping).tidy_up())["rejected_models"] == 0
    async with wiring.db.read() as session:
        jobs = await wiring.queue.list_jobs(session, name=MODEL_FILES_LEFT)
        source = await session.scalar(select(models.c.source).where(models.c.id == model.id))
    assert [job.payload for job in jobs] == ([] if is_left else [{"digests": [digest]}])
    assert source == {"options": {}} | ({"artifact": artifact} if is_left else {})
    for job in jobs:
        await JobRunner(wiring.db, job_handlers(wiring), executor_id="one").run(job.id)
    assert blobs.exists(digest) is is_left


async def _state(wiring: Wiring, job_id: UUID) -> JobState:
    async with wiring.db.read() as session:
        return (await wiring.queue.get(session, job_id)).state


async def _count(stage: Stage, table: Table) -> int:
    async with stage.db.read() as session:
        return int(await session.scalar(select(func.count()).select_from(table)) or 0)


async def _sign_in(wiring: Wiring, *, again: bool = False) -> None:
    if not again:
        await wiring.get(PeopleService).create_user("eve", password=_PASSWORD)
    body = SignIn(username="eve", password=_PASSWORD)
    await wiring.get(SignInService).sign_in(body, address="127.0.0.1")


def _key() -> RequestKey:
    return RequestKey.of(actor_id=None, route="test", key=str(uuid4()), body=b"")


async def test_work_ends_when_it_is_told_to_whatever_the_driver_makes_of_that() -> None:
    begun = asyncio.Event()

    async def work() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError as error:
            raise DatabaseUnavailableError from error

    task = asyncio.create_task(_keep(work, what="testing", every=0.001))
    await begun.wait()
    task.cancel()

    done, _ = await asyncio.wait({task}, timeout=5)
    assert done
    assert task.cancelled()


@pytest.mark.parametrize(
    ("use", "days", "is_left"),
    [
        ("none", 8, False),
        ("none", 6, True),
        ("sent again", 8, True),
        ("dataset", 8, True),
        ("dataset of another task", 8, False),
        ("import", 8, True),
        ("variants", 8, True),
    ],
)
async def test_sent_files_that_no_dataset_names_go_after_a_week(
    wiring: Wiring, clock: HeldClock, tmp_path: Path, use: str, days: int, *, is_left: bool
) -> None:
    task, sent = await make_task(wiring.db), wiring.get(SentFiles)
    file = tmp_path / "rows"
    file.write_bytes(b'{"text": "a"}\n')
    digest = await sent.keep(task.id, file, created_by=None)
    async with wiring.db.transaction() as session:
        age = {"created_at": clock.now() - timedelta(days=days)}
        await session.execute(update(dataset_files).values(age))
        if use == "import":
            await wiring.queue.enqueue(session, IMPORT_DATASET, {"upload": {"file": digest}})
        if use == "variants":
            await wiring.queue.enqueue(session, PERTURB_DATASET, {"file": digest})
    if use.startswith("dataset"):
        owner = task if use == "dataset" else await make_task(wiring.db)
        version = await make_dataset(wiring.db, owner, [make_item(1)], clock=clock)
        async with wiring.db.transaction() as session:
            await session.execute(
                update(dataset_versions)
                .where(dataset_versions.c.id == version.id)
                .values(card={"file": {"digest": digest, "bytes": 14}})
            )
    if use == "sent again":
        await sent.keep(task.id, file, created_by=None)
        async with wiring.db.transaction() as session:
            # The database's own clock wrote it; the test's is years ahead.
            now = {"created_at": dataset_files.c.created_at + (clock.now() - func.now())}
            await session.execute(update(dataset_files).values(now))

    assert (await wiring.get(Housekeeping).tidy_up())["unused_dataset_files"] == int(not is_left)
    await _forget_left(wiring)

    assert FolderBlobStore(wiring.settings.blobs_folder).exists(digest) is is_left


async def test_a_file_that_was_sent_for_two_tasks_goes_with_the_last_of_them(
    wiring: Wiring, clock: HeldClock, tmp_path: Path
) -> None:
    tasks, sent = [await make_task(wiring.db) for _ in range(2)], wiring.get(SentFiles)
    file = tmp_path / "rows"
    file.write_bytes(b'{"text": "a"}\n')
    digests = [await sent.keep(task.id, file, created_by=None) for task in tasks]
    blobs = FolderBlobStore(wiring.settings.blobs_folder)
    for task, is_left in zip(tasks, (True, False), strict=True):
        async with wiring.db.transaction() as session:
            await session.execute(
                update(dataset_files).values(
                    created_at=case(
                        (dataset_files.c.task_id == task.id, clock.now() - timedelta(days=8)),
                        else_=clock.now(),
                    )
                )
            )
        assert (await wiring.get(Housekeeping).tidy_up())["unused_dataset_files"] == 1
        await _forget_left(wiring)
        assert blobs.exists(digests[0]) is is_left


async def _forget_left(wiring: Wiring) -> None:
    async with wiring.db.read() as session:
        left = await wiring.queue.list_jobs(session, name=MODEL_FILES_LEFT)
    for job in left:
        await JobRunner(wiring.db, job_handlers(wiring), executor_id="one").run(job.id)
