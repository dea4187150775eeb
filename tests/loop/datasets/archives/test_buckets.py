"""A bucket that is slow, or fails half way, keeps nothing half-made and gives nothing half-read."""

from collections.abc import Callable, Iterator
from pathlib import Path

import obstore
import pytest
from obstore.store import S3Store

from dynabench.engines.storage import parts, s3
from dynabench.engines.storage.errors import StorageSlowError, StorageUnreachableError
from dynabench.engines.storage.s3 import S3BlobStore
from dynabench.kit.actor import VISITOR
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.archives.values import ArchiveState, OpenedArchive
from dynabench.loop.datasets.tables import dataset_archives
from dynabench.loop.datasets.values import DatasetVersion
from tests.factories.archived_media import CONFIG, Shelf, seen_item
from tests.factories.archives import Archives
from tests.factories.buckets import Fault, FlakyLine, flaky_line
from tests.factories.datasets import make_dataset
from tests.factories.tasks import make_task

# More than the library sends at once, so that there is a middle to fail in.
LARGE = bytes(range(251)) * 30_000
CLIP = b"RIFF" * 100


@pytest.fixture
def line(bucket: str, moto_endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlakyLine]:
    del bucket
    monkeypatch.setattr(s3, "_RETRIES", 0)
    with flaky_line(moto_endpoint) as line:
        monkeypatch.setenv("AWS_ENDPOINT_URL", line.endpoint)
        yield line


@pytest.fixture
def archives(
    database: Database,
    clock: Clock,
    tmp_path: Path,
    bucket: str,
    line: FlakyLine,
    monkeypatch: pytest.MonkeyPatch,
) -> Archives:
    del line
    monkeypatch.setattr(s3, "_READ_SECONDS", 1)
    blobs = S3BlobStore(bucket, cache=tmp_path / "cache", allow_http=True)
    return Archives.over(database, clock, tmp_path, blobs=blobs)


@pytest.fixture
async def version(database: Database, clock: Clock, archives: Archives) -> DatasetVersion:
    shelf = Shelf(database, clock, archives.blobs)
    named = await shelf.put(LARGE, "image/png")
    clip = await shelf.put(CLIP, "audio/ogg")
    task = await make_task(database, config=CONFIG)
    items = [seen_item(number, picture=named, clip=clip) for number in range(4)]
    return await make_dataset(database, task, items, clock=clock)


def objects(bucket: str, endpoint: str) -> set[str]:
    found = S3Store.from_url(bucket, endpoint=endpoint, client_options={"allow_http": True})
    return {one["path"] for page in obstore.list(found) for one in page}


def of(method: str, words: str, fault: Fault) -> Callable[[str, str], Fault | None]:
    """Have the requests come to harm whose address has some words."""
    return lambda used, path: fault if used == method and words in path else None


@pytest.mark.parametrize(
    ("method", "words", "fault"),
    [
        # While the pictures are read, and while the zip is written: its second part, its end.
        pytest.param("GET", "/sha256/", Fault.REFUSED, id="reading refused"),
        pytest.param("GET", "/sha256/", Fault.CUT, id="reading breaks off"),
        pytest.param("GET", "/sha256/", Fault.SILENT, id="reading hangs"),
        pytest.param("PUT", "partNumber=2", Fault.REFUSED, id="writing refused"),
        pytest.param("PUT", "partNumber=2", Fault.SILENT, id="writing hangs"),
        pytest.param("POST", "uploadId=", Fault.REFUSED, id="ending refused"),
    ],
)
async def test_a_bucket_that_fails_half_way_keeps_nothing_and_the_next_run_makes_the_file(
    archives: Archives,
    version: DatasetVersion,
    database: Database,
    clock: Clock,
    line: FlakyLine,
    bucket: str,
    moto_endpoint: str,
    tmp_path: Path,
    method: str,
    words: str,
    fault: Fault,
) -> None:
    before = objects(bucket, moto_endpoint)
    line.fault = of(method, words, fault)

    with pytest.raises(StorageUnreachableError, match="cannot be used just now"):
        await archives.make(version)

    assert line.heard
    line.heal()
    told = await archives.service.read(version.id, actor=VISITOR)
    assert (told.state, told.digest) == (ArchiveState.MISSING, None)
    assert objects(bucket, moto_endpoint) == before
    # A test waits for nobody.
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []  # noqa: ASYNC240
    made = await archives.make(version)
    others = Archives.over(database, clock, tmp_path / "files")
    for content in (LARGE, CLIP):
        others.blobs.put(content)
    async with database.transaction() as session:
        await session.execute(dataset_archives.delete())
    assert (await others.make(version)).digest == made.digest


async def test_a_download_from_a_bucket_that_hangs_is_told_so_before_it_begins(
    archives: Archives,
    version: DatasetVersion,
    line: FlakyLine,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = await archives.make(version)
    whole = await downloaded(archives, version, "bytes=0-")
    line.fault = of("GET", made.digest[2:], Fault.SILENT)
    monkeypatch.setattr(parts, "_PIECE_SECONDS", 0.1)

    with pytest.raises(StorageSlowError, match="a download goes on where it broke off"):
        await downloaded(archives, version, "bytes=1000000-")

    monkeypatch.undo()
    line.heal()
    assert await downloaded(archives, version, "bytes=1000000-") == whole[1_000_000:]


async def downloaded(archives: Archives, version: DatasetVersion, part: str) -> bytes:
    opened = await archives.service.open(
        version.id, range_header=part, if_range=None, with_content=True, actor=VISITOR
    )
    assert isinstance(opened, OpenedArchive)
    assert opened.chunks is not None
    return b"".join([piece async for piece in opened.chunks])
