"""What a process remembers of stored files, on a real database."""

import asyncio
from pathlib import Path

import pytest

from dynabench.engines.media.fetching import MediaFetcher
from dynabench.kit.db.database import Database
from dynabench.loop.media import service as media
from dynabench.loop.media.repository import MediaRepository
from dynabench.loop.media.rules import FETCHED_FOR
from dynabench.loop.media.values import MediaFile, MediaKind
from tests.conftest import HeldClock
from tests.factories.media import make_media_service, picture

URLS = ("https://pictures.example.org/a.png", "https://pictures.example.org/b.png")


async def test_a_file_is_found_also_when_remembering_another_drives_it_out(
    database: Database, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(media, "_REMEMBERED", 2)
    digests = [f"{number:064x}" for number in range(4)]
    async with database.transaction() as session:
        for digest in digests:
            file = MediaFile(
                digest=digest, kind=MediaKind.IMAGE, media_type="image/png", size_bytes=1
            )
            await MediaRepository(session).add(
                file, source_url=None, created_by=None, now=clock.now()
            )
    service = make_media_service(database, clock)

    assert set(await service.get_many(digests[:2])) == set(digests[:2])
    assert set(await service.get_many([digests[0], digests[2]])) == {digests[0], digests[2]}
    assert set(await service.get_many(digests)) == set(digests)
    assert await service.get_many(["f" * 64, "no digest"]) == {}


async def test_what_was_fetched_is_not_fetched_anew_though_its_file_was_known_before(
    database: Database, clock: HeldClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fetch(self: MediaFetcher, url: str, to: Path) -> None:
        del self, url
        await asyncio.to_thread(to.write_bytes, picture())

    monkeypatch.setattr(MediaFetcher, "fetch", fetch)
    service = make_media_service(database, clock, blobs=tmp_path)
    first = await service.fetch_file(URLS[0], created_by=None)
    clock.advance(seconds=FETCHED_FOR.total_seconds() + 1)
    assert await service.recently_fetched(URLS) == {}

    for url in URLS:
        await service.fetch_file(url, created_by=None)
    assert await service.recently_fetched(URLS) == dict.fromkeys(URLS, first)
