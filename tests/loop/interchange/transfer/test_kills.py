import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.interchange.transfer.values import MoveProgress
from tests.factories.moving import Installation
from tests.factories.stories import Attempt, Told, play


async def import_until_killed(database_url: str, home: Path, file: Path) -> None:
    """Import a task in a process that is killed once every row is written."""

    def die_at_the_end(progress: MoveProgress) -> None:
        if progress.words == "checking what follows":
            os.kill(os.getpid(), signal.SIGKILL)

    wiring = wire(Settings(database_url=database_url, home=home))
    await wiring.get(TaskImporter).bring(file, on_move=die_at_the_end)


async def test_a_killed_import_leaves_nothing_and_is_simply_run_again(
    here: Installation, elsewhere: Installation, elsewhere_url: str, tmp_path: Path
) -> None:
    slug = await play(here.wiring, here.clock, [Told(attempts=(Attempt(),))])
    file = await here.export(slug)

    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, __file__, elsewhere_url, str(tmp_path / "home"), str(file)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )

    assert killed.returncode == -signal.SIGKILL
    async with elsewhere.wiring.db.read() as session:
        left = await session.exec_driver_sql(
            "SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM users)"
        )
        assert left.scalar_one() == 0
    await elsewhere.bring(file)
    assert (await elsewhere.export(slug)).read_bytes() == file.read_bytes()


if __name__ == "__main__":
    asyncio.run(import_until_killed(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])))
