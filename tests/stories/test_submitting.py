"""A builder hands models in over HTTP: code in the sandbox, files of predictions, garbage."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import text

from dynabench import AsyncDynabenchClient
from dynabench.app.wiring import Wiring, job_handlers, wire
from dynabench.client.errors import ModelRejectedError
from dynabench.engines.jobs.errors import JobInterrupted, JobTimeError
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.clock import Clock
from dynabench.kit.errors import InvalidError, NotFoundError
from dynabench.kit.settings import Settings
from dynabench.loop.datasets.archives.making.service import ArchiveMaker
from dynabench.loop.datasets.tables import dataset_archives
from dynabench.loop.datasets.uploads.files.service import SentFiles
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.prediction_files.errors import (
    NotPredictionsError,
    PredictionFileError,
    PredictionsThereError,
)
from dynabench.loop.evaluations.removals.errors import ModelInUseError
from dynabench.loop.evaluations.removals.service import RemovalService
from dynabench.loop.media.repository import MediaRepository
from dynabench.loop.media.values import MediaFile, MediaKind
from dynabench.loop.models.submissions.errors import ArtifactTooLargeError, NotYourModelError
from dynabench.loop.models.values import ModelStatus
from dynabench.loop.rounds.values import RoundPlan
from dynabench.loop.tasks.values import Task
from tests.factories.archives import no_progress
from tests.factories.datasets import make_dataset, make_item
from tests.factories.rounds import make_round
from tests.factories.submissions import CARD, HANDLER
from tests.factories.tasks import make_task
from tests.stories.conftest import PASSWORD


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    settings = Settings(
        database_url=database_url,
        home=tmp_path / "home",
        database_pool_size=4,
        max_submission_mb=1,
        # Where this machine isolates, the sandbox is used all the same.
        trust_submitters=True,
    )
    made = wire(settings, clock=clock, fold_patience_seconds=0)
    yield made
    await made.close()


@pytest.fixture
async def task(wiring: Wiring) -> Task:
    return await make_task(wiring.db, slug="nli")


@pytest.fixture
async def version(wiring: Wiring, task: Task, clock: Clock) -> DatasetVersion:
    items = [
        *(make_item(n, split=Split.TEST, label=("neutral", "entailment")[n % 2]) for n in range(8)),
        *(make_item(n + 100, split=Split.DEV) for n in range(2)),
    ]
    return await make_dataset(wiring.db, task, items, clock=clock)


async def keep_working(wiring: Wiring) -> None:
    """Be a worker until cancelled."""
    while True:
        await work(wiring)
        await asyncio.sleep(0.05)


@pytest.fixture
async def ada(transport: httpx2.ASGITransport) -> AsyncIterator[AsyncDynabenchClient]:
    async with client_of("ada", transport) as client:
        yield client


def client_of(name: str, transport: httpx2.ASGITransport) -> "SignedUp":
    return SignedUp(name, transport)


class SignedUp:
    """A client with an account of its own, for as long as a block runs."""

    def __init__(self, name: str, transport: httpx2.ASGITransport) -> None:
        self._name = name
        self._client = AsyncDynabenchClient("", base_url="http://localhost", transport=transport)

    async def __aenter__(self) -> AsyncDynabenchClient:
        await self._client.account.sign_up(self._name, PASSWORD)
        return self._client

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()


def handler_in(folder: Path, source: str = HANDLER) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "model.py").write_text(source, encoding="utf-8")
    (folder / "__pycache__").mkdir(exist_ok=True)
    (folder / "__pycache__" / "model.pyc").write_bytes(b"stale")
    return folder


async def work(wiring: Wiring) -> None:
    """Do every job that waits, and those that follow."""
    runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="one")
    while True:
        async with wiring.db.read() as session:
            waiting = await JobQueue().list_jobs(session, states=[JobState.QUEUED])
        if not waiting:
            return
        for job in reversed(waiting):
            await runner.run(job.id)


async def evaluated(wiring: Wiring, model_id: UUID) -> int:
    async with wiring.db.read() as session:
        rows = await session.exec_driver_sql(
            "SELECT count(*) FROM predictions JOIN evaluations ON evaluation_id = id "
            "WHERE model_id = %s",
            (model_id,),
        )
        return int(rows.scalar_one())


async def test_a_folder_is_checked_in_the_sandbox_scored_published_and_deleted(
    wiring: Wiring,
    ada: AsyncDynabenchClient,
    version: DatasetVersion,
    tmp_path: Path,
    transport: httpx2.ASGITransport,
) -> None:
    sent: list[tuple[int, int | None]] = []
    submitted = await ada.models.submit(
        model_path=handler_in(tmp_path / "mine"),
        task="nli",
        description="Mine",
        on_progress=lambda moved, total: sent.append((moved, total)),
    )
    model_id = submitted.id
    assert sent[-1][0] == sent[-1][1]
    waiting = await ada.models.get(model_id)
    assert (waiting.name, waiting.kind, waiting.queue_position) == ("mine", "handler", 1)
    await work(wiring)

    ready = await ada.models.wait(model_id)
    assert ready.status is ModelStatus.READY
    assert any("Loaded" in line for line in await ada.models.log(model_id))
    (score, *_) = [one for one in await ada.evaluations.scores("nli") if one.split == "test"]
    assert (score.model_id, score.dataset_version_id, score.items) == (model_id, version.id, 8)

    async with client_of("eve", transport) as eve:
        with pytest.raises(NotFoundError):
            await eve.models.get(model_id)
        await ada.models.publish(model_id, card=CARD)
        assert (await eve.models.get(model_id)).submitted_by == "ada"
        for refused in (eve.models.log, eve.models.delete, eve.models.retry):
            with pytest.raises(NotYourModelError):
                await refused(model_id)
        await ada.models.update(model_id, is_anonymous=True)
        assert (await eve.models.get(model_id)).submitted_by is None

    blobs = FolderBlobStore(wiring.settings.blobs_folder)
    laid_out = blobs.folder(parse_digest(ready.digest))
    await ada.models.delete(model_id)
    assert await ada.models.list("nli") == []
    await work(wiring)
    assert await evaluated(wiring, model_id) == 0
    assert not laid_out.exists()
    assert [path for path in wiring.settings.blobs_folder.rglob("*") if path.is_file()] == []


async def test_the_client_works_as_the_design_shows(
    wiring: Wiring, ada: AsyncDynabenchClient, version: DatasetVersion, tmp_path: Path
) -> None:
    del version
    worker = asyncio.create_task(keep_working(wiring))
    model_id = await ada.models.submit(
        model_path=handler_in(tmp_path / "model"), task="nli", description="My NLI model"
    )
    results = await ada.models.results(model_id)
    worker.cancel()
    with contextlib.suppress(asyncio.CancelledError, JobInterrupted):
        await worker
    assert results["dynascore"] is None
    assert results.reasons["dynascore"]
    scores = [one.value for one in await ada.evaluations.scores("nli")]
    assert scores == [pytest.approx(100 / 3), 100.0]


async def test_what_two_models_share_stays_until_both_are_gone(
    wiring: Wiring, ada: AsyncDynabenchClient, task: Task, tmp_path: Path
) -> None:
    del task
    made = []
    for name in ("one", "two"):
        folder = handler_in(tmp_path / name)
        (folder / "name.txt").write_text(name, encoding="utf-8")
        made.append(await ada.models.submit(folder, task="nli"))
    await work(wiring)
    blobs = FolderBlobStore(wiring.settings.blobs_folder)
    digests = [parse_digest((await ada.models.get(one)).digest) for one in made]
    shared = blobs.files_of(digests[0])["model.py"]

    await ada.models.delete(made[0])
    await work(wiring)
    assert not blobs.exists(digests[0])
    assert blobs.exists(shared)
    assert blobs.folder(digests[1]).is_dir()
    await ada.models.delete(made[1])
    await work(wiring)
    assert not blobs.exists(shared)


async def test_who_hands_in_an_archive_or_a_thumbnail_and_deletes_it_takes_nothing_away(
    wiring: Wiring, ada: AsyncDynabenchClient, version: DatasetVersion, tmp_path: Path
) -> None:
    archive = await wiring.get(ArchiveMaker).make(version.id, progress=no_progress)
    assert archive is not None
    blobs = FolderBlobStore(wiring.settings.blobs_folder)
    small = blobs.put(b"a smaller form")
    large = MediaFile(
        digest=blobs.put(b"a picture"),
        kind=MediaKind.IMAGE,
        media_type="image/png",
        size_bytes=9,
        thumbnail_digest=small,
    )
    async with wiring.db.transaction() as session:
        await MediaRepository(session).add(
            large, source_url=None, created_by=None, now=version.created_at
        )
    folder = handler_in(tmp_path / "mine")
    files = wiring.get(SentFiles)
    sent = await files.keep(version.task_id, Path(__file__), created_by=None)
    kept = [parse_digest(archive.digest), small, sent]
    for number, digest in enumerate(kept):
        (folder / f"{number}.bin").write_bytes(blobs.get(digest))
    model_id = await ada.models.submit(folder, task="nli")
    await work(wiring)

    await ada.models.delete(model_id)
    await work(wiring)

    assert [blobs.exists(digest) for digest in kept] == [True, True, True]
    async with wiring.db.transaction() as session:
        await session.execute(dataset_archives.delete())
    await wiring.get(RemovalService).forget_files([archive.digest])
    assert not blobs.exists(kept[0])


async def test_a_model_that_answers_wrongly_is_told_where(
    wiring: Wiring, ada: AsyncDynabenchClient, task: Task, tmp_path: Path
) -> None:
    del task
    folder = handler_in(tmp_path / "mine", HANDLER.replace("neutral", "perhaps"))
    model_id = await ada.models.submit(folder, task="nli")
    await work(wiring)
    with pytest.raises(ModelRejectedError, match="label"):
        await ada.models.wait(model_id)
    folder = handler_in(tmp_path / "mine")
    again = await ada.models.submit(folder, task="nli")
    await work(wiring)
    assert (await ada.models.wait(again)).version == 2


async def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    wiring: Wiring, ada: AsyncDynabenchClient, task: Task, tmp_path: Path
) -> None:
    del task
    folder = handler_in(tmp_path / "mine")
    (folder / "weights.bin").write_bytes(bytes(5_000_000))
    with pytest.raises(ArtifactTooLargeError, match="1 MB"):
        await ada.models.submit(folder, task="nli")
    assert list((wiring.settings.home / "incoming").glob("*")) == []
    (folder / "weights.bin").unlink()
    (folder / "weights.bin").symlink_to("/etc/passwd")
    with pytest.raises(InvalidError, match="is a link"):
        await ada.models.submit(folder, task="nli")


def lines(*rows: object) -> str:
    return "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)


async def test_predictions_are_checked_line_by_line_and_scored(
    wiring: Wiring, ada: AsyncDynabenchClient, version: DatasetVersion, tmp_path: Path
) -> None:
    model_id = await ada.models.submit(task="nli", kind="predictions", name="elsewhere")
    test = tmp_path / "test.jsonl"
    await ada.datasets.download_split(version.id, "test", test)
    uids = [json.loads(line)["uid"] for line in test.read_text().splitlines()]
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(
        lines(
            {"uid": uids[0], "label": "perhaps"},
            {"uid": uids[1], "label": "neutral"},
            {"uid": uids[1], "label": "neutral"},
            {"uid": "unknown", "label": "neutral"},
            "{broken",
            {"label": "neutral"},
            {"uid": uids[2]},
        )
    )
    with pytest.raises(PredictionFileError) as refused:
        await ada.models.submit_predictions(model_id, version.id, wrong)
    problems = refused.value.facts["problems"]
    assert isinstance(problems, list)
    told = [(one["line"], one["path"]) for one in problems]
    assert told[:6] == [(1, "label"), (3, None), (4, None), (5, None), (6, "uid"), (7, "label")]
    assert {path for _, path in told[6:]} == {f"uid {uid}" for uid in uids[3:]}
    assert (await ada.models.get(model_id)).status is ModelStatus.SUBMITTED

    right = [{"uid": uid, "label": "neutral"} for uid in uids]
    taken = await ada.models.submit_predictions(model_id, version.id, right)
    assert taken.items == 8
    await work(wiring)

    assert (await ada.models.get(model_id)).status is ModelStatus.READY
    (score,) = await ada.evaluations.scores("nli")
    assert (score.split, score.items, score.failed_items) == ("test", 8, 0)
    again = await ada.models.submit_predictions(model_id, version.id, right)
    assert again.digest == taken.digest
    with pytest.raises(PredictionsThereError):
        await ada.models.submit_predictions(model_id, version.id, right[::-1])
    await ada.models.delete(model_id)
    await work(wiring)
    assert [path for path in wiring.settings.blobs_folder.rglob("*") if path.is_file()] == []


async def test_a_file_of_predictions_is_refused_where_the_day_s_time_is_used_up(
    wiring: Wiring, ada: AsyncDynabenchClient, task: Task, version: DatasetVersion, tmp_path: Path
) -> None:
    model_id = await ada.models.submit(task="nli", kind="predictions", name="elsewhere")
    async with wiring.db.transaction() as session:
        await session.execute(
            text(
                "INSERT INTO jobs (id, name, payload, subject_id, created_by, created_at,"
                " started_at) SELECT gen_random_uuid(), 'any', '{}', :task, id, now(),"
                " now() - interval '25 hours' FROM users WHERE username = 'ada'"
            ),
            {"task": task.id},
        )

    file = tmp_path / "test.jsonl"
    await ada.datasets.download_split(version.id, "test", file)
    right = [
        {"uid": json.loads(one)["uid"], "label": "neutral"} for one in file.read_text().splitlines()
    ]
    with pytest.raises(JobTimeError):
        await ada.models.submit_predictions(model_id, version.id, right)

    assert (await ada.models.get(model_id)).status is ModelStatus.SUBMITTED
    kept = [path for path in wiring.settings.blobs_folder.rglob("*") if path.is_file()]
    assert kept == []


async def test_only_models_of_predictions_take_such_files(
    ada: AsyncDynabenchClient,
    version: DatasetVersion,
    tmp_path: Path,
    transport: httpx2.ASGITransport,
) -> None:
    handler = await ada.models.submit(handler_in(tmp_path / "mine"), task="nli")
    with pytest.raises(NotPredictionsError):
        await ada.models.submit_predictions(handler, version.id, [{"uid": "a"}])
    predictions = await ada.models.submit(task="nli", kind="predictions")
    with pytest.raises(NotFoundError):
        await ada.models.submit_predictions(predictions, handler, [{"uid": "a"}])
    with pytest.raises(PredictionFileError, match="no line for this item"):
        await ada.models.submit_predictions(predictions, version.id, [])
    async with client_of("eve", transport) as eve:
        with pytest.raises(NotFoundError):
            await eve.models.submit_predictions(predictions, version.id, [{"uid": "a"}])


async def test_a_target_of_a_round_that_is_not_over_stays(
    wiring: Wiring, ada: AsyncDynabenchClient, task: Task, tmp_path: Path, clock: Clock
) -> None:
    model = await ada.models.submit(handler_in(tmp_path / "mine"), task="nli")
    await work(wiring)
    await make_round(wiring.db, task, plan=RoundPlan(target_model_ids=(model.id,)), clock=clock)
    with pytest.raises(ModelInUseError, match="round 1"):
        await ada.models.delete(model)
