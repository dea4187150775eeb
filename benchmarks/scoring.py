"""Figures of scoring: the pass of a model that costs nothing, and what a real one loses by it."""

import asyncio
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch
from uuid import UUID

# scikit-learn brings it along, and it ships no types.
import joblib  # type: ignore[import-untyped]
import numpy as np
import psutil
import psycopg
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sqlalchemy import func, select, update

from benchmarks.installation import add_version, services
from benchmarks.report import Report, machine, write
from dynabench.app.wiring import Wiring
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.kit.db.database import libpq_url
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.evaluations.runs.service import EvaluationRunner
from dynabench.loop.evaluations.runs.sources.service import ModelSource
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.evaluations.tables import evaluation_shards
from dynabench.loop.models.addresses.service import TargetAccess
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import ModelIsolation, Submission
from dynabench.loop.tasks.service import TaskService

LABELS = ("entailment", "neutral", "contradiction")
FAST_ITEMS = 200_000
REAL_ITEMS = 20_000
REPEATS = 7
BATCH_ITEMS = 64

_CONFIG = """
title: Scoring
context: [{name: premise, type: string}]
input:
  - {name: hypothesis, type: string}
  - {name: label, type: multiclass, labels: [entailment, neutral, contradiction]}
output: [{name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""
_FAST = """
def predict(batch):
    return [{"label": "neutral"} for _ in batch]
"""
_REAL = """
from pathlib import Path

import joblib

_model = None


def load(path):
    global _model
    _model = joblib.load(Path(path) / "model.joblib")


def predict(batch):
    texts = [f"{item['premise']} {item['hypothesis']}" for item in batch]
    return [{"label": label} for label in _model.predict(texts).tolist()]
"""
# The same model and batches, sorted by length, with nothing around them.
_ALONE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import model
model.load(sys.argv[1])
items = [json.loads(line) for line in open(sys.argv[2])]
model.predict(items[:64])
started = time.process_time()
items.sort(key=lambda item: len(item["premise"]) + len(item["hypothesis"]))
for start in range(0, len(items), 64):
    model.predict(items[start : start + 64])
print(time.process_time() - started)
"""
_PINNED = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
_TEXT = (
    "the old harbour town lay quiet while rain fell over its narrow streets and nobody saw how "
    "three small boats came back before the storm broke against the northern wall again"
)
_WORDS = _TEXT.split()


@dataclass(frozen=True)
class Scored:
    """One pass over a version.

    Attributes:
        items: How many items it held.
        seconds: From the job's start to its end, by the clock.
        cpu_seconds: Of the worker, the database and the model's process while it answered.
    """

    items: int
    seconds: float
    cpu_seconds: float


class Quiet:
    """A job whose progress nobody follows."""

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell nobody."""

    async def log(self, line: str) -> None:
        """Tell nobody."""


def measure(out: Path) -> int:
    """Measure and write the report; returns how many figures are missed."""
    about = machine()
    report = Report(
        FAST_ITEMS,
        "scoring",
        "Scoring: from stored items to stored scores",
        setting="One worker, the embedded PostgreSQL and the sandboxed model share the machine.",
    )
    with services() as (wiring, home):
        asyncio.run(_measure(wiring, home, report))
    return write(report, out, about=about)


async def _measure(wiring: Wiring, home: Path, report: Report) -> None:
    try:
        isolation = ModelIsolation.SANDBOX
        reason = wiring.get(Sandbox).report().reason
        if reason is not None:
            isolation = ModelIsolation.TRUSTED
        report.settings["isolation"] = isolation.value if reason is None else f"none: {reason}"
        task = await wiring.get(TaskService).ensure("scoring", _CONFIG)
        # What follows a pass is no part of it: timing the model one item at a time.
        with patch.object(ModelSource, "timing", _untimed):
            await _fast(wiring, home, task.id, report, isolation)
            await _real(wiring, home, task.id, report, isolation)
    finally:
        await wiring.close()


async def _untimed(source: ModelSource, sample: ItemBlock | None) -> None:
    """Time nothing."""


async def _fast(
    wiring: Wiring, home: Path, task_id: UUID, report: Report, isolation: ModelIsolation
) -> None:
    """Time a model that costs nothing: what is left is the platform."""
    version_id = await asyncio.to_thread(_seed, wiring.db.url, task_id, "fast", FAST_ITEMS)
    folder = home / "fast"
    folder.mkdir()
    (folder / "model.py").write_text(_FAST)
    found = []
    for repeat in range(4):
        model_id = await _register(wiring, folder, f"fast-{repeat}", isolation)
        found.append(await _score(wiring, model_id, version_id))
    # The first one loads libraries, which a worker does once.
    del found[0]
    rates = [one.items / one.seconds for one in found]
    report.samples["items per second"] = rates
    report.figure(
        f"trivial handler over {FAST_ITEMS:,} items, end to end, median of {len(rates)}",
        value=f"{statistics.median(rates):,.0f} items/s",
        wanted=">= 20,000 items/s per worker",
        holds=statistics.median(rates) >= 20_000,
    )
    spent = statistics.median(one.cpu_seconds / one.items for one in found)
    report.settings["processor time of the pass"] = f"{spent * 1e6:.1f} microseconds per item"


async def _real(
    wiring: Wiring, home: Path, task_id: UUID, report: Report, isolation: ModelIsolation
) -> None:
    """Compare a scikit-learn model on the platform with the same one alone, turn by turn."""
    version_id = await asyncio.to_thread(_seed, wiring.db.url, task_id, "real", REAL_ITEMS)
    folder, items = home / "real", home / "items.jsonl"
    await asyncio.to_thread(_train, folder)
    values = [_values(number) for number in range(REAL_ITEMS)]
    items.write_text("".join(json.dumps(one) + "\n" for one in values))
    alone, here = [], []
    for repeat in range(REPEATS):
        alone.append(await asyncio.to_thread(_alone, folder, items))
        model_id = await _register(wiring, folder, f"real-{repeat}", isolation)
        here.append((await _score(wiring, model_id, version_id)).cpu_seconds)
    report.samples["alone, processor seconds"] = alone
    report.samples["on the platform, processor seconds"] = here
    ratio = statistics.median(alone) / statistics.median(here)
    rates = [REAL_ITEMS / statistics.median(one) for one in (alone, here)]
    report.figure(
        f"scikit-learn model, items per processor second, median of {REPEATS}, turn by turn",
        value=f"{rates[1]:,.0f} of {rates[0]:,.0f} alone ({ratio:.1%})",
        wanted=">= 90 % of its own batched throughput",
        holds=ratio >= 0.9,
    )


async def _register(wiring: Wiring, folder: Path, name: str, isolation: ModelIsolation) -> UUID:
    """Store a folder as a model of the task, kept apart as a submission is."""
    digest = await asyncio.to_thread(wiring.get(TargetAccess).blobs.put_folder, folder)
    task = await wiring.get(TaskService).get("scoring")
    async with wiring.db.transaction() as session:
        model = await wiring.get(ModelService).register_handler(
            session, Submission(name=name, digest=digest), task=task
        )
        await session.execute(
            update(models).where(models.c.id == model.id).values(isolation=isolation)
        )
    return model.id


async def _score(wiring: Wiring, model_id: UUID, version_id: UUID) -> Scored:
    async with wiring.db.transaction() as session:
        await wiring.get(EvaluationService).enqueue_one(
            session, model_id, version_id, created_by=None
        )
    before, started = _own_seconds(), time.perf_counter()
    done = await wiring.get(EvaluationRunner).run(
        model_id=model_id, version_id=version_id, steps=Quiet()
    )
    seconds, spent = time.perf_counter() - started, _own_seconds() - before
    async with wiring.db.read() as session:
        query = select(
            func.sum(evaluation_shards.c["items"]), func.sum(evaluation_shards.c.cpu_seconds)
        ).where(evaluation_shards.c.evaluation_id == done.id)
        items, answering = (await session.execute(query)).one()
    return Scored(int(items), seconds, spent + float(answering or 0.0))


def _own_seconds() -> float:
    """Return the processor seconds of this process and of the database's processes."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    total = own.ru_utime + own.ru_stime
    for process in psutil.Process().children(recursive=True):
        try:
            if "postgres" in process.name():
                times = process.cpu_times()
                total += times.user + times.system
        except psutil.NoSuchProcess:
            continue
    return total


def _alone(folder: Path, items: Path) -> float:
    found = subprocess.run(  # noqa: S603 - our own interpreter and script
        [sys.executable, "-c", _ALONE, str(folder), str(items)],
        env={**os.environ, **_PINNED},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(found.stdout)


def _train(folder: Path) -> None:
    folder.mkdir()
    (folder / "model.py").write_text(_REAL)
    texts = [" ".join(_values(number).values()) for number in range(600)]
    answers = [LABELS[number % len(LABELS)] for number in range(600)]
    features = make_union(
        TfidfVectorizer(ngram_range=(1, 2)), TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5))
    )
    model = make_pipeline(features, LogisticRegression(max_iter=50))
    model.fit(texts, np.array(answers))
    joblib.dump(model, folder / "model.joblib")


def _values(number: int) -> dict[str, str]:
    """Return an item's fields: a premise of some fifty words and a hypothesis of ten, as ANLI's."""
    premise = _words(number * 7, step=1 + number % 5, size=40 + number % 25)
    return {"premise": premise, "hypothesis": _words(number, step=3, size=8 + number % 5)}


def _words(start: int, *, step: int, size: int) -> str:
    return " ".join(_WORDS[(start + place * step) % len(_WORDS)] for place in range(size))


def _seed(url: str, task_id: UUID, name: str, count: int) -> UUID:
    """Write a version of a test split straight into the tables."""
    sizes = {"train": 0, "dev": 0, "test": count}
    with psycopg.connect(libpq_url(url)) as connection:
        version_id = add_version(connection, task_id, name=name, sizes=sizes)
        with connection.cursor().copy(
            "COPY dataset_items (version_id, uid, split, position, context, inputs, gold, tags,"
            " annotator, is_verified, context_digest) FROM STDIN"
        ) as copy:
            for number in range(count):
                values = _values(number)
                digest = hashlib.sha256(str(number).encode()).digest()
                copy.write_row(
                    (
                        version_id,
                        digest.hex()[:16],
                        "test",
                        number,
                        json.dumps({"premise": values["premise"]}),
                        json.dumps({"hypothesis": values["hypothesis"]}),
                        json.dumps({"label": LABELS[number % len(LABELS)]}),
                        "{}",
                        "",
                        True,
                        digest,
                    )
                )
        connection.execute("ANALYZE dataset_items")
    return version_id
