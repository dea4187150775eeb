"""Sent files count for their task, leave others room, and go only with the last who needs them."""

import shutil
from pathlib import Path

import pytest

from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import DatasetFileTooLargeError
from dynabench.loop.datasets.uploads.values import MAX_FILE_BYTES
from dynabench.loop.models.submissions.errors import FilesQuotaError, StorageFullError
from dynabench.loop.tasks.values import TaskRole
from tests.conftest import HeldClock
from tests.factories.dataset_files import Uploads, as_lines, in_pieces, rows
from tests.factories.people import make_user
from tests.factories.submissions import HANDLER, Desk, zipped
from tests.factories.tasks import add_member, make_task

pytestmark = pytest.mark.anyio


async def test_files_and_models_of_a_task_keep_as_many_bytes_as_allowed_together(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task, other = await make_task(database), await make_task(database)
    data, size = as_lines(rows(4)), len(zipped({"model.py": HANDLER}))
    most = len(data) + size + 10
    uploads = Uploads.over(database, clock, folder=tmp_path, kept_by_task=most)
    digest = await uploads.send(task, data)
    assert await uploads.send(task, data) == digest, "the same file takes no more room"
    await uploads.send(other, as_lines(rows(3)))
    ada = await make_user(database)
    desk = Desk.of(database, clock, task, tmp_path, kept_by_task=most)
    model = await desk.submit(ada, name="one")
    await desk.upload(model.id, ada)
    second = await desk.submit(ada, name="two")

    with pytest.raises(FilesQuotaError, match="models and dataset files of this task"):
        await uploads.send(task, as_lines(rows(1)))
    with pytest.raises(FilesQuotaError):
        await desk.upload(second.id, ada)
    assert await uploads.send(task, data) == digest


async def test_a_file_that_would_leave_others_no_room_is_refused(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    uploads = Uploads.over(database, clock, folder=tmp_path)
    data = as_lines(rows(4))

    async def send(announced_bytes: int | None) -> str:
        chunks = in_pieces(data)
        sent = await uploads.service.keep_file(
            task.slug, chunks=chunks, actor=owner, announced_bytes=announced_bytes
        )
        return sent.digest

    with pytest.raises(DatasetFileTooLargeError):
        await send(MAX_FILE_BYTES + 1)
    real = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=1 << 20))
    for announced in (None, len(data)):
        with pytest.raises(StorageFullError):
            await send(announced)
    monkeypatch.undo()
    assert await send(len(data)) == await send(None)
