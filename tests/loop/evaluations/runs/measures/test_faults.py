"""Whose speed is not told: a model that does not do for it what it did for its scores."""

from pathlib import Path

import pytest

from dynabench.engines.inference.adapters import build_target
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.db.database import Database
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.models.values import Submission
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.tasks import make_task
from tests.loop.evaluations.runs.test_sources import of_version, score_all

HONEST = """
def predict(batch):
    return [{"label": "neutral"} for item in batch]
"""
# One item at a time is how speed is measured.
LAZY = """
def predict(batch):
    return [{"label": "neutral" if len(batch) > 1 else "entailment"} for item in batch]
"""
SILENT = """
def predict(batch):
    return [{"label": "neutral"} if len(batch) > 1 else {} for item in batch]
"""
DYING = """
import os

def predict(batch):
    if len(batch) == 1:
        os._exit(3)
    return [{"label": "neutral"} for item in batch]
"""


async def scored(db: Database, clock: HeldClock, folder: Path, code: str) -> EvaluationRead:
    (folder / "model").mkdir()
    (folder / "model" / "model.py").write_text(code)
    later = LaterChapters.over(db, clock, factory=build_target, blobs=folder / "blobs")
    digest = FolderBlobStore(folder / "blobs").put_folder(folder / "model")
    task = await make_task(db)
    items = [make_item(number) for number in range(30)]
    version = await make_dataset(db, task, items, clock=clock)
    async with db.transaction() as session:
        model = await later.earlier.models.register_handler(
            session, Submission(name="mine", digest=digest), task=task
        )
        await later.evaluations.enqueue_one(session, model.id, version.id, created_by=None)
    await score_all(db, later)
    return await of_version(later, model, version)


async def test_an_honest_model_has_a_speed(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    measured = (await scored(database, clock, tmp_path, HONEST)).measurement
    assert measured is not None
    assert measured.examples_per_second is not None
    assert measured.reason is None


@pytest.mark.parametrize("code", [LAZY, SILENT], ids=["lazy", "silent"])
async def test_answers_that_are_otherwise_when_timed_give_no_speed(
    database: Database, clock: HeldClock, tmp_path: Path, code: str
) -> None:
    read = await scored(database, clock, tmp_path, code)
    measured = read.measurement
    assert read.state == "done"
    assert measured is not None
    assert (measured.examples_per_second, measured.examples_per_second_high) == (None, None)
    assert measured.reason_told is not None
    assert measured.reason_told.code == "evaluations.timed_otherwise"
    assert measured.reason_told.values["differing"] == measured.reason_told.values["timed"]


async def test_a_process_that_ends_when_timed_says_so(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    measured = (await scored(database, clock, tmp_path, DYING)).measurement
    assert measured is not None
    assert measured.examples_per_second is None
    assert measured.reason_told is not None
    assert measured.reason_told.code == "evaluations.timing_failed"
