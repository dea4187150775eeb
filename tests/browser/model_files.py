"""Models to hand in, and a task with datasets to score them on; jobs run as a worker would."""

import io
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

from sqlalchemy import update

from dynabench.app.wiring import Wiring, job_handlers, wire
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.kit.clock import SystemClock
from dynabench.kit.settings import Settings
from dynabench.loop.contexts.rules import content_digest
from dynabench.loop.datasets.tables import datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetItem, Split
from dynabench.loop.tasks.service import TaskService
from tests.browser.installation import Installation, MadeTask
from tests.factories.datasets import make_dataset, make_item

_GOOD = '''\
"""Counts friendly words."""

FRIENDLY = {friendly}


def load(path):
    """Nothing is learned."""


def predict(batch):
    """Answer each input."""
    answers = []
    for item in batch:
        is_friendly = any(word in item["statement"] for word in FRIENDLY)
        label = "positive" if is_friendly else "negative"
        share = 0.8 if is_friendly else 0.3
        answers.append({{"label": label, "prob": {{"positive": share, "negative": 1 - share}}}})
    return answers
'''
_BAD = '''\
"""Answers with a label that the task does not know."""


def load(path):
    """Nothing is learned."""


def predict(batch):
    """Answer each input."""
    print("read", len(batch), "inputs")
    return [{"label": "maybe"} for _ in batch]
'''
# Other tests look at jobs that nobody does.
_OF_MODELS = ("models.", "evaluations.", "leaderboards.")
_STATEMENTS = (
    ("The soup was {}.", "food"),
    ("A {} film, all in all.", "film"),
    ("What a {} journey!", "travel"),
)
_WORDS = (
    ("good", "positive"),
    ("lovely", "positive"),
    ("bright", "positive"),
    ("bad", "negative"),
    ("awful", "negative"),
    ("not good", "negative"),
)


def handler_zip(folder: Path, *, friendly: Sequence[str] = ("good", "lovely", "bright")) -> Path:
    """Write a handler that counts friendly words, as a builder packs one."""
    return _packed(folder / "words.zip", _GOOD.format(friendly=tuple(friendly)))


def broken_zip(folder: Path) -> Path:
    """Write a handler that answers with a label of its own."""
    return _packed(folder / "broken.zip", _BAD)


def _packed(path: Path, source: str) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("model.py", source)
    path.write_bytes(data.getvalue())
    return path


def add_datasets(product: Installation, task: MadeTask) -> None:
    """Give a task a set that counts on the board and one that is open, eighteen items each."""
    product.run(_add_datasets(product.settings, task.slug))


async def _add_datasets(settings: Settings, slug: str) -> None:
    wiring = wire(settings)
    try:
        task = await wiring.get(TaskService).get(slug)
        for name, access in (("Counted", DatasetAccess.SCORING), ("Open", DatasetAccess.STANDARD)):
            version = await make_dataset(wiring.db, task, _items(), name=name, clock=SystemClock())
            async with wiring.db.transaction() as session:
                await session.execute(
                    update(datasets)
                    .where(datasets.c.id == version.dataset_id)
                    .values(access=access)
                )
    finally:
        await wiring.close()


def _items() -> list[DatasetItem]:
    found: list[DatasetItem] = []
    for sentence, tag in _STATEMENTS:
        for word, label in _WORDS:
            number = len(found)
            context: dict[str, object] = {"prompt": f"Prompt {number}"}
            found.append(
                replace(
                    make_item(number, split=Split.TEST),
                    context=context,
                    context_digest=content_digest(context),
                    inputs={"statement": sentence.format(word)},
                    gold={"label": label},
                    tags=(tag,),
                )
            )
    return found


def run_jobs(product: Installation, *, of: tuple[str, ...] = _OF_MODELS) -> None:
    """Do every job of some names that waits, and those that they leave, until none is left."""
    product.run(_run_jobs(product.settings, of))


async def _run_jobs(settings: Settings, of: tuple[str, ...]) -> None:
    wiring = wire(settings)
    try:
        runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="browser")
        while waiting := await _waiting(wiring, of):
            for job_id in waiting:
                await runner.run(job_id)
    finally:
        await wiring.close()


async def _waiting(wiring: Wiring, of: tuple[str, ...]) -> list[UUID]:
    async with wiring.db.read() as session:
        jobs = await wiring.queue.list_jobs(session, states=(JobState.QUEUED,))
    return [job.id for job in reversed(jobs) if job.name.startswith(of)]
