"""Tasks that move: two installations, and a task in which everything happened once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dynabench.app.verify import verify
from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from dynabench.loop.interchange.transfer.exporting.service import TaskExporter
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.interchange.transfer.schemas import MovedTaskRead
from tests.factories.examples import make_wiring


@dataclass(frozen=True)
class Installation:
    """One installation, with its services."""

    wiring: Wiring
    clock: Clock
    folder: Path

    async def export(self, slug: str, name: str = "task.zip", *, has_names: bool = False) -> Path:
        """Write a task into a file."""
        target = self.folder / name
        await self.wiring.get(TaskExporter).export(slug, target, has_names=has_names)
        return target

    async def bring(
        self, file: Path, *, slug: str | None = None, is_copy: bool = False
    ) -> MovedTaskRead:
        """Import a task from a file."""
        return await self.wiring.get(TaskImporter).bring(file, slug=slug, is_copy=is_copy)

    async def disagreements(self) -> list[str]:
        """Return what `dynabench db verify` finds."""
        return await verify(self.wiring)


@asynccontextmanager
async def installed(database_url: str, folder: Path, clock: Clock) -> AsyncIterator[Installation]:
    """Put an installation together over a database."""
    await asyncio.to_thread(folder.mkdir)
    wiring = make_wiring(database_url, folder, clock)
    try:
        yield Installation(wiring, clock, folder)
    finally:
        await wiring.close()
