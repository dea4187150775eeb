"""Files of predictions, changed texts, and models elsewhere that change."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import orjson
import pytest
from sqlalchemy import insert

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    TargetModel,
    TargetSpec,
)
from dynabench.engines.jobs.values import JobState
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.repository import DatasetRepository
from dynabench.loop.datasets.values import (
    DatasetAccess,
    DatasetItem,
    DatasetOrigin,
    DatasetVersion,
    Split,
)
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.tables import prediction_files
from dynabench.loop.evaluations.values import EVALUATE_MODEL, DeltaKind, EvaluationState
from dynabench.loop.models.values import MODEL_SUBMITTED, Model, ModelKind
from dynabench.loop.tasks.values import Task
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.models import make_model
from tests.factories.tasks import make_task
from tests.loop.evaluations.test_service import jobs_of, run

ADMIN = Actor(user_id=None, is_admin=True)


async def score_all(db: Database, later: LaterChapters) -> None:
    """Do every evaluation that waits."""
    for job in reversed(await jobs_of(db, later, EVALUATE_MODEL)):
        if job.state is JobState.QUEUED:
            await run(db, later, job.id)


async def of_version(later: LaterChapters, model: Model, version: DatasetVersion) -> EvaluationRead:
    found = await later.views.of_model(model.id, actor=ADMIN)
    return next(one for one in found if one.dataset_version_id == version.id)


async def test_a_model_of_predictions_waits_for_its_file_and_is_scored_by_it(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    items = [
        *(make_item(number, label=("neutral", "entailment")[number % 2]) for number in range(4)),
        make_item(9, split=Split.DEV),
    ]
    version = await make_dataset(database, task, items, name="News", clock=clock)
    model = await make_model(database, task, kind=ModelKind.PREDICTIONS)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    await later.evaluations.enqueue_version(version.id)
    read = await of_version(later, model, version)
    assert (read.state, read.job_id) == (EvaluationState.INCOMPLETE, None)
    assert read.reason == "It needs its file for News v1."

    lines = [{"uid": item.uid, "label": "neutral"} for item in items[:4]]
    lines[0]["prob"] = {"neutral": 0.5, "entailment": 0.5}  # type: ignore[assignment]
    file = b"\xef\xbb\xbf" + b"\r\n".join(orjson.dumps(line) for line in reversed(lines))
    digest = FolderBlobStore(tmp_path).put(file)
    async with database.transaction() as session:
        await session.execute(
            insert(prediction_files).values(
                model_id=model.id, dataset_version_id=version.id, digest=digest, items=4
            )
        )
        await later.evaluations.enqueue_one(session, model.id, version.id, created_by=None)
    await score_all(database, later)

    read = await of_version(later, model, version)
    assert (read.state, read.failed_items, read.measurement) == (EvaluationState.DONE, 0, None)
    # Nothing is said of dev, which the file leaves out.
    assert [(score.split, score.items) for score in read.scores] == [("test", 4)]


async def test_a_model_of_predictions_needs_no_file_where_nothing_is_tested(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    items = [make_item(number, split=Split.TRAIN) for number in range(4)]
    version = await make_dataset(
        database, task, [*items, make_item(9, split=Split.DEV)], clock=clock
    )
    model = await make_model(database, task, kind=ModelKind.PREDICTIONS)
    later = LaterChapters.over(database, clock, blobs=tmp_path)
    await later.evaluations.enqueue_version(version.id)
    assert await later.views.of_model(model.id, actor=ADMIN) == []


def varied(item: DatasetItem, transform: str, text: str) -> DatasetItem:
    return replace(
        item,
        uid=f"{item.uid}-{transform}",
        inputs={"hypothesis": text},
        original_uid=item.uid,
        transform=transform,
    )


async def make_perturbed(
    db: Database, task: Task, original: DatasetVersion, items: list[DatasetItem], clock: HeldClock
) -> DatasetVersion:
    items = [replace(item, position=place) for place, item in enumerate(items)]
    sizes = {split: sum(item.split is split for item in items) for split in Split}
    version = DatasetVersion(
        id=new_id(),
        dataset_id=new_id(),
        task_id=task.id,
        round_id=None,
        name=f"{original.name}, varied",
        version=1,
        digest="varied",
        licence=original.licence,
        card={"splits": {split.value: {"items": size} for split, size in sizes.items()}},
        sizes=sizes,
        created_at=clock.now(),
        access=DatasetAccess.HIDDEN,
        origin=DatasetOrigin.PERTURBATION,
        perturbs_id=original.id,
        perturbation={"kind": "robustness", "made_by": "platform", "seed": 1},
    )
    async with db.transaction() as session:
        await DatasetRepository(session).add_version(version, items)
    return version


def by_text(rule: Mapping[str, str]) -> TargetFactory:
    def build(spec: TargetSpec) -> TargetModel:
        def answer(item: ModelInput) -> Mapping[str, object]:
            return {"label": rule.get(str(item["hypothesis"]), "neutral")}

        return FakeTargetModel(answer, name=spec.name, output_names=("label",))

    return build


@pytest.mark.parametrize("is_original_first", [True, False])
async def test_whichever_set_is_scored_last_writes_how_robust_the_model_is(
    database: Database, clock: HeldClock, *, is_original_first: bool
) -> None:
    task = await make_task(database)
    items = [make_item(number, label="neutral") for number in range(4)]
    original = await make_dataset(database, task, items, clock=clock)
    perturbed = await make_perturbed(
        database,
        task,
        original,
        [
            *(varied(item, "case", f"LOUD {item.position}") for item in items),
            *(varied(item, "typos", f"tpyo {item.position}") for item in items[:2]),
        ],
        clock,
    )
    # It keeps its own answer but on one loud text; whether that was right does not matter.
    rule = {"Hypothesis 3.": "entailment", "LOUD 3": "entailment", "LOUD 0": "contradiction"}
    later = LaterChapters.over(database, clock, factory=by_text(rule))
    model = await make_model(database, task)
    versions = [original, perturbed] if is_original_first else [perturbed, original]
    for version in versions:
        async with database.transaction() as session:
            await later.evaluations.enqueue_one(session, model.id, version.id, created_by=None)
        await score_all(database, later)

    found = (await of_version(later, model, original)).deltas
    assert [(one.transform, one.value, one.items) for one in found] == [
        (None, 87.5, 4),
        ("case", 75.0, 4),
        ("typos", 100.0, 2),
    ]
    assert {(one.kind, one.split, one.perturbed_version_id) for one in found} == {
        (DeltaKind.ROBUSTNESS, Split.TEST, perturbed.id)
    }
    varied_read = await of_version(later, model, perturbed)
    assert (varied_read.perturbs_id, varied_read.measurement) == (original.id, None)
    assert await later.evaluations.scores(task.slug, actor=ADMIN) != []
    assert {
        one.dataset_version_id for one in await later.evaluations.scores(task.slug, actor=ADMIN)
    } == {original.id}


async def test_a_model_elsewhere_that_answers_otherwise_is_its_next_version(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    first = await make_dataset(database, task, [make_item(n) for n in range(25)], clock=clock)
    model = await make_model(database, task, name="mine")
    before = LaterChapters.over(database, clock, factory=by_text({}))
    await before.evaluations.enqueue_version(first.id)
    await score_all(database, before)
    read = await of_version(before, model, first)
    assert read.measurement is not None
    assert read.measurement.is_measured_at_client
    assert read.measurement.memory_peak_gib is None
    assert read.measurement.examples_per_second is not None

    second = await make_dataset(database, task, [make_item(n) for n in range(5)], clock=clock)
    after = LaterChapters.over(database, clock, factory=by_text({"Hypothesis 3.": "entailment"}))
    await after.evaluations.enqueue_version(second.id)
    await score_all(database, after)

    failed = await of_version(after, model, second)
    assert failed.state is EvaluationState.FAILED
    assert failed.reason is not None
    assert "It is version 2 now" in failed.reason
    (submitted, *_) = await jobs_of(database, after, MODEL_SUBMITTED)
    renewed = await after.earlier.models.get(UUID(str(submitted.payload["model_id"])))
    assert (renewed.name, renewed.version) == ("mine", 2)
    await run(database, after, submitted.id)
    await score_all(database, after)
    for version in (first, second):
        assert (await of_version(after, renewed, version)).state is EvaluationState.DONE

    # One that answers otherwise again the same day makes no third version.
    third = await make_dataset(database, task, [make_item(n) for n in range(5)], clock=clock)
    unsteady = LaterChapters.over(database, clock, factory=by_text({"Hypothesis 4.": "entailment"}))
    await unsteady.evaluations.enqueue_version(third.id)
    await score_all(database, unsteady)
    told = await of_version(unsteady, renewed, third)
    assert told.state is EvaluationState.FAILED
    assert "otherwise each time" in (told.reason or "")
    names = [one.version for one in await after.earlier.models.list(task.slug, actor=ADMIN)]
    assert sorted(names) == [1, 2]
