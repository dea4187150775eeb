"""Fine-tuning a tiny model: its epochs survive a kill, and it answers as a submission."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest

from dynabench.engines.baselines.values import TrainingItem
from dynabench.engines.finetuning.values import (
    CLASSIFICATION,
    QUESTION_ANSWERING,
    FineTuningOrder,
)
from dynabench.engines.inference.adapters import build_target
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import Split
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.training.errors import NoTrainingDataError
from dynabench.loop.training.jobs import handlers
from dynabench.loop.training.learners.rules import item_line
from dynabench.loop.training.learners.service import Learners
from dynabench.loop.training.learners.values import (
    ITEMS_FILE,
    MODEL_FOLDER,
    STATES_FOLDER,
    LearningOrder,
)
from dynabench.loop.training.rules import summarise
from dynabench.loop.training.schemas import TrainingRequest, TrainingSource
from dynabench.loop.training.values import LabelledItem, RecipeName
from dynabench.science.task_config.loader import load_task_config
from tests.extras.tiny import WORDS, make_checkpoint, said
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

pytestmark = [pytest.mark.extras, pytest.mark.usefixtures("transformers_library")]

SENTIMENT = """
title: Sentiment
input:
  - {name: statement, type: string}
  - {name: label, type: multiclass, labels: [negative, neutral, positive]}
output: [{name: label}, {name: prob, type: prob, reference_name: label}]
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""
READING = """
title: Reading
context: [{name: passage, type: string}]
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output: [{name: answer}]
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
"""
EPOCHS = 3


class WorkerLostError(Exception):
    """The worker is gone: whoever followed the process does not any more."""


def order_for(pipeline: str, checkpoint: Path, *, epochs: int = EPOCHS) -> LearningOrder:
    config = load_task_config(SENTIMENT if pipeline == CLASSIFICATION else READING)
    is_labelled = pipeline == CLASSIFICATION
    return LearningOrder(
        recipe=RecipeName.TRANSFORMERS,
        config=summarise(config),
        seed=5,
        checkpoint=str(checkpoint),
        fine_tuning=FineTuningOrder(
            pipeline=pipeline,
            inputs=("statement",) if is_labelled else ("question", "passage"),
            answer="label" if is_labelled else "answer",
            labels=("negative", "neutral", "positive") if is_labelled else (),
            epochs=epochs,
            batch_size=8,
            learning_rate=5e-3,
            max_length=32,
            seed=5,
        ),
    )


def write_items(folder: Path, items: Sequence[TrainingItem]) -> None:
    folder.mkdir()
    lines = [
        item_line(
            LabelledItem(context={**one.context}, inputs={**one.inputs}, answer={**one.answer})
        )
        for one in items
    ]
    (folder / ITEMS_FILE).write_text("".join(lines), encoding="utf-8")


async def learn(folder: Path, order: LearningOrder, *, lost_after: int | None = None) -> list[str]:
    told: list[str] = []

    async def tell(done: float, total: float, doing: str) -> None:
        del done, total
        told.append(doing)
        if lost_after is not None and doing.startswith(f"finished epoch {lost_after} "):
            raise WorkerLostError

    await Learners(blobs=FolderBlobStore(folder / "blobs")).learn(folder, order, progress=tell)
    return [doing for doing in told if doing.startswith(("finished", "going on"))]


async def test_a_killed_training_goes_on_after_its_last_epoch_and_ends_the_same(
    tmp_path: Path,
) -> None:
    checkpoint = make_checkpoint(tmp_path / "tiny", words=WORDS)
    order = order_for(CLASSIFICATION, checkpoint)
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for folder in (whole, cut):
        write_items(folder, [said(number) for number in range(48)])
    blobs = Learners(blobs=FolderBlobStore(tmp_path / "blobs"))
    assert len(await learn(whole, order)) == EPOCHS

    with pytest.raises(WorkerLostError):
        await learn(cut, order, lost_after=2)
    assert [one.name for one in (cut / STATES_FOLDER).glob("epoch-*")] == ["epoch-0001"]
    rest = await learn(cut, order)

    assert [doing.partition(",")[0] for doing in rest] == [
        "going on after epoch 2 of 3",
        "finished epoch 3 of 3",
    ]
    assert await blobs.keep(cut) == await blobs.keep(whole)
    names = {one.name for one in (cut / MODEL_FOLDER).iterdir()}
    assert "model.safetensors" in names
    assert not {name for name in names if name.endswith((".bin", ".pt", ".pkl"))}


async def test_a_reader_learns_where_answers_stand_even_in_long_passages(tmp_path: Path) -> None:
    checkpoint = make_checkpoint(tmp_path / "tiny", words=WORDS)
    items = []
    for number in range(24):
        word = ("food", "room", "walk")[number % 3]
        passage = " ".join(["the song was bad"] * 10 + [f"the {word} was good", "number"])
        start = passage.index(word)
        items.append(
            TrainingItem(
                context={"passage": passage},
                inputs={"question": f"number {number} was good"},
                answer={"answer": {"text": word, "start": start, "end": start + len(word)}},
            )
        )
    write_items(tmp_path / "work", items)
    told = await learn(tmp_path / "work", order_for(QUESTION_ANSWERING, checkpoint, epochs=8))
    losses = [float(doing.rpartition(" ")[2]) for doing in told]
    assert losses[-1] < losses[0] / 2


@pytest.mark.parametrize("broken", ["config.json", "tokenizer.json", "model.safetensors"])
async def test_a_checkpoint_that_is_no_model_ends_with_a_sentence(
    broken: str, tmp_path: Path
) -> None:
    checkpoint = make_checkpoint(tmp_path / "tiny", words=WORDS)
    (checkpoint / broken).write_text('{"model_type": "nonsense"}', encoding="utf-8")
    write_items(tmp_path / "work", [said(number) for number in range(8)])
    with pytest.raises(NoTrainingDataError, match=r"checkpoint's (tokenizer|model) cannot"):
        await learn(tmp_path / "work", order_for(CLASSIFICATION, checkpoint))


async def test_a_fine_tuned_model_is_a_submission_that_answers(
    database: Database, clock: Clock, tmp_path: Path
) -> None:
    make_checkpoint(tmp_path / "checkpoints" / "tiny", words=WORDS)
    task = await make_task(database, config=SENTIMENT)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    items = []
    for number in range(64):
        one = said(number)
        made = make_item(number, split=Split.TRAIN, label=str(one.answer["label"]))
        items.append(replace(made, context={}, inputs={**one.inputs}))
    version = await make_dataset(database, task, items, clock=clock)
    later = LaterChapters.over(
        database,
        clock,
        factory=build_target,
        blobs=tmp_path / "blobs",
        checkpoints=tmp_path / "checkpoints",
    )
    body = TrainingRequest(
        name="tuned",
        recipe="transformers",
        options={"checkpoint": "tiny", "epochs": 6, "learning_rate": 0.01, "max_length": 32},
        sources=[TrainingSource(dataset_version_id=version.id, weight=2)],
    )
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    await JobRunner(database, handlers(training=later.training), executor_id="one").run(job.id)
    async with database.read() as session:
        done = await later.earlier.queue.get(session, job.id)
        log = await later.earlier.queue.log(session, job.id)
    assert done.error is None
    assert done.result is not None
    model_id = UUID(str(done.result["model_id"]))
    model = await later.earlier.models.get(model_id)
    assert (model.kind.value, model.status.value) == ("huggingface", "ready")
    checkpoint = model.source["checkpoint"]
    assert isinstance(checkpoint, dict)
    assert (checkpoint["name"], len(checkpoint["digest"])) == ("tiny", 64)
    assert checkpoint["digest"] in str((model.card or {})["training_data"])
    assert any(line.startswith("Finished epoch 6 of 6") for line in log)
    right = 0
    for number in range(100, 110):
        one = said(number)
        answer = await later.earlier.models.predict(model_id, {**one.inputs})
        right += answer.outputs.get("label") == one.answer["label"]
    assert right >= 9
    assert [*(tmp_path / "blobs" / "trainings").iterdir()] == []
