"""What a signed report states, and to whom."""

import json
from pathlib import Path

import pytest
from sqlalchemy import update

from dynabench.engines.signing.documents import verify
from dynabench.engines.signing.key import SigningKey
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.tables import dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.signed_reports.service import SignedReportService
from dynabench.loop.evaluations.values import Findings, Measurement, MetricScore
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.values import Task, TaskRole
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset, make_item
from tests.factories.evaluations import LaterChapters
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task


async def scored(
    db: Database, clock: HeldClock, task: Task, *, measurement: Measurement | None = None
) -> tuple[Model, DatasetVersion]:
    """Return a model and the version that it has an accuracy of 0.75 on."""
    version = await make_dataset(
        db, task, [make_item(n, split=Split.TEST) for n in range(4)], clock=clock
    )
    model = await make_model(db, task, name="mine")
    async with db.transaction() as session:
        repository = EvaluationRepository(session)
        held = await repository.hold(new_id(), model_id=model.id, version_id=version.id)
        score = MetricScore(
            split=Split.TEST,
            metric="accuracy",
            is_principal=True,
            value=0.75,
            low=0.3,
            high=0.95,
            items=4,
        )
        found = Findings(
            scores=[score], tags=[], measurement=measurement, failed_items=0, seconds=1.0
        )
        await RunRepository(session).finish(held.id, found, now=clock.now())
    return model, version


def service_over(db: Database, clock: HeldClock, folder: Path) -> SignedReportService:
    later = LaterChapters.over(db, clock)
    earlier = later.earlier
    return SignedReportService(
        db=db,
        clock=clock,
        tasks=earlier.tasks,
        models=earlier.models,
        datasets=earlier.datasets,
        key=SigningKey(folder / "key.pem"),
    )


async def test_a_report_names_digests_and_scores_and_is_genuine(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    model, version = await scored(database, clock, task)
    reports = service_over(database, clock, tmp_path)

    report = await reports.make(model.id, actor=VISITOR)

    key = (await reports.key()).public_key
    # Read as anybody would: back from the file's text.
    content = json.loads(json.dumps(verify(report.model_dump(), public_key=key).content))
    assert content["model"]["digest"] == model.digest
    (dataset,) = content["datasets"]
    assert dataset["digest"] == version.digest
    (score,) = dataset["scores"]
    assert (score["value"], score["low"], score["high"]) == (75.0, 30.0, 95.0)
    assert len(content["code"]["source_digest"]) == 64


async def test_a_model_without_a_throughput_has_the_reason_in_its_report(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    measured = Measurement(
        throughput=None,
        throughput_low=None,
        throughput_high=None,
        throughput_reason="It answered otherwise when it was timed.",
        batched_throughput=None,
        is_measured_at_client=False,
        memory_mean_bytes=None,
        memory_peak_bytes=None,
        cpu_seconds=None,
        machine={},
        reference_seconds=None,
        measured_at=clock.now(),
    )
    model, _ = await scored(database, clock, await make_task(database), measurement=measured)

    report = await service_over(database, clock, tmp_path).make(model.id, actor=VISITOR)

    (dataset,) = json.loads(json.dumps(report.content["datasets"]))
    assert dataset["measurement"]["throughput"] is None
    assert dataset["measurement"]["throughput_reason"] == measured.throughput_reason


@pytest.mark.parametrize(("role", "seen"), [(TaskRole.OWNER, 1), (TaskRole.EXPERT, 0)])
async def test_hidden_datasets_stand_in_reports_for_owners_alone(
    database: Database, clock: HeldClock, tmp_path: Path, role: TaskRole, seen: int
) -> None:
    task = await make_task(database)
    model, version = await scored(database, clock, task)
    async with database.transaction() as session:
        await session.execute(
            update(datasets)
            .where(datasets.c.id == version.dataset_id)
            .values(access=DatasetAccess.HIDDEN)
        )
    member: Actor = await make_user(database)
    await add_member(database, task, member, role)

    report = await service_over(database, clock, tmp_path).make(model.id, actor=member)

    found = report.content["datasets"]
    assert isinstance(found, list)
    assert len(found) == seen


@pytest.mark.parametrize(("role", "is_told"), [(TaskRole.OWNER, True), (TaskRole.EXPERT, False)])
async def test_scores_on_changed_texts_stand_in_reports_for_owners_alone(
    database: Database, clock: HeldClock, tmp_path: Path, role: TaskRole, *, is_told: bool
) -> None:
    task = await make_task(database)
    model, version = await scored(database, clock, task)
    # A version that varies itself stands for one that varies another.
    varied = {"perturbs_id": version.id}
    async with database.transaction() as session:
        await session.execute(
            update(dataset_versions).where(dataset_versions.c.id == version.id).values(varied)
        )
        await session.execute(update(datasets).values(origin="perturbation"))
    member: Actor = await make_user(database)
    await add_member(database, task, member, role)

    report = await service_over(database, clock, tmp_path).make(model.id, actor=member)

    (dataset,) = json.loads(json.dumps(report.content["datasets"]))
    assert dataset["scores"] != []
    for score in dataset["scores"]:
        assert (score["value"] is not None) is is_told
