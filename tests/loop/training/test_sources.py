"""What a model learns from: weights, what is left out, and what cannot be asked for."""

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.engines.baselines.errors import RecipeOptionsError
from dynabench.engines.baselines.learner_options import options_of
from dynabench.engines.baselines.options import read_recipe_options
from dynabench.engines.finetuning.errors import CheckpointError
from dynabench.engines.runners.errors import RunnerNotInstalledError
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.selections.values import ItemSelection
from dynabench.loop.datasets.values import DatasetItem, DatasetOrigin
from dynabench.loop.training.errors import (
    NoTrainingDataError,
    TrainingSourceError,
)
from dynabench.loop.training.learners.rules import item_line, read_items
from dynabench.loop.training.learners.values import Learnt
from dynabench.loop.training.provenance.rules import write_card
from dynabench.loop.training.provenance.values import Lineage
from dynabench.loop.training.rules import combine_sources
from dynabench.loop.training.schemas import TrainingRequest, TrainingSource
from dynabench.loop.training.values import (
    Ingredient,
    LabelledItem,
    Origin,
    RecipeName,
    Source,
    TrainingLack,
)
from tests.conftest import HeldClock
from tests.factories.datasets import make_dataset
from tests.factories.evaluations import LaterChapters
from tests.factories.tasks import make_task
from tests.loop.training.test_service import owner_of, train_item

items = st.lists(
    st.builds(
        LabelledItem,
        context=st.just({}),
        inputs=st.fixed_dictionaries({"text": st.text(max_size=6)}),
        answer=st.fixed_dictionaries({"label": st.sampled_from("ab")}),
        weight=st.integers(1, 3),
    ),
    max_size=8,
)


@given(found=items, seed=st.randoms())
def test_the_order_of_lines_changes_nothing_and_equal_items_add_up(
    found: list[LabelledItem], seed: object
) -> None:
    lines = [item_line(item) for item in found]
    once = [item_line(replace(item, weight=1)) for item in found for _ in range(item.weight)]
    # Hypothesis's random numbers are those of the standard library.
    seed.shuffle(once)  # type: ignore[attr-defined]
    read, digest = read_items(lines)
    assert read_items(once) == (read, digest)
    assert sum(item.weight for item in read) == sum(item.weight for item in found)
    assert len({str((item.inputs, item.answer)) for item in read}) == len(read)


def test_a_set_is_chosen_once_and_one_without_a_weight_counts_once() -> None:
    one, other = uuid4(), uuid4()
    weighted = Source(dataset_version_id=one, weight=3)
    assert combine_sources([weighted], [other, one]) == (
        weighted,
        Source(dataset_version_id=other),
    )
    with pytest.raises(TrainingSourceError, match="twice"):
        combine_sources([weighted, weighted], [])


def test_a_card_says_of_a_hidden_set_only_that_there_was_one() -> None:
    known = Ingredient(name="Open set", digest="a" * 64, licence="MIT", weight=1, items=5)
    hidden = Ingredient(
        name="Secret set",
        version=7_007,
        digest="b" * 64,
        licence="MIT",
        weight=2,
        items=1_234,
        left_out=1_111,
        is_hidden=True,
    )
    selection = ItemSelection(only_verified=True)
    parts = (known, hidden, *[known] * 23, hidden)
    lineage = Lineage(
        recipe=RecipeName.MAJORITY,
        seed=1,
        origin=Origin(ingredients=parts, selection=selection),
        learnt=Learnt(items_digest="c" * 64, examples=2_473, seconds=1, environment={}),
    )
    card = str(write_card(lineage, task_title="NLI", model_digest="d" * 64))

    assert "Data: a hidden set, each 2 times" in card
    assert "Open set: 5 train items" in card
    assert "1 further sets." in card
    for told in ("Secret", "7007", "b" * 64, "1,234", "1,111", "2,473", "c" * 64):
        assert told not in card
    assert Ingredient.of_json(hidden.to_json()) == hidden


@pytest.mark.parametrize(
    ("given_options", "wrong"),
    [
        ({"inverse_regularisation": "0"}, "options.inverse_regularisation"),
        ({"inverse_regularisation": float("nan")}, "options.inverse_regularisation"),
        ({"word_ngrams": 1.5}, "options.word_ngrams"),
        ({"max_features": "many"}, "options.max_features"),
        ({"c": 1}, "options.c"),
    ],
)
def test_options_out_of_bounds_are_named(given_options: dict[str, object], wrong: str) -> None:
    with pytest.raises(RecipeOptionsError) as refused:
        read_recipe_options(options_of("text-classifier"), given_options)
    assert [*refused.value.fields] == [wrong]


def controlled(item: DatasetItem) -> DatasetItem:
    return replace(item, tags=("control:no_model",))


async def test_weights_and_what_is_left_out_are_counted_before_anything_starts(
    database: Database, clock: HeldClock
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    told = [train_item(number) for number in range(6)]
    mixed = [
        told[0],
        told[1],
        replace(told[2], is_verified=False),
        replace(told[3], is_fooling=False),
        replace(told[4], is_fooling=None),
        controlled(told[5]),
    ]
    version = await make_dataset(database, task, mixed, clock=clock)
    upload = await make_dataset(
        database,
        task,
        [replace(told[0], is_verified=False)],
        clock=clock,
        origin=DatasetOrigin.UPLOAD,
    )
    training = LaterChapters.over(database, clock).training
    plain = TrainingRequest(
        name="m",
        sources=[TrainingSource(dataset_version_id=version.id, weight=3)],
        dataset_version_ids=[upload.id],
    )
    plan = await training.plan(task.slug, plain, actor=owner)
    assert [(one.items, one.examples, one.left_out) for one in plan.parts] == [
        (6, 18, 0),
        (1, 1, 0),
    ]
    strict = plain.model_copy(
        update={"only_verified": True, "only_fooling": True, "without_controls": True}
    )
    plan = await training.plan(task.slug, strict, actor=owner)
    empty = await training.plan(task.slug, TrainingRequest(name="m"), actor=owner)
    assert "no starter data" in str(empty.problem)
    assert not empty.has_starter_data
    assert (empty.problem_code, plan.problem_code) == (TrainingLack.NOTHING_CHOSEN, None)
    # The upload knows of no validators and no targets, so nothing of it is left out.
    assert [(one.items, one.examples, one.left_out) for one in plan.parts] == [
        (2, 6, 4),
        (1, 1, 0),
    ]


async def test_what_cannot_be_learned_from_is_said_by_field(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(
        database, task, [replace(train_item(1), is_verified=False)], clock=clock
    )
    varied = await make_dataset(
        database, task, [train_item(2)], clock=clock, origin=DatasetOrigin.PERTURBATION
    )
    root = tmp_path / "checkpoints"
    (root / "empty").mkdir(parents=True)
    (root / "odd").mkdir()
    (root / "odd" / "config.json").write_text("[]")
    (root / "out").symlink_to(tmp_path)
    training = LaterChapters.over(database, clock, checkpoints=root).training

    async def refused(kind: type[Exception], **body: object) -> Exception:
        sources = [{"dataset_version_id": body.pop("of", version.id), "weight": body.pop("k", 1)}]
        request = TrainingRequest.model_validate({"name": "m", "sources": sources, **body})
        with pytest.raises(kind) as caught:
            await training.train(task.slug, request, actor=owner, key=None)
        return caught.value

    for weight in (0, -1, 10**9):
        error = await refused(TrainingSourceError, k=weight)
        assert isinstance(error, TrainingSourceError)
        assert "from 1 to 100" in error.fields["sources.0.weight"]
    assert "varies another set" in str(await refused(TrainingSourceError, of=varied.id))
    assert "leave less out" in str(await refused(NoTrainingDataError, only_verified=True))

    async def checkpoint(name: str | None) -> str:
        options = {} if name is None else {"checkpoint": name}
        kind = RecipeOptionsError if name is None else CheckpointError
        error = await refused(kind, recipe="transformers", options=options)
        assert isinstance(error, RecipeOptionsError | CheckpointError)
        return error.fields["options.checkpoint"]

    for name in ("../secret", "/etc", "a/../../b", "out"):
        assert "DYNABENCH_CHECKPOINTS_FOLDER" in await checkpoint(name)
    assert "no config.json" in await checkpoint("empty")
    assert "names no model_type" in await checkpoint("odd")
    assert "organisation/name" in await checkpoint("unknown")
    assert "cannot do without" in await checkpoint(None)


async def test_a_recipe_that_lacks_its_packages_is_listed_with_what_would_help(
    database: Database, clock: HeldClock, tmp_path: Path
) -> None:
    task = await make_task(database)
    owner = await owner_of(database, task)
    version = await make_dataset(database, task, [train_item(1)], clock=clock)
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "bert"}')
    (folder / "model.safetensors").write_bytes(b"")
    training = LaterChapters.over(database, clock, checkpoints=tmp_path).training
    found = (await training.recipes(task.slug, actor=owner))[-1]
    (checkpoint, *_) = found.options
    assert (found.name, checkpoint.choices) == ("transformers", ["tiny"])
    assert "pip install 'dynabench-platform[huggingface]'" in str(found.unavailable)
    assert found.missing_extra == "huggingface"
    body = TrainingRequest(
        name="m",
        recipe="transformers",
        options={"checkpoint": "tiny"},
        dataset_version_ids=[version.id],
    )
    with pytest.raises(RunnerNotInstalledError):
        await training.train(task.slug, body, actor=owner, key=None)
    assert (await training.plan(task.slug, body, actor=owner)).examples == 1
