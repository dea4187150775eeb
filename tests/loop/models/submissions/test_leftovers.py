"""Forgetting files of models: what anybody hands in neither stops it nor steers it."""

import json
from collections.abc import Collection
from pathlib import Path
from typing import cast
from uuid import UUID

import pytest

from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database, Session
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.values import MODEL_FILES_LEFT, ModelKind, ModelStatus
from tests.conftest import HeldClock
from tests.factories.people import make_user
from tests.factories.submissions import Desk, Steps
from tests.factories.tasks import make_task


@pytest.fixture
async def ada(database: Database) -> Actor:
    return await make_user(database, username="ada")


@pytest.fixture
async def desk(database: Database, clock: HeldClock, tmp_path: Path) -> Desk:
    return Desk.of(database, clock, await make_task(database), tmp_path, max_bytes=30_000_000)


@pytest.fixture
def leftovers(desk: Desk) -> Leftovers:
    return Leftovers(db=desk.db, blobs=desk.blobs)


async def nothing_else(session: Session, digests: Collection[str]) -> set[str]:
    del session, digests
    return set()


async def delete(desk: Desk, model_id: UUID) -> list[str]:
    async with desk.db.transaction() as session:
        (model,) = await desk.models.get_many(session, [model_id])
        return await desk.care.mark_deleted(session, model) or []


async def rejected(desk: Desk, actor: Actor, data: bytes) -> UUID:
    """Hand in bytes that are no model, which stay until they are deleted."""
    model = await desk.submit(actor, name="garbage", kind=ModelKind.ONNX)
    await desk.upload(model.id, actor, data)
    async with desk.db.transaction() as session:
        await SubmissionRepository(session).change(model.id, {"status": ModelStatus.REJECTED})
    return model.id


@pytest.mark.parametrize(
    "data",
    [
        b'{"format":"dynabench-folder-1","files":{"a":"zz"}}',
        b'{"format":"dynabench-folder-1","files":3}',
        b'{"format":"dynabench-folder-1"}',
        b"[" * 200_000,
        b"[" + b"[]," * 100_000 + b"[]]",
        b"1" * 10_000,
        b"\xff",
    ],
)
async def test_what_one_person_hands_in_does_not_stop_anothers_files_from_being_forgotten(
    desk: Desk, leftovers: Leftovers, ada: Actor, data: bytes
) -> None:
    garbage = await rejected(desk, ada, data)
    mine = await desk.hand_in(ada)
    file = desk.blobs.files_of(parse_digest(mine.digest))["model.py"]

    # The folder, the file in it, and the archive that it came in.
    assert await leftovers.forget(await delete(desk, mine.id), needed=nothing_else) == 2
    assert not desk.blobs.exists(file)
    assert await leftovers.forget(await delete(desk, garbage), needed=nothing_else) == 1


async def test_a_file_that_looks_like_a_folder_takes_nothing_with_it(
    desk: Desk, leftovers: Leftovers, ada: Actor
) -> None:
    kept = desk.blobs.put(b"something of somebody else")
    look = json.dumps({"format": "dynabench-folder-1", "files": {"a": kept}}).encode()
    model = await rejected(desk, ada, look)

    assert await leftovers.forget(await delete(desk, model), needed=nothing_else) == 1
    assert desk.blobs.exists(kept)


async def test_nor_does_it_keep_what_nobody_needs(
    desk: Desk, leftovers: Leftovers, ada: Actor
) -> None:
    mine = await desk.hand_in(ada)
    files = desk.blobs.files_of(parse_digest(mine.digest))
    look = json.dumps({"format": "dynabench-folder-1", "files": {"a": files["model.py"]}})
    await rejected(desk, ada, look.encode())

    assert await leftovers.forget(await delete(desk, mine.id), needed=nothing_else) == 2
    assert not desk.blobs.exists(files["model.py"])


async def test_a_folder_whose_model_was_deleted_while_it_was_checked_goes_with_its_files(
    desk: Desk, leftovers: Leftovers, ada: Actor
) -> None:
    class DeletedMeanwhile(Steps):
        async def progress(self, done: float, total: float, message: str = "") -> None:
            del total, message
            if done >= 2:
                self.left = await delete(desk, model.id)

    model = await desk.submit(ada)
    await desk.upload(model.id, ada)
    steps = DeletedMeanwhile()
    await desk.check(model.id, steps)
    async with desk.db.read() as session:
        jobs = await JobQueue().list_jobs(session, name=MODEL_FILES_LEFT)
    digests = [str(one) for job in jobs for one in cast("list[str]", job.payload["digests"])]
    await leftovers.forget([*digests, *steps.left], needed=nothing_else)
    assert list(desk.blobs.digests()) == []
