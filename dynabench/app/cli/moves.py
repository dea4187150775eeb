"""Carrying out `dynabench task export` and `import` on the database."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from dynabench.app.cli.database import connected_settings
from dynabench.app.cli.output import counted, moving_share, say, show_facts, show_table
from dynabench.app.wiring import Wiring, wire
from dynabench.kit.settings import Settings
from dynabench.loop.interchange.transfer.exporting.service import TaskExporter
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.interchange.transfer.schemas import MovedTaskRead
from dynabench.loop.interchange.transfer.values import MoveProgress, OnMove
from dynabench.migrations.run import upgrade

_MEBIBYTE = 2**20


def export(slug: str, target: Path, *, has_names: bool) -> None:
    """Write a task into a file and tell what is in it."""

    def work(wiring: Wiring, on_move: OnMove) -> Awaitable[MovedTaskRead]:
        exporter = wiring.get(TaskExporter)
        return exporter.export(slug, target, has_names=has_names, on_move=on_move)

    with connected_settings() as settings:
        found = asyncio.run(_carried_out(settings, work, what=f"Exporting {slug}"))
    _show(found)
    say(f"\n{target} holds all of it. Elsewhere: dynabench task import {target.name}")


def look(file: Path) -> None:
    """Check a file and tell what is in it."""

    def work(wiring: Wiring, on_move: OnMove) -> Awaitable[MovedTaskRead]:
        return wiring.get(TaskImporter).look(file, on_move=on_move)

    with connected_settings(may_be_new=True) as settings:
        found = asyncio.run(_carried_out(settings, work, what=f"Checking {file.name}"))
    _show(found)
    say(f"\n{file} is good; nothing was written.")


def bring(file: Path, *, slug: str | None, is_copy: bool) -> None:
    """Read a task from a file and tell what is there now."""

    def work(wiring: Wiring, on_move: OnMove) -> Awaitable[MovedTaskRead]:
        importer = wiring.get(TaskImporter)
        return importer.bring(file, slug=slug, is_copy=is_copy, on_move=on_move)

    with connected_settings(may_be_new=True) as settings:
        assert settings.database_url is not None, "connected settings name the database"
        upgrade(settings.database_url)
        found = asyncio.run(_carried_out(settings, work, what=f"Importing {file.name}"))
    _show(found)
    say(f"\nThe task is here as “{found.task}”, and all that is derived agrees with its rows.")


async def _carried_out(
    settings: Settings,
    work: Callable[[Wiring, OnMove], Awaitable[MovedTaskRead]],
    *,
    what: str,
) -> MovedTaskRead:
    wiring = wire(settings, application_name="dynabench task", fold_patience_seconds=0)
    try:
        with moving_share(what) as move:

            def on_move(progress: MoveProgress) -> None:
                move(progress.share, progress.words.replace("_", " "))

            return await work(wiring, on_move)
    finally:
        await wiring.close()


def _show(found: MovedTaskRead) -> None:
    show_facts(
        [
            ("task", found.task),
            ("title", found.title),
            ("written by", f"Dynabench {found.product_version}"),
            ("size", f"{found.bytes / _MEBIBYTE:,.1f} MiB"),
            ("stored files", counted(found.blobs, "file")),
            ("people", "with names" if found.has_names else "ids, without names"),
            ("licences", ", ".join(found.licences)),
        ]
    )
    say("")
    show_table(
        ["part", "rows"],
        [(name.replace("_", " "), f"{rows:,}") for name, rows in found.rows.items()],
        empty="Nothing.",
    )
    say("\nIt never holds:")
    for sentence in found.left_out.values():
        say(f"  {sentence}")
