"""Two models on the same items: the numbers, and who sees where they differ."""

from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy import update

from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.tables import dataset_versions, datasets
from dynabench.loop.datasets.values import DatasetAccess, DatasetItem, DatasetVersion, Split
from dynabench.loop.evaluations.comparisons.errors import ComparisonError
from dynabench.loop.evaluations.comparisons.schemas import ComparedItemQuery, ComparisonQuery
from dynabench.loop.evaluations.comparisons.service import ComparisonService
from dynabench.loop.evaluations.comparisons.values import Advantage
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.evaluations.items.values import ItemView
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import Model
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.science.statistics.pairs import exact_mcnemar
from tests.conftest import HeldClock
from tests.factories.answered import answer_items
from tests.factories.datasets import Chapters, make_dataset, make_item
from tests.factories.models import make_model, make_model_service
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

SIZE = 40
LEFT_WRONG, RIGHT_WRONG = range(2), range(1, 12)


class Pair:
    """Two models: the left one errs twice, the right one eleven times, once on the same item."""

    task: Task
    left: Model
    right: Model
    version: DatasetVersion
    items: list[DatasetItem]
    service: ComparisonService
    owner: Actor

    def query(self, **more: object) -> ComparisonQuery:
        return ComparisonQuery.model_validate(
            {"left": self.left.id, "right": self.right.id, **more}
        )

    def item_query(self, better: Advantage = Advantage.ANY, **more: object) -> ComparedItemQuery:
        chosen = {"left": self.left.id, "right": self.right.id, "better": better}
        return ComparedItemQuery.model_validate(
            {**chosen, "dataset_version_id": self.version.id, **more}
        )


async def answer(db: Database, pair: Pair, model_id: UUID, wrong: range) -> None:
    await answer_items(
        db,
        model_id=model_id,
        version_id=pair.version.id,
        items=pair.items,
        answers=dict.fromkeys(wrong, "entailment"),
    )


@pytest.fixture
async def pair(database: Database, clock: HeldClock) -> Pair:
    pair = Pair()
    pair.task = await make_task(database)
    pair.items = [make_item(number) for number in range(SIZE)]
    pair.version = await make_dataset(database, pair.task, pair.items, clock=clock)
    pair.left = await make_model(database, pair.task, name="left")
    pair.right = await make_model(database, pair.task, name="right")
    await answer(database, pair, pair.left.id, LEFT_WRONG)
    await answer(database, pair, pair.right.id, RIGHT_WRONG)
    pair.owner = await make_user(database)
    await add_member(database, pair.task, pair.owner, TaskRole.OWNER)
    service = make_model_service(database, clock)
    chapters = Chapters.over(database, clock, models=service)
    pair.service = ComparisonService(
        db=database,
        tasks=chapters.tasks,
        rounds=chapters.rounds,
        models=service,
        datasets=chapters.datasets,
    )
    return pair


async def test_two_models_are_compared_pair_by_pair(
    database: Database, clock: HeldClock, pair: Pair
) -> None:
    lone = await make_dataset(database, pair.task, [make_item(1)], name="Lone", clock=clock)
    await answer_items(
        database, model_id=pair.left.id, version_id=lone.id, items=[make_item(1)], answers={}
    )
    await make_dataset(database, pair.task, [make_item(2)], name="Nobody's", clock=clock)
    found = await pair.service.compare(pair.query(), actor=VISITOR)
    (one,) = found.datasets
    assert one.paired is not None
    assert one.paired.mcnemar is not None
    expected = exact_mcnemar(only_first=10, only_second=1)
    assert (one.paired.mcnemar.only_left, one.paired.mcnemar.only_right) == (10, 1)
    assert one.paired.mcnemar.p_value == pytest.approx(expected.p_value)
    assert (one.paired.left, one.paired.right) == (95.0, 72.5)
    assert one.paired.difference == pytest.approx(22.5)
    assert one.paired.low is not None
    assert 0 < one.paired.low < 22.5
    assert (one.split, one.view, found.metric) == (Split.TEST, None, "macro_f1")
    (lack,) = found.lacking
    assert (lack.dataset_name, lack.lacks) == ("Lone", [pair.right.id])


async def test_a_tag_of_few_items_tells_strangers_nothing_of_their_gold(
    database: Database, clock: HeldClock, pair: Pair
) -> None:
    pair.items = [
        replace(item, tags=("all", *(["half"] if number % 2 else []), *(["one"] * (number == 3))))
        for number, item in enumerate(pair.items)
    ]
    pair.version = await make_dataset(database, pair.task, pair.items, clock=clock)
    await answer(database, pair, pair.left.id, LEFT_WRONG)
    await answer(database, pair, pair.right.id, RIGHT_WRONG)

    async def tags(actor: Actor) -> dict[str, int]:
        query = pair.query(dataset_version_id=pair.version.id)
        (found,) = (await pair.service.compare(query, actor=actor)).datasets
        return {one.tag: one.items for one in found.tags}

    assert await tags(pair.owner) == {"all": 40, "half": 20, "one": 1}
    assert await tags(VISITOR) == {"all": 40, "half": 20}
    async with database.transaction() as session:
        await session.execute(update(datasets).values(access=DatasetAccess.STANDARD))
    assert await tags(VISITOR) == {"all": 40, "half": 20, "one": 1}


async def test_items_where_they_differ_are_shown_by_who_is_better(pair: Pair) -> None:
    whole = await pair.service.differing(pair.item_query(), actor=pair.owner)
    assert (len(whole.items), whole.view) == (11, ItemView.FULL)
    better = await pair.service.differing(pair.item_query(Advantage.RIGHT), actor=pair.owner)
    (only,) = better.items
    assert (only.left.score, only.right.score, only.gold) == (0.0, 100.0, {"label": "neutral"})
    first = await pair.service.differing(pair.item_query(Advantage.LEFT, limit=6), actor=pair.owner)
    rest = await pair.service.differing(
        pair.item_query(Advantage.LEFT, limit=6, cursor=first.next_cursor), actor=pair.owner
    )
    assert (len(first.items), len(rest.items)) == (6, 4)


async def test_scoring_items_are_compared_without_their_gold(
    database: Database, pair: Pair
) -> None:
    with pytest.raises(ItemsWithheldError):
        await pair.service.differing(pair.item_query(), actor=VISITOR)
    submitter = await make_user(database)
    async with database.transaction() as session:
        await session.execute(update(models).values(submitted_by=submitter.user_id))
    mine = await pair.service.differing(pair.item_query(), actor=submitter)
    assert (len(mine.items), mine.view) == (11, ItemView.ANSWERS)
    assert all((one.gold, one.left.score) == (None, None) for one in mine.items)
    with pytest.raises(CorrectnessWithheldError):
        await pair.service.differing(pair.item_query(Advantage.LEFT), actor=submitter)
    async with database.transaction() as session:
        await session.execute(
            update(models).where(models.c.id == pair.left.id).values(submitted_by=None)
        )
    with pytest.raises(ItemsWithheldError):
        await pair.service.differing(pair.item_query(), actor=submitter)


async def test_what_cannot_be_compared_is_refused(
    database: Database, clock: HeldClock, pair: Pair
) -> None:
    stranger = await make_model(database, await make_task(database))
    for other in (pair.left, stranger):
        query = ComparisonQuery(left=pair.left.id, right=other.id)
        with pytest.raises(ComparisonError):
            await pair.service.compare(query, actor=VISITOR)
    private = await make_model(database, pair.task, is_published=False)
    query = ComparisonQuery(left=pair.left.id, right=private.id)
    with pytest.raises(ModelNotFoundError):
        await pair.service.compare(query, actor=VISITOR)
    with pytest.raises(DatasetNotFoundError):
        await pair.service.compare(pair.query(dataset_version_id=new_id()), actor=VISITOR)
    lone = await make_dataset(database, pair.task, [make_item(1)], name="Lone", clock=clock)
    item_query = pair.item_query(dataset_version_id=lone.id)
    with pytest.raises(DatasetNotFoundError):
        await pair.service.differing(item_query, actor=pair.owner)


async def test_a_hidden_set_is_compared_for_owners_alone(database: Database, pair: Pair) -> None:
    async with database.transaction() as session:
        await session.execute(update(datasets).values(access=DatasetAccess.HIDDEN))
    assert (await pair.service.compare(pair.query(), actor=VISITOR)).datasets == []
    with pytest.raises(DatasetNotFoundError):
        await pair.service.differing(pair.item_query(), actor=VISITOR)
    (one,) = (await pair.service.compare(pair.query(), actor=pair.owner)).datasets
    assert one.view is ItemView.FULL


async def test_on_changed_texts_owners_alone_learn_which_model_is_better(
    database: Database, pair: Pair
) -> None:
    # A version that varies itself stands for one that varies another.
    varied = {"perturbs_id": pair.version.id}
    async with database.transaction() as session:
        await session.execute(
            update(dataset_versions).where(dataset_versions.c.id == pair.version.id).values(varied)
        )
        await session.execute(update(datasets).values(origin="perturbation"))
    query = pair.query(dataset_version_id=pair.version.id)

    for actor, is_told in ((pair.owner, True), (VISITOR, False)):
        (one,) = (await pair.service.compare(query, actor=actor)).datasets
        assert (one.paired is not None) is is_told
