"""One person and one task keep so many bytes, and use so many hours of a day."""

import asyncio
import hashlib
import io
import random
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, update

from dynabench.engines.jobs.allotment import JobHours
from dynabench.engines.jobs.errors import JobTimeError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.tables import jobs
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.models.submissions.errors import FilesQuotaError
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import MODEL_FILES_LEFT, ModelStatus
from dynabench.loop.tasks.values import Task
from tests.conftest import HeldClock
from tests.factories.people import make_user
from tests.factories.submissions import HANDLER, Desk, Steps, zipped
from tests.factories.tasks import make_task

pytestmark = pytest.mark.anyio


@pytest.fixture
async def task(database: Database) -> Task:
    return await make_task(database)


@pytest.fixture
async def ada(database: Database) -> Actor:
    return await make_user(database, username="ada")


async def test_one_keeps_as_many_bytes_as_allowed_until_a_model_is_deleted(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    size = len(zipped({"model.py": HANDLER}))
    desk = Desk.of(database, clock, task, tmp_path, kept_by_person=2 * size + 10)
    kept = [await desk.submit(ada, name=name) for name in ("one", "two", "three")]
    for one in kept[:2]:
        await desk.upload(one.id, ada)
    with pytest.raises(FilesQuotaError) as refused:
        await desk.upload(kept[2].id, ada)
    assert refused.value.facts["whose"] == "you"
    assert "Delete models" in refused.value.message
    # Nothing of it was kept, and another person has room of their own.
    assert (await desk.models.read(kept[2].id, actor=ada)).artifact_bytes is None
    other = await make_user(database)
    await desk.upload((await desk.submit(other, name="other")).id, other)

    model, _ = await desk.models.get_visible(kept[0].id, ada)
    async with database.transaction() as session:
        await desk.care.mark_deleted(session, model)

    assert (await desk.upload(kept[2].id, ada)).artifact_bytes == size


async def test_a_task_s_models_keep_as_many_bytes_as_allowed(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    size = len(zipped({"model.py": HANDLER}))
    desk = Desk.of(database, clock, task, tmp_path, kept_by_task=size + 10)
    await desk.upload((await desk.submit(ada)).id, ada)
    other = await make_user(database)
    submitted = await desk.submit(other, name="other")

    with pytest.raises(FilesQuotaError, match="ask its owners"):
        await desk.upload(submitted.id, other)


@pytest.mark.parametrize("whose", ["person", "task"])
async def test_parallel_uploads_keep_no_more_than_allowed(
    database: Database, clock: HeldClock, tmp_path: Path, whose: str
) -> None:
    most, tries = 2 * len(zipped({"model.py": HANDLER})) + 10, 5
    is_person = whose == "person"
    people = [await make_user(database) for _ in range(1 if is_person else tries)]
    tasks = [await make_task(database) for _ in range(tries if is_person else 1)]
    desks = [
        Desk.of(
            database,
            clock,
            task,
            tmp_path,
            kept_by_person=most if is_person else 1_000_000_000,
            kept_by_task=None if is_person else most,
        )
        for task in tasks
    ]
    places = [(desk, person) for desk in desks for person in people]
    made = [
        (desk, await desk.submit(person, name=f"model {number}"), person)
        for number, (desk, person) in enumerate(places)
    ]

    ends = await asyncio.gather(
        *(desk.upload(model.id, person) for desk, model, person in made), return_exceptions=True
    )

    refused = [end for end in ends if isinstance(end, FilesQuotaError)]
    assert len(refused) == tries - 2, ends
    assert {one.facts["whose"] for one in refused} == {"you" if is_person else "task"}


async def test_a_submission_is_refused_where_the_day_s_time_is_used_up(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path, hours=JobHours(person=1.0))
    async with database.transaction() as session:
        job_id = await JobQueue().enqueue(
            session, "any", {}, created_by=ada.user_id, subject_id=task.id
        )
        await session.execute(
            update(jobs)
            .where(jobs.c.id == job_id)
            .values(
                started_at=func.now() - timedelta(hours=3),
                finished_at=func.now() - timedelta(hours=1),
            )
        )

    with pytest.raises(JobTimeError):
        await desk.submit(ada)

    await desk.submit(await make_user(database))


async def test_a_model_that_passed_keeps_what_its_folder_has(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    weights = random.Random(1).randbytes(30_000)
    desk = Desk.of(database, clock, task, tmp_path, kept_by_person=70_000, kept_by_task=65_000)
    first = await desk.hand_in(ada, name="one", files={"model.py": HANDLER, "w": weights})
    assert first.status is ModelStatus.READY
    assert first.artifact_bytes == len(HANDLER) + len(weights)
    await desk.hand_in(ada, name="two", files={"model.py": HANDLER, "w": weights[::-1]})
    third = await desk.submit(ada, name="three")
    with pytest.raises(FilesQuotaError):
        await desk.upload(third.id, ada, {"model.py": HANDLER, "w": weights[1:]})

    model, _ = await desk.models.get_visible(first.id, ada)
    async with database.transaction() as session:
        await desk.care.mark_deleted(session, model)
    await desk.upload(third.id, ada, {"model.py": HANDLER, "w": weights[1:]})
    assert await desk.check(third.id) is ModelStatus.READY


@pytest.mark.parametrize("whose", ["person", "task"])
async def test_what_unpacks_to_more_than_may_be_kept_is_rejected_and_not_stored(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor, whose: str
) -> None:
    is_person = whose == "person"
    desk = Desk.of(
        database,
        clock,
        task,
        tmp_path,
        kept_by_person=1_000_000 if is_person else 1_000_000_000,
        kept_by_task=None if is_person else 1_000_000,
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("model.py", HANDLER)
        archive.writestr("w", bytes(1_200_000))
    swelling = await desk.submit(ada, name="one")
    await desk.upload(swelling.id, ada, packed.getvalue())
    await desk.check(swelling.id)
    rejected = await desk.models.read(swelling.id, actor=ada)

    assert rejected.status is ModelStatus.REJECTED
    assert rejected.problems
    sentence = rejected.problems[0].problem
    assert "its files have 1.2 MB" in sentence
    assert "more than the 1 MB that this server gives" in sentence
    assert "delete models" in sentence
    # All that is there is the small archive, which its author may have checked again.
    assert sum(1 for _ in desk.blobs.digests()) == 1
    assert (await desk.hand_in(ada, name="two")).status is ModelStatus.READY


async def test_a_model_that_an_earlier_version_accepted_counts_with_what_was_handed_in(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path)
    size = len(zipped({"model.py": HANDLER}))
    earlier = await desk.hand_in(ada)
    async with database.transaction() as session:
        values = {"artifact_bytes": 1_000}
        await session.execute(update(models).where(models.c.id == earlier.id).values(values))
    desk = Desk.of(database, clock, task, tmp_path, kept_by_person=999 + size)
    second = await desk.submit(ada, name="second")

    with pytest.raises(FilesQuotaError):
        await desk.upload(second.id, ada)


async def test_the_folder_of_a_model_that_was_deleted_in_its_check_is_forgotten(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path)
    submitted = await desk.submit(ada)
    await desk.upload(submitted.id, ada)
    model, _ = await desk.models.get_visible(submitted.id, ada)

    class Slow(Steps):
        async def progress(self, done: float, total: float, message: str = "") -> None:
            del total, message
            if done == 2:
                async with database.transaction() as session:
                    await desk.care.mark_deleted(session, model)

    await desk.check(submitted.id, Slow())

    async with database.read() as session:
        jobs_left = await JobQueue().list_jobs(session, name=MODEL_FILES_LEFT)
    folder = tmp_path / "same"
    folder.mkdir()
    (folder / "model.py").write_text(HANDLER)
    # Nobody knows the folder any more, so its list of files goes along.
    its_file = hashlib.sha256(HANDLER.encode()).hexdigest()
    wanted = [desk.blobs.put_folder(folder), its_file]
    assert [job.payload for job in jobs_left] == [{"digests": wanted}]
