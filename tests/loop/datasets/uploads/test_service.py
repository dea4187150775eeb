"""Uploads against a real database: whole or not at all, once, and by owners."""

import hashlib
import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dynabench.engines.jobs.values import JobState
from dynabench.engines.row_files.values import RowFormat
from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.datasets.errors import (
    ColumnMapError,
    DatasetFileMissingError,
    DatasetFileTooLargeError,
    DatasetNameTakenError,
)
from dynabench.loop.datasets.rules import content_digest
from dynabench.loop.datasets.uploads import service as uploads_service
from dynabench.loop.datasets.uploads.schemas import DatasetImportRead
from dynabench.loop.datasets.uploads.values import ImportState
from dynabench.loop.datasets.values import DATASET_PUBLISHED, DatasetAccess, DatasetOrigin, Split
from dynabench.loop.tasks.errors import TaskNotFoundError, TaskRoleNeededError, TaskStateError
from dynabench.loop.tasks.values import TaskRole, TaskStatus
from tests.conftest import HeldClock
from tests.factories.dataset_files import Uploads, as_lines, ignore, in_pieces, rows
from tests.factories.datasets import make_dataset, make_item
from tests.factories.media import make_media_service, picture
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

PICTURES = """\
context: [{name: scene, type: image}]
input:
  - {name: text, type: string}
  - {name: label, type: multiclass, labels: ["yes", "no"]}
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""


@pytest.fixture
def uploads(database: Database, clock: HeldClock, tmp_path: Path) -> Uploads:
    return Uploads.over(database, clock, folder=tmp_path)


def as_parquet(found: list[dict[str, object]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(found), sink)
    return sink.getvalue()


def as_csv(found: list[dict[str, object]]) -> bytes:
    lines = [",".join(found[0]), *(",".join(f'"{one}"' for one in row.values()) for row in found)]
    return "\n".join(lines).encode()


async def published(uploads: Uploads) -> list[str]:
    async with uploads.db.read() as session:
        jobs = await uploads.chapters.queue.list_jobs(session, name=DATASET_PUBLISHED)
    return [str(job.payload["version_id"]) for job in jobs]


async def test_the_same_items_have_one_digest_in_every_format(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    found = [*rows(7), *rows(5, split="train", start=7), *rows(3, split="dev", start=12)]
    files = {
        RowFormat.JSONL: as_lines(found),
        RowFormat.CSV: as_csv(found),
        RowFormat.PARQUET: as_parquet(found),
    }
    digests = set()
    for row_format, data in files.items():
        done = await uploads.bring(task, data, row_format=row_format, name=row_format.value)
        assert done.state is ImportState.STORED
        assert {one.split: one.items for one in done.splits} == {"train": 5, "dev": 3, "test": 7}
        digests.add(done.digest)
        assert done.dataset_version_id is not None
        version = await uploads.chapters.datasets.get(done.dataset_version_id)
        items = [
            item
            for split in Split
            async for page in uploads.chapters.datasets.pages(version.id, split, size=4)
            for item in page
        ]
        assert content_digest(reversed(items)) == version.digest
        assert (version.origin, version.items) == (DatasetOrigin.UPLOAD, 15)
        splits = version.card["splits"]
        assert isinstance(splits, dict)
        assert splits["test"]["contexts"] == 4
    assert len(digests) == 1
    assert len(await published(uploads)) == 3


async def test_a_name_brought_again_is_the_next_version_and_the_same_items_are_none(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    first = await uploads.bring(task, as_lines(rows(4)), tags=["nli"], access="standard")
    again = await uploads.bring(task, as_lines(reversed(rows(4))), licence="CC-BY-4.0")
    second = await uploads.bring(task, as_lines(rows(5)))
    assert (again.state, again.dataset_version_id) == (
        ImportState.THERE_ALREADY,
        first.dataset_version_id,
    )
    assert (second.state, second.version) == (ImportState.STORED, 2)
    listed = await uploads.chapters.datasets.list(task.slug, actor=VISITOR)
    assert [(one.version, one.is_newest) for one in listed] == [(2, True), (1, False)]
    assert [(one.access, one.tags) for one in listed] == [(DatasetAccess.STANDARD, ["nli"])] * 2
    assert len(await published(uploads)) == 2


async def test_a_wrong_row_keeps_the_whole_file_out_and_all_are_named(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    found = rows(130)
    for row in found[5:]:
        row["label"] = "maybe"
    done = await uploads.bring(task, b"{\n" + as_lines(found))
    assert done.state is ImportState.REFUSED
    assert (len(done.problems), done.more_problems) == (100, 26)
    assert [(one.line, one.field) for one in done.problems[:2]] == [(1, None), (7, "label")]
    assert await uploads.chapters.datasets.of_task(task.id) == []
    assert await published(uploads) == []
    empty = await uploads.bring(task, b"\n\n")
    assert [one.message[:21] for one in empty.problems] == ["The file holds no ite"]


async def test_a_check_stores_nothing_and_says_what_it_saw(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    found = [*rows(3), *rows(1), *rows(1, split="train")]
    done = await uploads.bring(task, as_lines(found), check_only=True)
    assert (done.state, done.items, done.dataset_version_id) == (ImportState.CHECKED, 4, None)
    assert (done.repeated, done.repeated_lines) == (1, [4])
    assert (done.overlapping, done.overlapping_lines) == (1, [5])
    assert await uploads.chapters.datasets.of_task(task.id) == []


async def test_an_import_that_loses_power_leaves_nothing_and_is_done_again(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    order = await uploads.order(task, as_lines(rows(2500)))

    async def lose_power(done: float, total: float, message: str) -> None:
        assert done <= total
        if message.startswith("2000 items written"):
            raise ConnectionError

    with pytest.raises(ConnectionError):
        await uploads.importer.run(order, task_id=task.id, created_by=None, progress=lose_power)
    assert await uploads.chapters.datasets.of_task(task.id) == []
    for state in (ImportState.STORED, ImportState.THERE_ALREADY):
        done = await uploads.importer.run(order, task_id=task.id, created_by=None, progress=ignore)
        assert (done.state, done.items) == (state, 2500)
    assert len(await published(uploads)) == 1


async def test_an_owner_sends_a_file_and_the_job_reports(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    data = as_lines(rows(3))
    file = await uploads.service.keep_file(task.slug, chunks=in_pieces(data), actor=owner)
    assert file.size_bytes == len(data)
    body = await uploads.order(task, data)
    assert body.file == file.digest
    key = RequestKey.of(actor_id=owner.user_id, route="POST", key="k", body=b"{}")
    job = await uploads.service.create(task.slug, body, actor=owner, key=key)
    again = await uploads.service.create(task.slug, body, actor=owner, key=key)
    assert again.id == job.id
    done = await uploads.run(job)
    assert (done.state, done.error) == (JobState.DONE, None)
    report = DatasetImportRead.model_validate(done.result)
    assert (report.state, report.items) == (ImportState.STORED, 3)


async def test_an_order_that_cannot_be_met_is_refused_at_once(
    uploads: Uploads, database: Database, clock: HeldClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    await make_dataset(database, task, [make_item(1)], name="Round 1", clock=clock)
    service, data = uploads.service, as_lines(rows(1))
    order = await uploads.order(task, data)
    missing = order.model_copy(update={"file": "0" * 64})
    with pytest.raises(DatasetFileMissingError):
        await service.create(task.slug, missing, actor=owner, key=None)
    order = await uploads.order(task, data, columns={"a": "nothing"})
    with pytest.raises(ColumnMapError, match="no field “nothing”"):
        await service.create(task.slug, order, actor=owner, key=None)
    for name in ("Round 1", "Mine (robustness)", " "):
        order = await uploads.order(task, data, name=name)
        with pytest.raises(DatasetNameTakenError):
            await service.create(task.slug, order, actor=owner, key=None)
    with pytest.raises(DatasetNameTakenError):
        await uploads.bring(task, data, name="Round 1")
    monkeypatch.setattr(uploads_service, "MAX_FILE_BYTES", 10)
    with pytest.raises(DatasetFileTooLargeError):
        await service.keep_file(task.slug, chunks=in_pieces(data), actor=owner)


async def test_a_waiting_file_is_refused_whose_sender_owns_the_task_no_more(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    order = await uploads.order(task, as_lines(rows(1)))
    job = await uploads.service.create(task.slug, order, actor=owner, key=None)

    await add_member(database, task, owner, TaskRole.EXPERT)
    refused = await uploads.run(job)

    assert refused.state is JobState.FAILED
    assert f"{owner.username} asked for this and may not do so any more" in str(refused.error)
    assert await uploads.chapters.datasets.of_task(task.id) == []


async def test_a_file_of_another_task_is_as_unknown_as_one_that_is_nowhere(
    uploads: Uploads, database: Database
) -> None:
    task, mine = await make_task(database), await make_task(database)
    owner, thief = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    await add_member(database, mine, thief, TaskRole.OWNER)
    data = as_lines(rows(3))
    await uploads.service.keep_file(task.slug, chunks=in_pieces(data), actor=owner)
    theirs = await uploads.order(task, data)
    answers = []
    for order in (theirs, theirs.model_copy(update={"file": "0" * 64})):
        with pytest.raises(DatasetFileMissingError) as refused:
            await uploads.service.create(mine.slug, order, actor=thief, key=None)
        answers.append((refused.value.message, refused.value.facts))
        with pytest.raises(DatasetFileMissingError):
            await uploads.importer.run(
                order, task_id=mine.id, created_by=thief.user_id, progress=ignore
            )
    assert answers[0] == answers[1]

    await uploads.service.keep_file(mine.slug, chunks=in_pieces(data), actor=thief)

    job = await uploads.service.create(mine.slug, theirs, actor=thief, key=None)
    assert (await uploads.run(job)).state is JobState.DONE


async def test_only_owners_are_told_the_digest_and_the_length_of_a_file_of_withheld_answers(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await make_task(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    data = as_lines(rows(3))
    done = await uploads.bring(task, data)
    assert done.dataset_version_id is not None
    told = {"format": "jsonl"}
    whole = {**told, "bytes": len(data), "digest": hashlib.sha256(data).hexdigest()}
    for actor, known in (
        (VISITOR, told),
        (await make_user(database), told),
        (owner, whole),
    ):
        read = await uploads.chapters.datasets.read(done.dataset_version_id, actor=actor)
        assert read.card["file"] == known
        listed = await uploads.chapters.datasets.list(task.slug, actor=actor)
        assert [one.card["file"] for one in listed] == [known]


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_bring_datasets(
    uploads: Uploads, database: Database, role: TaskRole | None
) -> None:
    task, actor = await make_task(database), await make_user(database)
    if role is not None:
        await add_member(database, task, actor, role)
    body = await uploads.order(task, as_lines(rows(1)))
    with pytest.raises(TaskRoleNeededError):
        await uploads.service.create(task.slug, body, actor=actor, key=None)
    with pytest.raises(TaskRoleNeededError):
        await uploads.service.keep_file(task.slug, chunks=in_pieces(b"x"), actor=actor)
    with pytest.raises(SignInRequiredError):
        await uploads.service.create(task.slug, body, actor=VISITOR, key=None)


async def test_drafts_take_datasets_and_archived_tasks_do_not(
    uploads: Uploads, database: Database
) -> None:
    draft = await make_task(database, status=TaskStatus.DRAFT)
    archived = await make_task(database, status=TaskStatus.ARCHIVED)
    owner = await make_user(database)
    for task in (draft, archived):
        await add_member(database, task, owner, TaskRole.OWNER)
    body = await uploads.order(draft, as_lines(rows(1)))
    job = await uploads.service.create(draft.slug, body, actor=owner, key=None)
    assert job.state is JobState.QUEUED
    with pytest.raises(TaskStateError):
        await uploads.service.create(archived.slug, body, actor=owner, key=None)
    with pytest.raises(TaskNotFoundError):
        await uploads.service.create(draft.slug, body, actor=VISITOR, key=None)


async def test_gold_that_scores_is_in_no_download_and_train_is_whole(
    uploads: Uploads, database: Database
) -> None:
    task = await make_task(database)
    found = [*rows(2), *rows(2, split="train", start=2), *rows(2, split="dev", start=4)]
    datasets = uploads.chapters.datasets
    for access, hidden in ((None, {"test", "dev"}), (DatasetAccess.STANDARD, set[str]())):
        done = await uploads.bring(task, as_lines(found), access=access, name=str(access))
        assert done.dataset_version_id is not None
        for split in Split:
            stream = await datasets.download(done.dataset_version_id, split=split, actor=VISITOR)
            lines = b"".join([part async for part in stream]).splitlines()
            assert [("gold" not in json.loads(line)) for line in lines] == [split in hidden] * 2


async def test_a_picture_that_a_row_names_is_stored_or_its_line_is_told(
    uploads: Uploads, database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database, config=PICTURES)
    (tmp_path / "red.png").write_bytes(picture())
    media = make_media_service(database, clock, blobs=tmp_path / "media")
    kept = await media.keep(tmp_path / "red.png")
    found = [
        {"scene": {"media": digest, "alt": "Red"}, "text": "A field.", "label": "yes"}
        for digest in (kept.digest, "0" * 64)
    ]
    refused = await uploads.bring(task, as_lines(found), split="test")
    assert [(one.line, one.field) for one in refused.problems] == [(2, "scene")]
    assert "No such picture is stored here" in refused.problems[0].message
    done = await uploads.bring(task, as_lines(found[:1]), split="test")
    assert done.dataset_version_id is not None
    version_id = done.dataset_version_id
    (item,) = [i async for p in uploads.chapters.datasets.pages(version_id, Split.TEST) for i in p]
    assert item.context == {"scene": {"media": kept.digest, "alt": "Red"}}
