"""Perturbed sets against a real database: made, looked at, brought, dropped."""

from pathlib import Path
from uuid import UUID

import pytest

from dynabench.engines.jobs.schemas import JobRead
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.errors import (
    DatasetNotFoundError,
    NothingToPerturbError,
    NotPerturbableError,
    PerturbationInUseError,
    UnknownTransformError,
)
from dynabench.loop.datasets.perturbing.rules import recipe_of, vary
from dynabench.loop.datasets.perturbing.runs import service as runs
from dynabench.loop.datasets.perturbing.schemas import PerturbationCreate, PerturbationResultRead
from dynabench.loop.datasets.perturbing.values import PERTURB_DATASET, PerturbationOrder
from dynabench.loop.datasets.rules import newest_versions
from dynabench.loop.datasets.schemas import DatasetPatch
from dynabench.loop.datasets.uploads.rules import ItemReader
from dynabench.loop.datasets.uploads.values import Columns, ImportState
from dynabench.loop.datasets.values import DatasetAccess, DatasetItem, DatasetOrigin, Split
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.science.perturbations.registry import VERSION
from dynabench.science.perturbations.values import TransformKind
from dynabench.science.task_config.loader import load_task_config
from tests.conftest import HeldClock
from tests.factories.dataset_files import Uploads, as_lines, ignore
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.tasks import NLI_CONFIG, add_member, make_task

CONFIG = (
    NLI_CONFIG
    + """\
delta_metrics:
  - {type: robustness, perturb_fields: [hypothesis], transforms: [upper_case, contractions]}
  - {type: fairness}
"""
)
QA = load_task_config("""\
context: [{name: passage, type: string}]
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output: [{name: answer}]
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
delta_metrics: [{type: robustness}]
""")
WRITTEN = load_task_config("""\
context: [{name: passage, type: string}]
input: [{name: question, type: string}, {name: answer, type: string}]
output: [{name: answer}]
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
delta_metrics: [{type: robustness}]
""")
ROWS: list[dict[str, object]] = [
    {
        "uid": f"item-{number}",
        "premise": f"She said that it is not raining on day {number}.",
        "hypothesis": f"It is not dry on day {number}.",
        "label": "neutral",
        "split": split,
        "tags": ["weather"],
    }
    for number, split in enumerate(["test", "test", "dev", "train"])
]


@pytest.fixture
def uploads(database: Database, clock: HeldClock, tmp_path: Path) -> Uploads:
    return Uploads.over(database, clock, folder=tmp_path)


async def owned(db: Database) -> tuple[Task, Actor]:
    task, owner = await make_task(db, config=CONFIG), await make_user(db)
    await add_member(db, task, owner, TaskRole.OWNER)
    return task, owner


async def brought(uploads: Uploads, task: Task) -> UUID:
    done = await uploads.bring(task, as_lines(ROWS))
    assert done.dataset_version_id is not None
    return done.dataset_version_id


async def waiting(uploads: Uploads) -> list[JobRead]:
    async with uploads.db.read() as session:
        found = await uploads.chapters.queue.list_jobs(session, name=PERTURB_DATASET)
    return [JobRead.model_validate(job, from_attributes=True, extra="ignore") for job in found]


async def varied(uploads: Uploads, order: PerturbationOrder) -> PerturbationResultRead:
    return await uploads.perturber.run(order, created_by=None, progress=ignore)


async def test_an_upload_is_varied_as_its_task_says(uploads: Uploads, database: Database) -> None:
    task, _ = await owned(database)
    version_id = await brought(uploads, task)
    for job in await waiting(uploads):
        assert (await uploads.run(job)).state is JobState.DONE
    versions = await uploads.chapters.datasets.of_task(task.id)
    found = {one.name: one for one in versions if one.origin is DatasetOrigin.PERTURBATION}
    assert sorted(found) == ["Mine (fairness)", "Mine (robustness)"]
    made = found["Mine (robustness)"]
    assert (made.perturbs_id, made.licence, made.access) == (
        version_id,
        "CC0",
        DatasetAccess.SCORING,
    )
    assert made.perturbation == {
        "kind": "robustness",
        "made_by": "platform",
        "seed": 0,
        "transforms_version": VERSION,
        "transforms": {
            "upper_case": {"items": 3, "changed": 3},
            "contractions": {"items": 3, "changed": 3},
        },
        "left_out": {},
    }
    assert made.sizes == {Split.TRAIN: 0, Split.DEV: 2, Split.TEST: 4}
    items = [
        item async for page in uploads.chapters.datasets.pages(made.id, Split.TEST) for item in page
    ]
    shouted = next(one for one in items if one.uid == "item-0:upper_case")
    assert shouted.inputs == {"hypothesis": "IT IS NOT DRY ON DAY 0."}
    assert shouted.context == {"premise": "She said that it is not raining on day 0."}
    assert (shouted.gold, shouted.tags) == ({"label": "neutral"}, ("weather",))
    assert (shouted.original_uid, shouted.transform) == ("item-0", "upper_case")
    assert await waiting(uploads) != []
    assert {job.state for job in await waiting(uploads)} == {JobState.DONE}


async def test_the_same_order_gives_the_same_set_and_another_seed_another(
    uploads: Uploads, database: Database
) -> None:
    task, _ = await owned(database)
    version_id = await brought(uploads, task)
    kind = TransformKind.ROBUSTNESS
    names = ("white_space",)
    order = PerturbationOrder(version_id=version_id, kind=kind, transforms=names)
    first, again = await varied(uploads, order), await varied(uploads, order)
    assert (first.state, again.state) == (ImportState.STORED, ImportState.THERE_ALREADY)
    assert again.dataset_version_id == first.dataset_version_id
    other = await varied(
        uploads, PerturbationOrder(version_id=version_id, kind=kind, transforms=names, seed=7)
    )
    assert (other.state, other.version) == (ImportState.STORED, 2)
    newest = newest_versions(await uploads.chapters.datasets.of_task(task.id))
    assert {one.id for one in newest} == {version_id, other.dataset_version_id}


async def test_many_items_are_varied_on_other_cores_to_the_same_set(
    uploads: Uploads, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, _ = await owned(database)
    version_id = await brought(uploads, task)
    order = PerturbationOrder(version_id=version_id, kind=TransformKind.ROBUSTNESS)
    in_threads = await varied(uploads, order)
    monkeypatch.setattr(runs, "_ORIGINALS_FOR_PROCESSES", 2)

    in_processes = await varied(uploads, order)

    assert (in_threads.state, in_processes.state) == (ImportState.STORED, ImportState.THERE_ALREADY)
    assert in_processes.dataset_version_id == in_threads.dataset_version_id


def test_written_answers_stay_wherever_a_text_has_them() -> None:
    reader = ItemReader(WRITTEN, Columns(split=Split.TEST), stand_in=lambda values: values)
    item = reader.read(
        {"passage": "The bridge was opened in May.", "question": "When?", "answer": "in May"}
    )
    order = PerturbationOrder(version_id=new_id(), kind=TransformKind.ROBUSTNESS)

    found = vary([item], recipe_of(WRITTEN, order))

    assert found
    assert all("in May" in str(one.context["passage"]) for one in found)


async def test_each_version_of_a_set_keeps_variants_of_its_own(
    uploads: Uploads, database: Database
) -> None:
    task, _ = await owned(database)
    first = await brought(uploads, task)
    more = await uploads.bring(
        task, as_lines([*ROWS, {**ROWS[3], "uid": "new", "label": "entailment"}])
    )
    assert more.dataset_version_id is not None
    orders = [
        PerturbationOrder(version_id=one, kind=TransformKind.ROBUSTNESS)
        for one in (first, more.dataset_version_id)
    ]
    made = [await varied(uploads, order) for order in orders]
    assert [one.version for one in made] == [1, 2]
    newest = {one.id for one in newest_versions(await uploads.chapters.datasets.of_task(task.id))}
    assert newest == {more.dataset_version_id, *(one.dataset_version_id for one in made)}


def test_an_answer_stays_where_its_words_are() -> None:
    reader = ItemReader(QA, Columns(split=Split.TEST), stand_in=lambda values: values)
    passage = "They are not here. The old bridge is closed, and it is not open to cars anymore."
    row = {"passage": passage, "question": "What is closed?", "answer": ["old bridge", "bridge"]}
    item = reader.read(row)
    recipe = recipe_of(QA, PerturbationOrder(version_id=new_id(), kind=TransformKind.ROBUSTNESS))
    variants = vary([item], recipe)
    assert len({one.transform for one in variants}) > 8
    for one in variants:
        answers = one.gold["answer"]
        assert isinstance(answers, list)
        text = str(one.context["passage"])
        assert [text[mark["start"] : mark["end"]] for mark in answers] == ["old bridge", "bridge"]
        assert QA.check_answer({"answer": answers[0]}, context={**one.context, **one.inputs})


async def test_a_set_without_a_text_to_vary_says_so(uploads: Uploads, database: Database) -> None:
    task, _ = await owned(database)
    done = await uploads.bring(task, as_lines([ROWS[3]]))
    assert done.dataset_version_id is not None
    order = PerturbationOrder(version_id=done.dataset_version_id, kind=TransformKind.FAIRNESS)
    with pytest.raises(NothingToPerturbError):
        await varied(uploads, order)
    assert len(await uploads.chapters.datasets.of_task(task.id)) == 1


async def test_an_owner_sees_variants_beside_originals_and_nobody_else_does(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await owned(database)
    version_id = await brought(uploads, task)
    body = PerturbationCreate(kind=TransformKind.ROBUSTNESS, seed=3, transforms=["upper_case"])
    service = uploads.perturbations
    job = await service.create(version_id, body, actor=owner, key=None)
    done = PerturbationResultRead.model_validate((await uploads.run(job)).result)
    assert done.dataset_version_id is not None
    made = done.dataset_version_id
    seen = await service.variants(made, transform="upper_case", after=0, limit=2, actor=owner)
    assert [(one.split, one.original_uid) for one in seen] == [
        (Split.TEST, "item-0"),
        (Split.TEST, "item-1"),
    ]
    assert [(one.field, one.variant) for one in seen[0].texts][-1] == (
        "hypothesis",
        "IT IS NOT DRY ON DAY 0.",
    )
    rest = await service.variants(made, transform="upper_case", after=2, limit=20, actor=owner)
    assert [one.original_uid for one in rest] == ["item-2"]
    with pytest.raises(DatasetNotFoundError):
        await service.variants(version_id, transform="upper_case", after=0, limit=2, actor=owner)
    stranger = await make_user(database)
    for actor, error in ((stranger, TaskRoleNeededError), (VISITOR, SignInRequiredError)):
        with pytest.raises(error):
            await service.variants(made, transform="x", after=0, limit=2, actor=actor)
        with pytest.raises(error):
            await service.create(version_id, body, actor=actor, key=None)
        with pytest.raises(error):
            await service.drop(made, actor=actor)


async def test_what_cannot_be_varied_is_refused_with_the_reason(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await owned(database)
    version_id = await brought(uploads, task)
    kind = TransformKind.ROBUSTNESS
    made = await varied(uploads, PerturbationOrder(version_id=version_id, kind=kind))
    assert made.dataset_version_id is not None
    service = uploads.perturbations
    body = PerturbationCreate(kind=kind)
    with pytest.raises(NotPerturbableError):
        await service.create(made.dataset_version_id, body, actor=owner, key=None)
    body = PerturbationCreate(kind=kind, transforms=["upper_case", "swap_names"])
    with pytest.raises(UnknownTransformError, match="swap_names"):
        await service.create(version_id, body, actor=owner, key=None)
    listed = {one.name: one for one in await service.transforms(task.slug, actor=VISITOR)}
    assert listed["upper_case"].is_used
    assert listed["keyboard_typos"].reason == "The task's config names others."


async def test_a_set_is_dropped_unless_models_were_scored_on_it(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await owned(database)
    version_id = await brought(uploads, task)
    kind = TransformKind.ROBUSTNESS
    order = PerturbationOrder(version_id=version_id, kind=kind)
    made = await varied(uploads, order)
    assert made.dataset_version_id is not None
    await uploads.perturbations.drop(made.dataset_version_id, actor=owner)
    assert [one.id for one in await uploads.chapters.datasets.of_task(task.id)] == [version_id]
    with pytest.raises(DatasetNotFoundError):
        await uploads.perturbations.drop(version_id, actor=owner)
    again = await varied(uploads, order)
    assert again.dataset_version_id is not None
    model = await make_model(database, task)
    async with database.transaction() as session:
        await EvaluationRepository(session).hold(
            new_id(), model_id=model.id, version_id=again.dataset_version_id
        )
    with pytest.raises(PerturbationInUseError):
        await uploads.perturbations.drop(again.dataset_version_id, actor=owner)


async def test_an_owner_brings_variants_of_their_own(uploads: Uploads, database: Database) -> None:
    task, owner = await owned(database)
    version_id = await brought(uploads, task)
    rows: list[dict[str, object]] = [
        {"original_uid": "item-0", "hypothesis": "Dry it is not.", "transform": "inversion"},
        {"original_uid": "item-0", "hypothesis": "It ain't dry.", "transform": "inversion"},
        {"original_uid": "item-2", "context": {"premise": "Rain, she says, there is none."}},
    ]
    file = await uploads.send(task, as_lines(rows))
    body = PerturbationCreate(kind=TransformKind.ROBUSTNESS, file=file)
    job = await uploads.perturbations.create(version_id, body, actor=owner, key=None)
    done = PerturbationResultRead.model_validate((await uploads.run(job)).result)
    assert (done.state, done.items) == (ImportState.STORED, 3)
    assert done.perturbation is not None
    assert (done.perturbation["made_by"], done.perturbation["seed"]) == ("owner", None)
    assert done.perturbation["transforms"] == {
        "inversion": {"items": 2, "changed": 1},
        "own": {"items": 2, "changed": 1},
    }
    assert done.dataset_version_id is not None
    found: list[DatasetItem] = []
    for split in (Split.TEST, Split.DEV):
        async for page in uploads.chapters.datasets.pages(done.dataset_version_id, split):
            found += page
    assert [one.uid for one in found] == ["item-0:inversion", "item-0:inversion:2", "item-2:own"]
    assert {str(one.gold) for one in found} == {"{'label': 'neutral'}"}


async def test_wrong_variants_are_named_with_line_and_field(
    uploads: Uploads, database: Database
) -> None:
    task, _ = await owned(database)
    version_id = await brought(uploads, task)
    rows: list[dict[str, object]] = [
        {"hypothesis": "No uid."},
        {"original_uid": "item-3", "hypothesis": "Of train."},
        {"original_uid": "item-0", "hypothesis": "It is not dry on day 0."},
        {"original_uid": "item-0", "hypothsis": "x"},
        {"original_uid": "item-0", "hypothesis": 7},
        {"original_uid": "item-0", "hypothesis": "Good.", "label": "maybe"},
    ]
    file = await uploads.send(task, as_lines(rows))
    order = PerturbationOrder(version_id=version_id, kind=TransformKind.FAIRNESS, file=file)
    done = await varied(uploads, order)
    assert done.state is ImportState.REFUSED
    assert sorted((one.line or 0, one.field) for one in done.problems) == [
        (1, "original_uid"),
        (2, "original_uid"),
        (3, None),
        (4, "hypothsis"),
        (5, "hypothesis"),
        (6, "label"),
    ]
    assert len(await uploads.chapters.datasets.of_task(task.id)) == 1


async def test_hidden_sets_and_their_variants_are_for_owners_until_they_are_shown(
    uploads: Uploads, database: Database
) -> None:
    task, owner = await owned(database)
    done = await uploads.bring(task, as_lines(ROWS), access=DatasetAccess.HIDDEN)
    assert done.dataset_version_id is not None
    order = PerturbationOrder(version_id=done.dataset_version_id, kind=TransformKind.ROBUSTNESS)
    made = await varied(uploads, order)
    assert made.dataset_version_id is not None
    both = {done.dataset_version_id, made.dataset_version_id}
    datasets = uploads.chapters.datasets
    for one in both:
        with pytest.raises(DatasetNotFoundError):
            await datasets.read(one, actor=VISITOR)
    assert await datasets.list(task.slug, actor=VISITOR) == []
    assert {one.id for one in await datasets.list(task.slug, actor=owner)} == both
    async with database.read() as session:
        assert await uploads.chapters.queue.list_jobs(session, name="datasets.published") == []
    patch = DatasetPatch(access=DatasetAccess.SCORING, tags=["hard"], subtask_of="Translation")
    await datasets.change(done.dataset_version_id, patch, actor=owner)
    listed = await datasets.list(task.slug, actor=VISITOR)
    assert {(one.id, one.access) for one in listed} == {
        (one, DatasetAccess.SCORING) for one in both
    }
    async with database.read() as session:
        jobs = await uploads.chapters.queue.list_jobs(session, name="datasets.published")
    assert {str(job.payload["version_id"]) for job in jobs} == {str(one) for one in both}
