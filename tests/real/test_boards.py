"""The recorded answers of eight models to ANLI, handed in as files, and what their board says."""

import asyncio
import contextlib
import gzip
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import numpy as np
import pytest

from dynabench import AsyncDynabenchClient
from dynabench.app.server.factory import create_application
from dynabench.app.wiring import Wiring, job_handlers, wire
from dynabench.engines.jobs.errors import JobInterrupted
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.runs import JobRunner
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.settings import Settings
from dynabench.loop.leaderboards.schemas import BoardRead, RankRead
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.directory.service import UserDirectory
from dynabench.science.statistics.clusters import group_numbers
from dynabench.science.statistics.item_response import fit_scale
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.pairs import paired_difference
from dynabench.science.statistics.ranks import RankInterval, ranks_by_mcnemar
from dynabench.science.statistics.response_likelihood import Responses
from tests.factories.boards import BOARD_CONFIG
from tests.factories.submissions import CARD
from tests.factories.tasks import add_member, make_task
from tests.real.conftest import Note

pytestmark = [pytest.mark.real_data, pytest.mark.anyio]

LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}
# Model, accuracy, clustered standard error, rank interval; the best first.
PUBLISHED = (
    ("anli-albert-xxlarge", 0.6650, 0.01055, (1, 1)),
    ("anli-xlnet-large", 0.6280, 0.01074, (2, 5)),
    ("anli-bart-large", 0.6265, 0.01088, (2, 5)),
    ("anli-roberta-large", 0.6220, 0.01092, (2, 5)),
    ("anli-electra-large", 0.6040, 0.01088, (2, 6)),
    ("roberta-from-r3", 0.5825, 0.01114, (5, 6)),
    ("roberta-from-r2", 0.4285, 0.01151, (7, 7)),
    ("bert-r1", 0.1410, 0.00803, (8, 8)),
)
PER_ROUND = {
    "anli-roberta-large": (73.8, 50.6),
    "anli-xlnet-large": (73.5, 52.1),
    "anli-albert-xxlarge": (76.0, 57.0),
    "anli-bart-large": (73.5, 51.8),
    "anli-electra-large": (67.1, 53.7),
    "bert-r1": (0.0, 28.2),
}
# Two models, difference, paired standard error, b10, b01, p.
PAIRS = (
    ("anli-albert-xxlarge", "anli-xlnet-large", 0.0370, 0.01114, 291, 217, 1.2e-3),
    ("anli-xlnet-large", "anli-bart-large", 0.0015, 0.01038, 219, 216, 0.92),
    ("anli-bart-large", "anli-roberta-large", 0.0045, 0.01083, 236, 227, 0.71),
    ("anli-xlnet-large", "anli-electra-large", 0.0240, 0.01171, 302, 254, 0.046),
)

Line = dict[str, object]


def read(folder: Path, number: int) -> list[Line]:
    path = folder / "anli" / f"R{number}_dev_merged.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def said(line: Line, model: str) -> str:
    answers = line["model_predictions"]
    assert isinstance(answers, dict)
    return str(answers[model]["label"])


def test_errors_and_tests_are_those_of_the_recorded_answers(real_data: Path, note: Note) -> None:
    lines = [*read(real_data, 1), *read(real_data, 2)]
    contexts = [str(line["context"]) for line in lines]
    scores = {
        name: [float(said(line, name) == line["label"]) for line in lines] for name, *_ in PUBLISHED
    }

    assert len(set(contexts)) == 1716
    for name, accuracy, error, _ in PUBLISHED:
        found = mean_with_interval(scores[name], contexts)
        assert found is not None
        assert found.standard_error is not None
        assert found.mean == accuracy
        # Published by C / (C - 1) of all contexts; CR2 weighs unequal ones a little more.
        assert found.standard_error == pytest.approx(error, abs=2e-5)
    for one, other, difference, error, b10, b01, p_value in PAIRS:
        paired = paired_difference(scores[one], scores[other], contexts)
        assert paired is not None
        assert paired.mcnemar is not None
        assert paired.standard_error is not None
        assert paired.difference == pytest.approx(difference)
        # The published error takes items for independent; contexts move it a little.
        assert paired.standard_error == pytest.approx(error, rel=0.05)
        assert (paired.mcnemar.only_first, paired.mcnemar.only_second) == (b10, b01)
        assert paired.mcnemar.p_value == pytest.approx(p_value, rel=0.05)
        shown = f"{b10}, {b01}, {paired.mcnemar.p_value:.2g}"
        note(
            "ANLI", f"McNemar {one} - {other}", derived=shown, published=f"{b10}, {b01}, {p_value}"
        )
    right = np.array([scores[name] for name, *_ in PUBLISHED])
    ranks = ranks_by_mcnemar(np.rint(right @ right.T).astype(np.int64))
    wanted = [RankInterval(*rank) for *_, rank in PUBLISHED]
    assert [ranks.of(place) for place in range(len(PUBLISHED))] == wanted


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    settings = Settings(database_url=database_url, home=tmp_path, database_pool_size=6)
    made = wire(settings, clock=clock, fold_patience_seconds=0)
    yield made
    await made.close()


@pytest.fixture
async def owner(wiring: Wiring) -> AsyncIterator[AsyncDynabenchClient]:
    """The owner of the task, with a worker beside."""
    transport = httpx2.ASGITransport(create_application(wiring, fold_in_background=False))
    client = AsyncDynabenchClient("", base_url="http://localhost", transport=transport)
    worker = asyncio.create_task(_work(wiring))
    await client.account.sign_up("ada", "correct horse battery")
    task = await make_task(wiring.db, slug="nli", config=BOARD_CONFIG)
    ada = await wiring.get(UserDirectory).find("ada")
    actor = Actor(user_id=ada.id, username="ada", is_admin=False)
    await add_member(wiring.db, task, actor, TaskRole.OWNER)
    yield client
    await client.close()
    worker.cancel()
    with contextlib.suppress(asyncio.CancelledError, JobInterrupted):
        await worker


async def _work(wiring: Wiring) -> None:
    runner = JobRunner(wiring.db, job_handlers(wiring), executor_id="one")
    while True:
        async with wiring.db.read() as session:
            waiting = await JobQueue().list_jobs(session, states=[JobState.QUEUED])
        for job in reversed(waiting):
            await runner.run(job.id)
        await asyncio.sleep(0.05)


async def _board(owner: AsyncDynabenchClient) -> BoardRead:
    """Wait until every model is scored on both rounds."""
    while True:
        board = await owner.boards.get("nli", sort="accuracy")
        if board.ranked == len(PUBLISHED):
            return board
        await asyncio.sleep(0.2)


async def test_the_board_of_eight_recorded_models_prints_no_false_order(
    owner: AsyncDynabenchClient, real_data: Path, note: Note
) -> None:
    rounds = {number: read(real_data, number) for number in (1, 2)}
    versions = {}
    for number, lines in rounds.items():
        items: list[Line] = [
            {
                "uid": line["uid"],
                "premise": line["context"],
                "hypothesis": line["hypothesis"],
                "label": LABELS[str(line["label"])],
                "split": "test",
            }
            for line in lines
        ]
        made = await owner.datasets.upload(
            "nli", items, name=f"ANLI R{number} dev", licence="CC-BY-NC-4.0"
        )
        assert made.dataset_version_id is not None
        versions[number] = made.dataset_version_id
    for name, *_ in PUBLISHED:
        model = await owner.models.submit(task="nli", kind="predictions", name=name, card=CARD)
        for number, lines in rounds.items():
            answers = [{"uid": one["uid"], "label": LABELS[said(one, name)]} for one in lines]
            await owner.models.submit_predictions(model, versions[number], answers)
        await owner.models.publish(model)

    board = await asyncio.wait_for(_board(owner), timeout=240)

    assert [row.model.name for row in board.rows] == [name for name, *_ in PUBLISHED]
    for row, (name, accuracy, _, (low, high)) in zip(board.rows, PUBLISHED, strict=True):
        rank = RankRead(low=low, high=high)
        figure = row.figures["accuracy"]
        assert figure.value == pytest.approx(100 * accuracy)
        assert figure.items == 2000
        assert (row.mcnemar_rank, row.performance_rank) == (rank, rank)
        assert row.figures["throughput"].value is None
        if name in PER_ROUND:
            shown = [round(one.figures["accuracy"].value or 0, 1) for one in row.datasets]
            assert tuple(shown) == PER_ROUND[name]
        note(
            "ANLI",
            f"rank of {name}",
            derived=f"{rank.low} to {rank.high}",
            published=f"{low} to {high}",
        )
        note("ANLI", f"accuracy of {name}", derived=f"{figure.value:.2f}", published=100 * accuracy)


def test_ability_on_one_scale_follows_accuracy(real_data: Path, note: Note) -> None:
    names = [name for name, *_ in PUBLISHED]
    sets = []
    for number, target in ((1, "bert-r1"), (2, "roberta-from-r2")):
        lines = read(real_data, number)
        # A round's own target is wrong there by how the round was made.
        models = np.array([place for place, name in enumerate(names) if name != target])
        right = np.array(
            [[said(line, names[place]) == line["label"] for line in lines] for place in models]
        )
        contexts = [str(line["context"]) for line in lines]
        groups = group_numbers(contexts, expected=len(contexts))
        sets.append(Responses(models, right, groups))

    scale = fit_scale(sets, models=len(names))

    order = [names[place] for place in np.argsort(-scale.abilities)]
    reaches = scale.reach(scale.ability_errors)
    for place, name in enumerate(names):
        shown = f"{scale.abilities[place]:.2f} ± {reaches[place]:.2f}"
        note("ANLI", f"ability of {name} over both rounds", derived=shown)
    assert order == names
    assert scale.is_converged
    assert scale.difficulties[1] - scale.difficulties[0] > 0.5
