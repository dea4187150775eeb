"""`dynabench task export` and `import` on a database of their own."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench import DynabenchClient
from dynabench.app.wiring import wire
from dynabench.kit.db.database import Database
from dynabench.kit.errors import LimitError
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.transfer.errors import ExportUnderWayError
from dynabench.loop.interchange.transfer.exporting.service import OpenedExport, TaskSender
from dynabench.loop.models.submissions.errors import StorageFullError
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError
from dynabench.loop.tasks.values import TaskRole
from tests.app.cli.conftest import CONFIG, Command
from tests.factories.people import make_user
from tests.factories.replays import anli_line, write_lines
from tests.factories.tasks import add_member, make_task

PASSWORD = "correct horse battery"


def test_owners_download_what_the_command_writes(
    command: Command, server_url: str, tmp_path: Path
) -> None:
    config, file = tmp_path / "task.yaml", tmp_path / "mine.zip"
    config.write_text(CONFIG, encoding="utf-8")
    password = command("user", "create", "ada", "--admin").out.strip()
    assert command("login", server_url, "-u", "ada", "--password", password).status == 0
    assert command("task", "create", "mine", config, "--activate").status == 0
    told: list[tuple[int, int | None]] = []
    with DynabenchClient("", base_url=server_url) as grace:
        grace.account.sign_up("grace", PASSWORD)
        for role in ("annotator", "expert"):
            assert command("task", "members", "add", "mine", "grace", "--role", role).status == 0
            with pytest.raises(TaskRoleNeededError):
                grace.tasks.export("mine", file)
        assert not file.exists()
        assert command("task", "members", "change", "mine", "grace", "--role", "owner").status == 0

        size = grace.tasks.export("mine", file, on_progress=lambda *moved: told.append(moved))
        with pytest.raises(TaskNotFoundError):
            grace.tasks.export("nowhere", file)

    written = command("task", "export", "mine", "--out", tmp_path / "written.zip")
    assert written.status == 0, written.err
    assert file.read_bytes() == (tmp_path / "written.zip").read_bytes()
    assert told[-1] == (size, size)
    assert [*(tmp_path / "home" / "incoming").iterdir()] == []
    assert command("task", "import", file, "--dry-run").status == 0


async def test_one_file_at_a_time_is_on_its_way_to_each(
    database_url: str, tmp_path: Path, database: Database
) -> None:
    wiring = wire(Settings(database_url=database_url, home=tmp_path / "home"))
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    sender = wiring.get(TaskSender)

    async with sender.open(task.slug, actor=owner) as opened:
        with pytest.raises(ExportUnderWayError):
            async with sender.open(task.slug, actor=owner):
                pytest.fail("a second file took room while the first was read")
        sent = [chunk async for chunk in opened.chunks()]
    assert sum(map(len, sent)) == opened.size_bytes > 0
    assert opened.file.closed
    async with sender.open(task.slug, actor=owner):
        pass
    await wiring.close()


async def test_a_file_that_would_fill_the_disk_is_given_up_while_it_is_written(
    database_url: str, tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiring = wire(Settings(database_url=database_url, home=tmp_path / "home"))
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    real = shutil.disk_usage(tmp_path)
    left = iter([1 << 40, 1 << 40])
    monkeypatch.setattr(shutil, "disk_usage", lambda _: real._replace(free=next(left, 1 << 20)))

    with pytest.raises(StorageFullError):
        async with wiring.get(TaskSender).open(task.slug, actor=owner):
            pytest.fail("others were left a megabyte")

    assert [*(tmp_path / "home" / "incoming").iterdir()] == []
    await wiring.close()


def test_a_file_counts_until_its_last_byte_is_sent(
    command: Command, server_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "task.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    password = command("user", "create", "ada", "--admin").out.strip()
    assert command("login", server_url, "-u", "ada", "--password", password).status == 0
    assert command("task", "create", "mine", config, "--activate").status == 0
    meanwhile: list[str] = []
    chunks = OpenedExport.chunks

    async def read_slowly(opened: OpenedExport) -> AsyncIterator[bytes]:
        async for chunk in chunks(opened):
            meanwhile.append(await asyncio.to_thread(ask_again))
            yield chunk

    with DynabenchClient("", base_url=server_url) as ada:
        ada.account.sign_in("ada", password)

        def ask_again() -> str:
            with pytest.raises(LimitError) as refused:
                ada.tasks.export("mine", tmp_path / "second.zip")
            return refused.value.code

        monkeypatch.setattr(OpenedExport, "chunks", read_slowly)
        ada.tasks.export("mine", tmp_path / "first.zip")
        monkeypatch.undo()

        assert set(meanwhile) == {ExportUnderWayError.code}
        ada.tasks.export("mine", tmp_path / "second.zip")


def test_a_replayed_and_released_task_leaves_is_looked_at_and_comes_again_as_a_copy(
    command: Command, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNABENCH_DATABASE_URL", database_url)
    lines = [anli_line(f"it-{number}", label="enc"[number % 3]) for number in range(6)]
    source = write_lines(tmp_path / "R1_dev_merged.jsonl", lines)
    file = tmp_path / "anli.zip"

    incomplete = command("replay", "anli", source, "--release")
    released = command("replay", "anli", source, "--release", "--allow-incomplete")
    left = command("task", "export", "anli", "--out", file)
    twice = command("task", "export", "anli", "--out", file)
    nowhere = command("task", "export", "anli", "--out", tmp_path / "none" / "anli.zip")
    seen = command("task", "import", file, "--dry-run")
    refused = command("task", "import", file, "--slug", "again")
    copied = command("task", "import", file, "--slug", "again", "--copy")

    assert (incomplete.status, released.status) == (1, 0), released.err
    assert "This release would be incomplete" in incomplete.err
    assert "Round 1 is released" in released.out
    assert "CC-BY-NC-4.0" in released.out
    assert left.status == 0, left.err
    assert "It never holds:" in left.out
    assert "already there" in twice.err
    assert (nowhere.status, "There is no folder" in nowhere.err) == (1, True)
    assert "is good; nothing was written" in seen.out
    assert "--copy" in refused.err
    assert copied.status == 0, copied.err
    assert "The task is here as “again”" in copied.out
