from pathlib import Path

import pytest
from rich.console import Console

from dynabench.app.core_tasks import set_up_core_tasks
from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.tasks.members.service import MemberService
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from tests.factories.people import make_user

SLUG = "sentiment"


async def test_a_core_task_has_an_owner_an_open_round_and_is_set_up_once(
    database_url: str, tmp_path: Path
) -> None:
    wiring = wire(Settings(database_url=database_url, home=tmp_path))
    try:
        admin = await make_user(wiring.db, username="admin", is_admin=True)
        for _ in range(2):
            await set_up_core_tasks(wiring, Console(quiet=True), slugs=[SLUG])
        members = await wiring.get(MemberService).list(SLUG, actor=admin)
        task = await wiring.get(TaskService).get(SLUG)
        rounds = await wiring.get(RoundService).of_task(task.id)
    finally:
        await wiring.close()
    assert [(one.username, one.role) for one in members] == [("admin", TaskRole.OWNER)]
    assert [one.status for one in rounds] == [RoundStatus.OPEN]


async def test_a_set_up_stopped_before_its_round_was_open_opens_it_next_time(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    wiring = wire(Settings(database_url=database_url, home=tmp_path))
    try:
        await make_user(wiring.db, username="admin", is_admin=True)
        with monkeypatch.context() as patched:
            patched.setattr(RoundService, "open", stop)
            with pytest.raises(KeyboardInterrupt):
                await set_up_core_tasks(wiring, Console(quiet=True), slugs=[SLUG])
        await set_up_core_tasks(wiring, Console(quiet=True), slugs=[SLUG])
        task = await wiring.get(TaskService).get(SLUG)
        rounds = await wiring.get(RoundService).of_task(task.id)
    finally:
        await wiring.close()
    assert [(one.number, one.status) for one in rounds] == [(1, RoundStatus.OPEN)]
