"""The error browser: who sees which items of whom, and what of them."""

from dataclasses import dataclass, replace
from uuid import UUID

import pytest
from sqlalchemy import update

from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database
from dynabench.kit.paging import BadCursorError
from dynabench.loop.datasets.tables import datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, Split
from dynabench.loop.evaluations.errors import EvaluationNotFoundError
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.evaluations.items.schemas import EvaluationItemPage, EvaluationItemQuery
from dynabench.loop.evaluations.items.service import ItemService
from dynabench.loop.evaluations.items.values import ItemView, Outcome
from dynabench.loop.models.tables import models
from dynabench.loop.tasks.values import TaskRole
from tests.conftest import HeldClock
from tests.factories.answered import FAILED, answer_items
from tests.factories.datasets import Chapters, make_dataset, make_item
from tests.factories.models import make_model, make_model_service
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

WRONG, LOST = 2, 4


@dataclass(frozen=True)
class Scene:
    """A published model on six test items and two dev items, and the people around it."""

    db: Database
    service: ItemService
    evaluation_id: UUID
    model_id: UUID
    owner: Actor
    submitter: Actor
    expert: Actor

    async def browse(
        self,
        actor: Actor,
        *,
        split: Split = Split.TEST,
        outcome: Outcome | None = None,
        tag: str | None = None,
        search: str | None = None,
        cursor: str | None = None,
        limit: int = 50,
    ) -> EvaluationItemPage:
        query = EvaluationItemQuery(
            split=split, outcome=outcome, tag=tag, q=search, cursor=cursor, limit=limit
        )
        return await self.service.browse(self.evaluation_id, query, actor=actor)

    async def set_access(self, access: DatasetAccess) -> None:
        async with self.db.transaction() as session:
            await session.execute(update(datasets).values(access=access))


@pytest.fixture
async def scene(database: Database, clock: HeldClock) -> Scene:
    task = await make_task(database)
    items = [
        *(replace(make_item(n), tags=("short",) if n % 2 else ("long", "news")) for n in range(6)),
        *(make_item(n + 100, split=Split.DEV) for n in range(2)),
    ]
    version = await make_dataset(database, task, items, clock=clock)
    model = await make_model(database, task, name="mine")
    owner, submitter, expert = [await make_user(database) for _ in range(3)]
    await add_member(database, task, owner, TaskRole.OWNER)
    await add_member(database, task, expert, TaskRole.EXPERT)
    async with database.transaction() as session:
        await session.execute(update(models).values(submitted_by=submitter.user_id))
    evaluation_id = await answer_items(
        database,
        model_id=model.id,
        version_id=version.id,
        items=items,
        answers={WRONG: "entailment", LOST: None},
    )
    service = make_model_service(database, clock)
    chapters = Chapters.over(database, clock, models=service)
    return Scene(
        db=database,
        service=ItemService(
            db=database, tasks=chapters.tasks, models=service, datasets=chapters.datasets
        ),
        evaluation_id=evaluation_id,
        model_id=model.id,
        owner=owner,
        submitter=submitter,
        expert=expert,
    )


async def test_an_owner_browses_by_outcome_tag_and_text_in_pages(scene: Scene) -> None:
    whole = await scene.browse(scene.owner)
    assert (len(whole.items), whole.view, whole.next_cursor) == (6, ItemView.FULL, None)
    (wrong,) = (await scene.browse(scene.owner, outcome=Outcome.WRONG)).items
    assert (wrong.outputs, wrong.gold, wrong.score, wrong.outcome) == (
        {"label": "entailment"},
        {"label": "neutral"},
        0.0,
        Outcome.WRONG,
    )
    (lost,) = (await scene.browse(scene.owner, outcome=Outcome.FAILED)).items
    assert (lost.error, lost.outputs, lost.outcome) == (FAILED, {}, Outcome.FAILED)
    assert len((await scene.browse(scene.owner, outcome=Outcome.RIGHT)).items) == 4
    assert len((await scene.browse(scene.owner, tag="news")).items) == 3
    (found,) = (await scene.browse(scene.owner, search="hypothesis 3.")).items
    assert found.inputs == {"hypothesis": "Hypothesis 3."}
    assert (await scene.browse(scene.owner, search="%")).items == []
    first = await scene.browse(scene.owner, limit=4)
    rest = await scene.browse(scene.owner, limit=4, cursor=first.next_cursor)
    assert [*first.items, *rest.items] == whole.items
    with pytest.raises(BadCursorError):
        await scene.browse(scene.owner, cursor="nonsense")


async def test_scoring_test_items_keep_their_gold_from_all_but_owners(scene: Scene) -> None:
    mine = await scene.browse(scene.submitter)
    assert mine.view is ItemView.ANSWERS
    assert [one.outcome for one in mine.items].count(None) == 5
    assert all((one.gold, one.score) == (None, None) for one in mine.items)
    assert mine.items[WRONG].outputs == {"label": "entailment"}
    (lost,) = (await scene.browse(scene.submitter, outcome=Outcome.FAILED)).items
    assert lost.error == FAILED
    for outcome in (Outcome.WRONG, Outcome.RIGHT):
        with pytest.raises(CorrectnessWithheldError, match=r"look at the dev split\.$"):
            await scene.browse(scene.submitter, outcome=outcome)
    for stranger in (VISITOR, scene.expert, await make_user(scene.db)):
        with pytest.raises(ItemsWithheldError):
            await scene.browse(stranger)
        dev = await scene.browse(stranger, split=Split.DEV)
        assert dev.items[0].gold == {"label": "neutral"}


async def test_an_uploaded_sets_dev_keeps_its_gold_as_its_files_do(scene: Scene) -> None:
    async with scene.db.transaction() as session:
        await session.execute(update(datasets).values(origin=DatasetOrigin.UPLOAD))
    mine = await scene.browse(scene.submitter, split=Split.DEV)
    assert {(one.gold, one.score, one.outcome) for one in mine.items} == {(None, None, None)}
    # Nobody is sent to the split that was asked for.
    with pytest.raises(CorrectnessWithheldError, match=r"^Which dev items.+ failed ones\.$"):
        await scene.browse(scene.submitter, split=Split.DEV, outcome=Outcome.WRONG)
    with pytest.raises(ItemsWithheldError):
        await scene.browse(VISITOR, split=Split.DEV)
    (first, _) = (await scene.browse(scene.owner, split=Split.DEV)).items
    assert first.gold == {"label": "neutral"}


async def test_standard_items_are_open_and_hidden_ones_exist_for_owners_alone(
    scene: Scene,
) -> None:
    await scene.set_access(DatasetAccess.STANDARD)
    (wrong,) = (await scene.browse(VISITOR, outcome=Outcome.WRONG)).items
    assert wrong.gold == {"label": "neutral"}
    await scene.set_access(DatasetAccess.HIDDEN)
    assert len((await scene.browse(scene.owner)).items) == 6
    admin = await make_user(scene.db, is_admin=True)
    assert (await scene.browse(admin)).view is ItemView.FULL
    for stranger in (VISITOR, scene.submitter, scene.expert):
        with pytest.raises(EvaluationNotFoundError):
            await scene.browse(stranger)


async def test_a_private_models_answers_do_not_exist_for_strangers(scene: Scene) -> None:
    await scene.set_access(DatasetAccess.STANDARD)
    async with scene.db.transaction() as session:
        await session.execute(update(models).values(is_published=False))
    with pytest.raises(EvaluationNotFoundError):
        await scene.browse(VISITOR)
    with pytest.raises(EvaluationNotFoundError):
        await scene.service.browse(scene.model_id, EvaluationItemQuery(), actor=scene.owner)
