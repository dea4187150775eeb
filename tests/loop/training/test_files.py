"""Training on releases with pictures: what learns is given the files themselves."""

from dataclasses import replace
from pathlib import Path
from uuid import UUID

from dynabench.catalog.generators.files import file_value
from dynabench.catalog.generators.scenes import COLOURS, KINDS, Scene, Shape, draw
from dynabench.engines.baselines.loading import load
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.training.jobs import handlers
from dynabench.loop.training.rules import fitting_recipes, summarise
from dynabench.loop.training.schemas import TrainingRequest
from dynabench.science.task_config.loader import load_task_config
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.media import make_media_service
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

PICTURES = """
title: Colours
context: [{name: scene, type: image}]
input: [{name: question, type: string}, {name: colour, type: string}]
output: [{name: colour}]
model_wrong_metric: {type: string_f1, reference_name: colour, threshold: 1}
perf_metric: {type: vqa_accuracy, reference_name: colour}
"""
SOUNDS = """
title: Words
context: [{name: sample, type: audio}]
input: [{name: own, type: audio}, {name: said, type: string}]
output: [{name: said}]
model_wrong_metric: {type: string_f1, reference_name: said, threshold: 1}
perf_metric: {type: wer, reference_name: said}
"""
QUESTION: dict[str, object] = {"question": "What colour is it?"}


def drawn(number: int) -> bytes:
    colour = list(COLOURS)[number % 2]
    shape = Shape(KINDS[number // 2 % len(KINDS)], colour, 160, 120, 40)
    return draw(Scene((shape,), "white", number))


async def items_with_stored_pictures(
    database: Database, folder: Path, *, count: int
) -> list[DatasetItem]:
    media = make_media_service(database, blobs=folder)
    items = []
    for number in range(count):
        file = folder / "drawn.png"
        file.write_bytes(drawn(number))
        kept = await media.keep(file)
        items.append(
            replace(
                make_item(number, split=Split.TRAIN),
                context={"scene": {"media": kept.digest, "alt": ""}},
                inputs=QUESTION,
                gold={"colour": list(COLOURS)[number % 2]},
            )
        )
    return items


async def test_a_release_with_pictures_teaches_what_is_in_them(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database, config=PICTURES)
    items = await items_with_stored_pictures(database, tmp_path, count=16)
    version = await make_dataset(database, task, items, clock=clock)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    body = TrainingRequest(name="eye", dataset_version_ids=[version.id])
    job = await later.training.train(task.slug, body, actor=owner, key=None)
    await JobRunner(database, handlers(training=later.training), executor_id="one").run(job.id)
    async with database.read() as session:
        done = await later.earlier.queue.get(session, job.id)
    assert done.error is None
    assert done.result is not None
    model = await later.earlier.models.get(UUID(str(done.result["model_id"])))
    assert model.source["recipe"] == "picture-answerer"
    trained = load(FolderBlobStore(tmp_path).folder(parse_digest(model.digest)))
    answers = [
        trained.predict([{"scene": file_value(drawn(number), "image/png"), **QUESTION}])[0]
        for number in (16, 17)
    ]
    assert [answer["colour"] for answer in answers] == ["red", "orange"]


def test_what_a_person_brings_is_looked_at_before_the_context() -> None:
    config = load_task_config(SOUNDS)
    assert [one.name.value for one in fitting_recipes(config)] == ["sound-transcriber"]
    assert summarise(config).media_names == ("own", "sample")


def test_a_picture_without_a_question_has_no_learner() -> None:
    config = load_task_config(PICTURES.replace("{name: question, type: string}, ", ""))
    assert fitting_recipes(config) == ()
