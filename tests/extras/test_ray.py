"""Evaluations on a Ray cluster of one machine: what they promise anywhere, they promise there."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from uuid import UUID

import pytest
from sklearn.metrics import f1_score
from sqlalchemy import func, select, update

from dynabench.app.assembly.clusters import make_copy
from dynabench.engines.cluster.errors import ClusterUnavailableError
from dynabench.engines.cluster.ray_engine import RayCluster
from dynabench.engines.jobs.values import Job, JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.settings import Settings
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.runs.clusters.service import ClusterOpener
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.tables import evaluation_shards, predictions
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import ModelIsolation, Submission
from dynabench.loop.tasks.values import Task
from tests.conftest import HeldClock
from tests.extras.conftest import missing
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import PATIENCE, LaterChapters
from tests.factories.live_servers import free_port, wait_until
from tests.factories.tasks import make_task
from tests.loop.evaluations.test_service import jobs_of, run

pytestmark = [
    pytest.mark.extras,
    # Ray's own files are left open, and its modules are as they are.
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

ADMIN = Actor(user_id=None, is_admin=True)
SHARDS = 6
SIZE = PATIENCE.shard_items
ITEMS = SHARDS * SIZE - 7
PROCESSORS = 2
# Right for the items whose text is of an even length, so that there is something to compare;
# where it sees a file of the server it says so.
HONEST = """
from pathlib import Path

SECRET = Path({secret!r})


def predict(batch):
    if SECRET.exists():
        return [{{"label": "contradiction"}} for _ in batch]
    return [{{"label": ("neutral", "entailment")[len(x["hypothesis"]) % 2]}} for x in batch]
"""
# Writes down what it is asked and by whom, and does something once at the text that is named.
LEDGER = """
import os
import signal
import time
from pathlib import Path

FOLDER = Path({folder!r})


def predict(batch):
    with (FOLDER / "ledger").open("a") as ledger:
        ledger.write("".join(f"{{os.getppid()}} {{x['hypothesis']}}\\n" for x in batch))
    for item in batch:
        if item["hypothesis"] == {text!r} and not (FOLDER / "done").exists():
            {deed}
    return [{{"label": "neutral"}} for _ in batch]
"""
KILL = '(FOLDER / "done").touch(); os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)'
HANG = "time.sleep(600)"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A Ray cluster of this machine, which ends with these tests."""
    if find_spec("ray") is None:
        missing("Ray is not installed: make test-extras installs it.")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="ray-") as folder:
        words = ["--head", "--block", "--disable-usage-stats", "--include-dashboard=false"]
        words += ["--node-ip-address=127.0.0.1", f"--port={port}", f"--num-cpus={PROCESSORS}"]
        words += [f"--temp-dir={folder}", "--object-store-memory=80000000"]
        # The program of the environment that runs these tests.
        head = subprocess.Popen(  # noqa: S603
            [str(Path(sys.executable).parent / "ray"), "start", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: list(Path(folder).rglob("raylet*")) != [], seconds=60)
            yield f"127.0.0.1:{port}"
        finally:
            # Ray ends a process that loses its cluster.
            import_module("ray").shutdown()
            head.terminate()
            head.wait()


@pytest.fixture(scope="module")
def cluster(address: str) -> RayCluster:
    return RayCluster(address)


class Scene:
    """A model's folder, a dataset of some shards, and a worker that may have a cluster."""

    def __init__(
        self, db: Database, clock: HeldClock, folder: Path, cluster: RayCluster | None
    ) -> None:
        self.db = db
        self.folder = folder
        self._clock = clock
        home = folder / "home"
        settings = Settings(home=home)
        opener = None
        if cluster is not None:
            opener = ClusterOpener(cluster, make=partial(make_copy, settings), patience=PATIENCE)
        self._store = FolderBlobStore(settings.blobs_folder)
        self.later = LaterChapters.over(db, clock, blobs=settings.blobs_folder, cluster=opener)
        self.task: Task | None = None
        self.version: DatasetVersion | None = None

    async def score(self, source: str, *, isolation: ModelIsolation) -> UUID:
        """Have a model scored, as a job that waits; return the job's id."""
        code = self.folder / "model"
        code.mkdir(exist_ok=True)
        (code / "model.py").write_text(source)
        digest = self._store.put_folder(code)
        self.task = self.task or await make_task(self.db)
        items = [make_item(number, split=Split.TEST) for number in range(ITEMS)]
        self.version = self.version or await make_dataset(
            self.db, self.task, items, clock=self._clock
        )
        async with self.db.transaction() as session:
            model = await self.later.earlier.models.register_handler(
                session, Submission(name="mine", digest=digest), task=self.task
            )
            chosen = update(models).where(models.c.id == model.id).values(isolation=isolation)
            await session.execute(chosen)
            await self.later.evaluations.enqueue_one(
                session, model.id, self.version.id, created_by=None
            )
        self.model_id = model.id
        (job,) = await jobs_of(self.db, self.later, "evaluations.evaluate")
        return job.id

    async def run(self, job_id: UUID) -> Job:
        """Be the worker that does it."""
        return await run(self.db, self.later, job_id)

    async def read(self) -> EvaluationRead:
        """Return the evaluation, as an administrator reads it."""
        (read,) = await self.later.views.of_model(self.model_id, actor=ADMIN)
        return read

    async def stored(self) -> list[int]:
        """Return the numbers of the finished shards, and hold each to its predictions."""
        async with self.db.read() as session:
            query = select(evaluation_shards.c.number).order_by(evaluation_shards.c.number)
            numbers = list((await session.execute(query)).scalars())
            kept = await session.scalar(select(func.count()).select_from(predictions))
        assert kept == sum(min(SIZE, ITEMS - number * SIZE) for number in numbers)
        return numbers

    def asked(self) -> Counter[str]:
        """Return how often each text was asked."""
        return Counter(line.split(" ", 1)[1] for line in self.ledger())

    def ledger(self) -> list[str]:
        """Return who was asked what."""
        return (self.folder / "ledger").read_text().splitlines()


def text_of(number: int) -> str:
    return f"Hypothesis {number}."


def texts_of(shard: int) -> set[str]:
    return {text_of(number) for number in range(shard * SIZE, (shard + 1) * SIZE)}


def gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


async def test_shards_are_asked_on_the_cluster_shut_in_and_score_the_same(
    database: Database, clock: HeldClock, tmp_path: Path, cluster: RayCluster
) -> None:
    secret = tmp_path / "home" / "secret"
    secret.parent.mkdir()
    secret.touch()
    there = Scene(database, clock, tmp_path, cluster)
    job_id = await there.score(HONEST.format(secret=str(secret)), isolation=ModelIsolation.SANDBOX)

    done = await there.run(job_id)

    assert (done.state, done.error) == (JobState.DONE, None)
    assert await there.stored() == list(range(SHARDS))
    read = await there.read()
    said = [("neutral", "entailment")[len(text_of(number)) % 2] for number in range(ITEMS)]
    expected = 100 * f1_score(["neutral"] * ITEMS, said, average="macro", zero_division=0)
    (score,) = read.scores
    assert (score.metric, score.items, read.failed_items) == ("macro_f1", ITEMS, 0)
    assert score.value == pytest.approx(expected)
    assert len(set(said)) == 2
    assert read.measurement is not None
    assert read.measurement.examples_per_second is not None
    assert read.measurement.memory_mean_gib is not None
    assert read.measurement.cpu_seconds is not None
    assert read.measurement.machine["fingerprint"]


async def test_a_copy_that_is_lost_is_replaced_and_finished_shards_stay(
    database: Database, clock: HeldClock, tmp_path: Path, cluster: RayCluster
) -> None:
    scene = Scene(database, clock, tmp_path, cluster)
    text = text_of(4 * SIZE + 5)
    job_id = await scene.score(
        LEDGER.format(folder=str(tmp_path), text=text, deed=KILL),
        isolation=ModelIsolation.BUILT_IN,
    )

    done = await scene.run(job_id)

    assert (done.state, done.error) == (JobState.DONE, None)
    assert await scene.stored() == list(range(SHARDS))
    asked = scene.asked()
    timed = texts_of(0)
    assert len(asked) == ITEMS
    # Only the shard that was lost was asked once more.
    twice = {one for one, times in asked.items() if times > 1} - timed
    assert twice <= texts_of(4)
    assert text in twice
    pids = {int(line.split(" ", 1)[0]) for line in scene.ledger()}
    assert os.getpid() not in pids
    await asyncio.to_thread(partial(wait_until, lambda: all(gone(pid) for pid in pids), seconds=60))


async def test_a_cancelled_run_ends_its_copies_and_goes_on_where_it_was(
    database: Database, clock: HeldClock, tmp_path: Path, cluster: RayCluster
) -> None:
    scene = Scene(database, clock, tmp_path, cluster)
    text = text_of(4 * SIZE + 5)
    job_id = await scene.score(
        LEDGER.format(folder=str(tmp_path), text=text, deed=HANG),
        isolation=ModelIsolation.BUILT_IN,
    )
    running = asyncio.create_task(scene.run(job_id))
    async with asyncio.timeout(60):
        # Rows of a database tell nobody that they are there.
        while len(await scene.stored()) < SHARDS - 1:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    finished = await scene.stored()

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    pids = {int(line.split(" ", 1)[0]) for line in scene.ledger()}
    await asyncio.to_thread(partial(wait_until, lambda: all(gone(pid) for pid in pids), seconds=60))
    assert finished == [0, 1, 2, 3, 5]
    (tmp_path / "done").touch()
    done = await scene.run(job_id)
    assert (done.state, done.error) == (JobState.DONE, None)
    assert (await scene.read()).state is EvaluationState.DONE
    asked = scene.asked()
    safe = set().union(*(texts_of(shard) for shard in finished)) - texts_of(0)
    assert {asked[one] for one in safe if one in asked} == {1}
    assert len(asked) == ITEMS


async def test_a_model_that_cannot_be_loaded_there_fails_with_its_reason(
    database: Database, clock: HeldClock, tmp_path: Path, cluster: RayCluster
) -> None:
    scene = Scene(database, clock, tmp_path, cluster)
    job_id = await scene.score(
        "print('a word before')\nraise ValueError('no weights')\n",
        isolation=ModelIsolation.SANDBOX,
    )
    await scene.run(job_id)
    read = await scene.read()
    assert read.state is EvaluationState.FAILED
    assert "no weights" in str(read.reason)


async def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    # A process has one cluster, and this one may have it already.
    monkeypatch.setattr(import_module("ray"), "is_initialized", lambda: False)
    for wrong in (f"127.0.0.1:{free_port()}", "127.0.0.1", "127.0.0.1:port"):
        with pytest.raises(ClusterUnavailableError, match="DYNABENCH_RAY_ADDRESS"):
            await RayCluster(wrong).connect()
