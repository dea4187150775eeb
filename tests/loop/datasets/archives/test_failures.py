"""Disks that are full, stores that are down and workers that are killed leave nothing half-made."""

import asyncio
import os
import resource
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from dynabench.engines.storage.errors import StorageUnreachableError
from dynabench.engines.storage.s3 import S3BlobStore
from dynabench.kit.actor import VISITOR
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.archives.errors import ArchiveNotWrittenError
from dynabench.loop.datasets.archives.values import ArchiveState
from dynabench.loop.datasets.tables import dataset_archives
from dynabench.loop.datasets.values import DatasetVersion, Split
from tests.factories.archives import Archives
from tests.factories.datasets import make_dataset, make_item
from tests.factories.tasks import make_task

ROOT = Path(__file__).parents[4]


@pytest.fixture
async def version(database: Database, clock: Clock) -> DatasetVersion:
    task = await make_task(database)
    items = [make_item(number, split=Split.TRAIN) for number in range(3000)]
    return await make_dataset(database, task, items, clock=clock)


async def nothing_is_left(archives: Archives, version: DatasetVersion, folder: Path) -> None:
    told = await archives.service.read(version.id, actor=VISITOR)
    assert told.state is ArchiveState.MISSING
    # A test waits for nobody.
    assert [path for path in folder.rglob("*") if path.is_file()] == []  # noqa: ASYNC240


@contextmanager
def small_files(most: int) -> Iterator[None]:
    """Have the system refuse files beyond a size, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_a_full_disk_leaves_nothing_and_says_so(
    database: Database, clock: Clock, tmp_path: Path, version: DatasetVersion
) -> None:
    archives = Archives.over(database, clock, tmp_path / "small")
    undisturbed = await Archives.over(database, clock, tmp_path / "large").make(version)
    await forget(database, version)

    # It fills up while rows are packed, while their table lies aside, and at the very end.
    for most in (5_000, undisturbed.size_bytes // 2, undisturbed.size_bytes - 100):
        with small_files(most), pytest.raises(ArchiveNotWrittenError, match="Free some space"):
            await archives.make(version)
        await nothing_is_left(archives, version, tmp_path / "small")

    assert (await archives.make(version)).digest == undisturbed.digest


async def forget(database: Database, version: DatasetVersion) -> None:
    async with database.transaction() as session:
        await session.execute(
            dataset_archives.delete().where(dataset_archives.c.version_id == version.id)
        )


@contextmanager
def failing_service() -> Iterator[str]:
    class Failing(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(404 if self.command == "HEAD" else 500)
            self.send_header("content-length", "0")
            self.end_headers()

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815 - names of the library

        def log_message(self, *args: object) -> None:
            del args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


async def test_a_bucket_that_fails_leaves_nothing_and_says_so(
    database: Database,
    clock: Clock,
    tmp_path: Path,
    version: DatasetVersion,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test-secret")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setattr("dynabench.engines.storage.s3._RETRIES", 0)
    with failing_service() as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        store = S3BlobStore("s3://bucket", cache=tmp_path / "cache", allow_http=True)
        archives = Archives.over(database, clock, tmp_path, blobs=store)

        with pytest.raises(StorageUnreachableError, match="AWS_… variables"):
            await archives.make(version)

        await nothing_is_left(archives, version, tmp_path)


async def test_a_killed_worker_leaves_nothing_and_the_next_one_makes_the_same_file(
    database: Database, database_url: str, clock: Clock, tmp_path: Path, version: DatasetVersion
) -> None:
    undisturbed = await Archives.over(database, clock, tmp_path / "other").make(version)
    await forget(database, version)
    folder = tmp_path / "killed"
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "tests.loop.datasets.archives.killed_maker"),
        *(database_url, str(folder), str(version.id)),
        stdout=asyncio.subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert worker.stdout is not None
    assert b"items written" in await worker.stdout.readline()

    worker.send_signal(signal.SIGKILL)
    await worker.wait()

    archives = Archives.over(database, clock, folder)
    await nothing_is_left(archives, version, folder)
    assert (await archives.make(version)).digest == undisturbed.digest
