"""No model answers the texts of a test set whose answers are withheld."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from dynabench.kit.actor import VISITOR
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.tables import dataset_items, dataset_versions
from dynabench.loop.datasets.values import DatasetItem, ReleaseOrder, Split
from dynabench.loop.examples.errors import TextWithheldError
from dynabench.loop.examples.rules import NEAR_DUPLICATE_SIMILARITY
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import TryCreate, TryRead
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan
from dynabench.loop.validations.values import Vote
from dynabench.science.texts.near_duplicates import bands_of, jaccard, shingles
from tests.conftest import HeldClock
from tests.factories.datasets import judge
from tests.factories.examples import Stage, make_stage, make_wiring, unlike_text
from tests.factories.rounds import make_round
from tests.factories.tasks import NLI_CONFIG


@pytest.fixture
async def stage(database_url: str, tmp_path: Path, clock: HeldClock) -> AsyncIterator[Stage]:
    wiring = make_wiring(database_url, tmp_path, clock)
    yield await make_stage(wiring, clock, contexts=12)
    await wiring.close()


async def _ignore(done: float, total: float, message: str) -> None:
    """Tell nobody."""


async def _released(
    stage: Stage, clock: HeldClock, **more: object
) -> dict[Split, list[DatasetItem]]:
    """Release a round of verified fooling examples; return its items."""
    people = [await stage.person() for _ in range(4)]
    written = [
        await stage.write(context=context, by=people[number % 4], more=more)
        for number, context in enumerate(stage.contexts * 2)
    ]
    votes = {one.id: Vote.CORRECT for one in written}
    expert = await stage.person()
    await judge(stage.db, stage.round_, votes, expert=expert, clock=stage.clock)
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    order = ReleaseOrder(round_id=stage.round_.id, seed=0, licence="CC0", allow_incomplete=True)
    version = await stage.wiring.get(ReleaseService).release(order, progress=_ignore)
    # What a process knew of the task's releases it forgets within some seconds.
    clock.advance(seconds=6)
    datasets = stage.wiring.get(DatasetService)
    return {
        split: [one async for page in datasets.pages(version.id, split) for one in page]
        for split in Split
    }


async def _try(stage: Stage, text: str, **more: object) -> TryRead:
    body = TryCreate.model_validate(
        {
            "context_id": stage.contexts[0].id,
            "inputs": {"hypothesis": text, **more},
            "answer": {"label": "neutral"},
        }
    )
    return await stage.wiring.get(SandboxService).try_out(stage.task.slug, body, actor=VISITOR)


async def test_a_visitor_gets_no_answer_to_a_test_text_nor_to_one_close_to_it(
    stage: Stage, clock: HeldClock
) -> None:
    items = await _released(stage, clock)
    text = str(items[Split.TEST][0].inputs["hypothesis"])
    for copied in (text, text.upper(), f"{text}."):
        with pytest.raises(TextWithheldError):
            await _try(stage, copied)
    learned = str(items[Split.TRAIN][0].inputs["hypothesis"])
    assert (await _try(stage, learned)).predictions
    assert (await _try(stage, unlike_text())).predictions


async def test_noise_that_no_model_sees_makes_no_test_text_answerable(
    database_url: str, tmp_path: Path, clock: HeldClock
) -> None:
    wiring = make_wiring(database_url, tmp_path, clock)
    config = NLI_CONFIG.replace(
        "input:\n", "input:\n  - {name: source, type: string, is_shown_to_model: false}\n"
    )
    stage = await make_stage(wiring, clock, config=config, contexts=12)
    items = await _released(stage, clock, source="My own garden.")
    text = str(items[Split.TEST][0].inputs["hypothesis"])
    for noise in ("My own garden.", unlike_text()):
        with pytest.raises(TextWithheldError):
            await _try(stage, text, source=noise)
    assert (await _try(stage, unlike_text(), source="My own garden.")).predictions
    await wiring.close()


def _varied(text: str) -> str:
    """Return a text that is not close to another one, but still found beside it."""
    words = text.split()
    for number in range(len(words)):
        for kept in range(len(words[number])):
            cut = " ".join([*words[:number], words[number][:kept], *words[number + 1 :]])
            is_found = set(bands_of(cut, b"")) & set(bands_of(text, b""))
            if jaccard(shingles(cut), shingles(text)) < NEAR_DUPLICATE_SIMILARITY and is_found:
                return cut
    raise AssertionError(text)


async def test_a_stored_variant_of_a_test_text_is_not_answered_either(
    stage: Stage, clock: HeldClock
) -> None:
    items = await _released(stage, clock)
    one = items[Split.TEST][0]
    varied = _varied(str(one.inputs["hypothesis"]))
    assert (await _try(stage, varied)).predictions
    async with stage.db.transaction() as session:
        (version,) = (await session.execute(select(dataset_versions))).mappings()
        made = {"transforms": {"typos": {"items": 1, "changed": 1}}}
        own = {"id": new_id(), "version": 2, "digest": "0" * 64, "perturbs_id": version["id"]}
        await session.execute(
            insert(dataset_versions).values({**version, **own, "perturbation": made})
        )
        found = select(dataset_items).where(
            dataset_items.c.version_id == version["id"], dataset_items.c.uid == one.uid
        )
        (item,) = (await session.execute(found)).mappings()
        changed = {
            "version_id": own["id"],
            "uid": f"{one.uid}:typos",
            "inputs": {"hypothesis": varied},
            "original_uid": one.uid,
            "transform": "typos",
        }
        await session.execute(insert(dataset_items).values({**item, **changed}))
    with pytest.raises(TextWithheldError):
        await _try(stage, varied)


async def test_an_attempt_with_a_test_text_is_refused_before_a_model_is_asked(
    stage: Stage, clock: HeldClock
) -> None:
    items = await _released(stage, clock)
    text = str(items[Split.TEST][0].inputs["hypothesis"])
    plan = RoundPlan(target_model_ids=stage.round_.target_model_ids)
    stage.round_ = await make_round(stage.db, stage.task, plan=plan, clock=clock)
    with pytest.raises(TextWithheldError):
        await stage.write(text=text)
    assert (await stage.write()).predictions


async def test_once_the_answers_are_open_models_answer_again(
    stage: Stage, clock: HeldClock
) -> None:
    items = await _released(stage, clock)
    text = str(items[Split.TEST][0].inputs["hypothesis"])
    with pytest.raises(TextWithheldError):
        await _try(stage, text)
    async with stage.db.transaction() as session:
        await session.execute(update(dataset_versions).values(test_opened_at=clock.now()))
    clock.advance(seconds=6)
    assert (await _try(stage, text)).predictions
