from pathlib import Path

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
