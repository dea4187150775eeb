"""A backup is made while people write and models come and go; a kill leaves nothing half."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import select

from dynabench import DynabenchClient
from dynabench.app.backups.manifest import read_manifest
from dynabench.app.verify import verify
from dynabench.app.wiring import Wiring, wire
from dynabench.engines.jobs.tables import jobs
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.dumps import connected, row_counts
from dynabench.kit.settings import Settings
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.evaluations.removals.values import REMOVE_MODEL
from tests.app.backups.conftest import Go, Installation
from tests.app.backups.test_restoring import empty
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.live_servers import live_server, wait_until
from tests.factories.people import make_user
from tests.factories.submissions import HANDLER, Desk
from tests.factories.tasks import make_task

# So many models are there at a time, each deleted soon.
_ALIVE = 4
PASSWORD = "correct horse battery"
NAMED = """
    SELECT digest FROM models
    WHERE deleted_at IS NULL AND kind = 'handler' AND status = 'ready'
    UNION SELECT source -> 'artifact' ->> 'digest' FROM models
    WHERE deleted_at IS NULL AND kind = 'handler'
"""


@contextmanager
def in_background(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """Do something again and again in a thread until the block ends; its failure is ours."""
    is_over, failures = threading.Event(), []

    def run() -> None:
        try:
            work(is_over)
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
        assert failures == []


def open_round(command: Command, url: str, folder: Path) -> None:
    made = command("user", "create", "operator", "--admin")
    done = command("login", url, "-u", "operator", "--password", made.out.strip())
    assert done.status == 0, done.err
    (folder / "load.yaml").write_text(CONFIG, encoding="utf-8")
    lines = [json.dumps({"context": {"premise": f"Shop {n} is open."}}) for n in range(3000)]
    (folder / "load.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for words in (
        ("task", "create", "load", folder / "load.yaml", "--activate"),
        ("contexts", "upload", "load", folder / "load.jsonl"),
        ("round", "open", "load", "--target", "http://127.0.0.1:9/v2/models/mine"),
    ):
        done = command(*words)
        assert done.status == 0, (words, done.err)


def writing(url: str, written: list[str]) -> Callable[[threading.Event], None]:
    """Have a person write one example after another."""

    def work(is_over: threading.Event) -> None:
        with DynabenchClient("", base_url=url) as client:
            client.account.sign_up("writer", PASSWORD)
            current = client.rounds.current("load")
            assert current is not None
            while not is_over.is_set():
                lent = client.rounds.next_context(current.round.id)
                example = client.examples.submit(
                    current.round.id,
                    context_id=lent.context.id,
                    inputs={"hypothesis": f"{os.urandom(24).hex()} is what the sign says."},
                    answer={"label": "neutral"},
                )
                written.append(str(example.id))

    return work


def handing_in(settings: Settings, gone: list[str]) -> Callable[[threading.Event], None]:
    """Have models handed in, each with files of its own, and deleted soon after."""

    async def come_and_go(is_over: threading.Event) -> None:
        wiring = wire(settings, application_name="test")
        try:
            task = await make_task(wiring.db)
            desk = Desk.of(wiring.db, SystemClock(), task, settings.home, per_day=10_000)
            number, waiting = 0, list[UUID]()
            while not is_over.is_set():
                number += 1
                waiting.append(await hand_in(desk, number))
                if len(waiting) > _ALIVE:
                    await delete(wiring, waiting[0])
                    gone.append(str(waiting.pop(0)))
        finally:
            await wiring.close()

    return lambda is_over: asyncio.run(come_and_go(is_over))


async def hand_in(desk: Desk, number: int) -> UUID:
    builder = await make_user(desk.db)
    files: dict[str, str | bytes] = {"model.py": HANDLER, "weights.bin": os.urandom(50_000)}
    return (await desk.hand_in(builder, name=f"m-{number}", files=files)).id


async def delete(wiring: Wiring, model_id: UUID) -> None:
    """Delete a model, and do what the job does."""
    removals = wiring.get(RemovalService)
    await removals.delete(model_id, actor=await make_user(wiring.db, is_admin=True))
    async with wiring.db.read() as session:
        asked = select(jobs.c.payload).where(jobs.c.name == REMOVE_MODEL)
        payloads = (await session.execute(asked)).scalars().all()
    (ours,) = [one for one in payloads if one["model_id"] == str(model_id)]
    await removals.remove(model_id, ours["digests"])


def test_rows_and_files_fit_each_other_although_both_change_meanwhile(
    played: Installation, command: Command, at: Go, open_folder: Path, database_url: str
) -> None:
    at(played.home, played.url)
    before, not_at_hand = played.counts(), names(played.url)
    written: list[str] = []
    gone: list[str] = []
    with ExitStack() as stack:
        url = stack.enter_context(live_server(database_url=played.url, home=played.home))
        open_round(command, url, open_folder)
        stack.enter_context(in_background(writing(url, written)))
        stack.enter_context(in_background(handing_in(played.settings, gone)))
        wait_until(lambda: len(written) > 5 and len(gone) > 1)
        first = len(written)
        for number in range(3):
            done = command("backup", open_folder / f"kept-{number}")
            assert done.status == 0, done.err
        last = len(written)
        wait_until(lambda: len(written) > last)
    counts = read_manifest(open_folder / "kept-2").tables
    assert before["public.examples"] + first <= counts["public.examples"]
    assert counts["public.examples"] <= before["public.examples"] + len(written)

    for number in range(3):
        empty(database_url)
        home = open_folder / f"new-{number}"
        at(home, database_url)
        done = command("restore", open_folder / f"kept-{number}")

        assert done.status == 0, done.err
        manifest = read_manifest(open_folder / f"kept-{number}")
        named = names(database_url) - not_at_hand
        assert named
        blobs = FolderBlobStore(home / "blobs")
        assert set(blobs.digests()) == {file.blob for file in manifest.files if file.blob}
        for digest in map(parse_digest, named):
            assert blobs.exists(digest)
        assert asyncio.run(findings(Settings(database_url=database_url, home=home))) == []


def names(url: str) -> set[str]:
    """Return the digests of models' files that rows name."""
    with connected(url, name="test") as connection:
        return {row[0] for row in connection.execute(NAMED) if row[0]}


async def findings(settings: Settings) -> list[str]:
    wiring = wire(settings)
    try:
        return await verify(wiring)
    finally:
        await wiring.close()


@pytest.fixture
def program(at: Go) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start `dynabench` in a process of its own."""
    del at
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: object) -> subprocess.Popen[bytes]:
        command = [str(Path(sys.executable).with_name("dynabench")), *map(str, words)]
        started.append(subprocess.Popen(command))  # noqa: S603 - the environment's own program
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def waits(connection: psycopg.Connection, name: str) -> bool:
    row = connection.execute(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        " AND application_name = %s",
        [name],
    ).fetchone()
    return row is not None and row[0] > 0


def is_gone(connection: psycopg.Connection, name: str) -> bool:
    row = connection.execute(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = %s",
        [name],
    ).fetchone()
    return row == (0,)


def test_a_backup_that_is_killed_is_known_as_half_and_the_next_one_succeeds(
    played: Installation,
    command: Command,
    at: Go,
    program: Callable[..., subprocess.Popen[bytes]],
    open_folder: Path,
) -> None:
    at(played.home, played.url)
    kept, half = open_folder / "kept", open_folder / "kept.unfinished"
    with (
        connected(played.url, name="test") as locking,
        connected(played.url, name="test") as watching,
    ):
        locking.execute("BEGIN")
        locking.execute("LOCK TABLE examples IN ACCESS EXCLUSIVE MODE")
        process = program("backup", kept)
        wait_until(lambda: waits(watching, "dynabench pg_dump"), seconds=60)
        beside = command("backup", kept)
        process.send_signal(signal.SIGKILL)
        process.wait()
        locking.execute("ROLLBACK")
        wait_until(lambda: is_gone(watching, "dynabench pg_dump"), seconds=60)

    assert (beside.status, "Another process is writing a backup" in beside.err) == (1, True)
    assert (kept.exists(), half.is_dir()) == (False, True)
    at(open_folder / "new")
    assert "holds no whole backup" in command("restore", half).err
    at(played.home, played.url)
    assert command("backup", kept).status == 0
    assert not half.exists()
    assert read_manifest(kept).tables == played.counts()


def test_a_restore_that_is_killed_leaves_a_mark_and_the_next_one_succeeds(
    played: Installation,
    backup: Path,
    command: Command,
    at: Go,
    program: Callable[..., subprocess.Popen[bytes]],
    open_folder: Path,
    database_url: str,
) -> None:
    home = open_folder / "new"
    empty(database_url)
    at(home, database_url)
    with (
        connected(database_url, name="test") as locking,
        connected(database_url, name="test") as watching,
    ):
        # Seen by nobody yet, but whoever makes the same waits for what becomes of it.
        locking.execute("BEGIN")
        locking.execute("CREATE SCHEMA dbos")
        process = program("restore", backup)
        wait_until(lambda: waits(watching, "dynabench pg_restore"), seconds=60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        locking.execute("ROLLBACK")
        wait_until(lambda: is_gone(watching, "dynabench pg_restore"), seconds=60)
        assert row_counts(watching) == {}

    assert "runs or was interrupted" in command("db", "current").err
    (home / "blobs" / "rubbish").touch()

    done = command("restore", backup)

    assert done.status == 0, done.err
    assert not (home / "blobs" / "rubbish").exists()
    with connected(database_url, name="test") as connection:
        assert row_counts(connection) == played.counts()
