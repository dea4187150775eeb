from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import psycopg
import pytest

from dynabench.engines.storage.store import parse_digest
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, libpq_url
from dynabench.loop.datasets.archives import repository as statements
from dynabench.loop.datasets.archives.errors import AnswersElsewhereError
from dynabench.loop.datasets.archives.repository import ArchiveRepository
from dynabench.loop.datasets.archives.values import Archive, ArchiveState
from dynabench.loop.datasets.schemas import DatasetPatch
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, DatasetVersion, Split
from dynabench.loop.models.values import MODEL_FILES_LEFT
from dynabench.loop.tasks.values import Task, TaskRole
from tests.conftest import HeldClock
from tests.factories.archives import Archives, no_progress
from tests.factories.datasets import make_dataset, make_item
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task


@pytest.fixture
def archives(database: Database, clock: Clock, tmp_path: Path) -> Archives:
    return Archives.over(database, clock, tmp_path)


@pytest.fixture
async def version(database: Database, clock: Clock) -> DatasetVersion:
    task = await make_task(database)
    splits = [*Split]
    items = [make_item(number, split=splits[number % 3]) for number in range(30)]
    return await make_dataset(database, task, items, name="Mine", clock=clock)


@pytest.fixture
async def owner(database: Database, archives: Archives, version: DatasetVersion) -> Actor:
    owner = await make_user(database)
    task = await archives.chapters.tasks.get_by_id(version.task_id)
    await add_member(database, task, owner, TaskRole.OWNER)
    return owner


def lines(archives: Archives, archive: Archive, split: str) -> str:
    with archives.blobs.open(parse_digest(archive.digest)) as file, ZipFile(file) as opened:
        return opened.read(f"data/{split}.jsonl").decode()


async def test_the_same_version_gives_the_same_file_wherever_it_is_made(
    archives: Archives, version: DatasetVersion, database: Database, clock: Clock, tmp_path: Path
) -> None:
    made = await archives.make(version)
    async with database.transaction() as session:
        await ArchiveRepository(session).put(
            replace(made, made_from="something else", digest="0" * 64)
        )

    again = await Archives.over(database, clock, tmp_path / "elsewhere").make(version)

    assert again.digest == made.digest
    assert again.files == made.files
    assert [one.name for one in made.files] == [
        *("data/train.jsonl", "data/train.parquet"),
        *("data/validation.jsonl", "data/validation.parquet"),
        *("data/test.jsonl", "data/test.parquet"),
        *("README.md", "card.json", "croissant.json"),
    ]
    assert [one.items for one in made.files[:6]] == [10] * 6


async def test_opening_test_gives_its_answers_out_for_good(
    archives: Archives,
    version: DatasetVersion,
    owner: Actor,
    database: Database,
    clock: HeldClock,
) -> None:
    before = await archives.make(version)
    assert '"gold":null' in lines(archives, before, "test")
    assert '"gold":{"label":"neutral"}' in lines(archives, before, "validation")
    varied = await make_dataset(database, await task_of(archives, version), [], clock=clock)
    await vary(database, varied, of=version)

    opened = await archives.service.open_test(version.id, actor=owner)
    clock.advance(hours=1)
    again = await archives.service.open_test(version.id, actor=owner)

    assert opened.test_opened_at == again.test_opened_at
    assert opened.test_opened_at is not None
    state = await archives.service.read(version.id, actor=VISITOR)
    assert state.state is ArchiveState.MAKING
    after = await archives.make(version)
    assert '"gold":{"label":"neutral"}' in lines(archives, after, "test")
    # What nobody can ask for any more is left to whoever knows what else is made of it.
    async with database.read() as session:
        left = await archives.chapters.queue.list_jobs(session, name=MODEL_FILES_LEFT)
    assert [job.payload for job in left] == [{"digests": [before.digest]}]
    items = await archives.chapters.datasets.items(
        version.id, split="test", after=-1, limit=1, actor=VISITOR
    )
    assert items[0].gold == {"label": "neutral"}
    shown = await archives.chapters.datasets.read(varied.id, actor=VISITOR)
    assert shown.test_opened_at == opened.test_opened_at
    with pytest.raises(AnswersElsewhereError):
        await archives.service.open_test(varied.id, actor=owner)


async def task_of(archives: Archives, version: DatasetVersion) -> Task:
    return await archives.chapters.tasks.get_by_id(version.task_id)


async def vary(database: Database, varied: DatasetVersion, *, of: DatasetVersion) -> None:
    async with await psycopg.AsyncConnection.connect(libpq_url(database.url)) as connection:
        await connection.execute(
            "UPDATE dataset_versions SET perturbs_id = %s WHERE id = %s", [of.id, varied.id]
        )


async def test_what_changes_the_file_has_it_made_again_and_nothing_else(
    archives: Archives, version: DatasetVersion, owner: Actor
) -> None:
    asked = await archives.service.ask(version.id, actor=VISITOR)
    assert asked.state is ArchiveState.MAKING
    assert await archives.service.ask(version.id, actor=VISITOR) == asked
    first = await archives.make(version)
    datasets, service = archives.chapters.datasets, archives.service

    await datasets.change(version.id, DatasetPatch(tags=["news"]), actor=owner)
    told = await service.read(version.id, actor=VISITOR)
    assert (told.state, told.digest) == (ArchiveState.READY, first.digest)

    await datasets.change(version.id, DatasetPatch(licence="CC0-1.0"), actor=owner)
    told = await service.read(version.id, actor=VISITOR)
    assert (told.state, told.digest, told.files) == (ArchiveState.MAKING, None, [])
    assert told.job_id != asked.job_id
    second = await archives.make(version)
    assert second.digest != first.digest

    await datasets.change(version.id, DatasetPatch(access=DatasetAccess.STANDARD), actor=owner)
    third = await archives.make(version)
    assert '"gold":null' not in lines(archives, third, "test")
    await datasets.change(version.id, DatasetPatch(access=DatasetAccess.SCORING), actor=owner)
    # The answers are withheld again at once, not only when the next file is made.
    assert (await service.read(version.id, actor=VISITOR)).state is ArchiveState.MAKING
    assert (await archives.make(version)).digest == second.digest


async def test_an_archive_whose_file_was_lost_is_made_again(
    archives: Archives, version: DatasetVersion
) -> None:
    first = await archives.make(version)
    archives.blobs.delete(parse_digest(first.digest))

    assert (await archives.service.read(version.id, actor=VISITOR)).state is ArchiveState.MISSING
    asked = await archives.service.ask(version.id, actor=VISITOR)
    assert asked.state is ArchiveState.MAKING
    assert (await archives.make(version)).digest == first.digest
    assert archives.blobs.exists(parse_digest(first.digest))


async def test_a_version_that_changes_meanwhile_is_left_to_the_next_job(
    archives: Archives, version: DatasetVersion, owner: Actor
) -> None:
    async def change(done: float, total: float, message: str) -> None:
        await no_progress(done, total, message)
        await archives.chapters.datasets.change(
            version.id, DatasetPatch(licence="CC0-1.0"), actor=owner
        )

    assert await archives.maker.make(version.id, progress=change) is None
    assert (await archives.service.read(version.id, actor=VISITOR)).digest is None


async def test_a_portion_of_rows_is_never_larger_than_it_may_be(
    database: Database, version: DatasetVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with await psycopg.AsyncConnection.connect(libpq_url(database.url)) as connection:
        await connection.execute(
            "INSERT INTO dataset_items (version_id, uid, split, position, context, inputs, gold,"
            " tags, annotator, is_verified, context_digest)"
            " SELECT %s, md5(n::text), 'train', n, '{}', '{}', '{}', '{}', '', true, '\\x'"
            " FROM generate_series(100, 20100) n",
            [version.id],
        )

    async def sizes() -> AsyncIterator[int]:
        async with database.transaction() as session:
            repository = ArchiveRepository(session)
            portion = await repository.portion_rows(version.id)
            uids: list[str] = []
            async for rows in repository.rows(version.id, Split.TRAIN, portion=portion):
                uids += [row.uid for row in rows]
                yield len(rows)
        assert uids == sorted(uids)
        assert len(uids) == 20_011

    assert max([size async for size in sizes()]) == statements._MOST_ROWS
    # Where one row is large, few are read at once.
    monkeypatch.setattr(statements, "_PORTION_BYTES", 100_000)
    found = [size async for size in sizes()]
    assert max(found) < 500


async def test_who_fooled_is_not_told_where_an_uploads_answers_are_withheld(
    archives: Archives, database: Database, clock: Clock
) -> None:
    items = [make_item(number, split=split) for number, split in enumerate(Split)]
    brought = await make_dataset(
        database, await make_task(database), items, origin=DatasetOrigin.UPLOAD, clock=clock
    )

    made = await archives.make(brought)

    told = {name: lines(archives, made, name) for name in ("train", "validation", "test")}
    assert '"is_fooling":true' in told["train"]
    assert all('"is_fooling":null' in told[name] for name in ("validation", "test"))
    for split, fooled in ((Split.TRAIN, b"true"), (Split.TEST, b"null")):
        sent = await archives.chapters.datasets.download(brought.id, split=split, actor=VISITOR)
        assert b'"is_fooling":' + fooled in b"".join([part async for part in sent])


async def test_only_an_owner_has_an_archive_made_again_that_failed(
    archives: Archives, version: DatasetVersion, owner: Actor, database: Database
) -> None:
    asked = await archives.service.ask(version.id, actor=VISITOR)
    async with await psycopg.AsyncConnection.connect(libpq_url(database.url)) as connection:
        await connection.execute("UPDATE jobs SET state = 'failed', error = 'The disk is full.'")

    again = await archives.service.ask(version.id, actor=VISITOR)
    by_owner = await archives.service.ask(version.id, actor=owner)

    assert (again.state, again.error) == (ArchiveState.FAILED, "The disk is full.")
    assert by_owner.state is ArchiveState.MAKING
    assert by_owner.job_id != asked.job_id
