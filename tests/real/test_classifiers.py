"""Classifiers learned from public sets, handed in and scored on sets of other makers.

What the platform says of them is held to scikit-learn and to the models themselves, asked
outside of it. What they learn from stays in the test's own folder.
"""

import asyncio
import csv
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sklearn.metrics import accuracy_score, f1_score

from dynabench import DynabenchClient
from dynabench.app.listening import INSTANCE_VARIABLE, is_answered_by
from dynabench.app.wiring import wire
from dynabench.engines.baselines.loading import load
from dynabench.engines.baselines.recipes import train
from dynabench.engines.baselines.values import TrainedModel, TrainingItem
from dynabench.engines.signing.documents import verify
from dynabench.engines.signing.errors import DocumentRefusedError
from dynabench.kit.settings import Settings
from dynabench.loop.datasets.schemas import DatasetVersionRead
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.values import ModelIsolation
from dynabench.loop.training.rules import summarise
from dynabench.people.service import PeopleService
from dynabench.science.task_config.loader import load_task_config
from tests.factories.live_servers import free_port, wait_until
from tests.real.conftest import Note

pytestmark = pytest.mark.real_data

PASSWORD = "correct horse battery"
CATALOG = Path(__file__).parents[2] / "dynabench" / "catalog" / "tasks"
ANLI_LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}
HATEFUL, NOT_HATEFUL = "hateful", "not-hateful"
LEFT_OUT = "Tweets that are offensive and not hateful (class 1) are left out."
Row = Mapping[str, object]
Pairs = Sequence[tuple[Mapping[str, object], str]]
"""What a model sees of items, each with its right answer."""


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is learned from and what is scored on.

    Attributes:
        task: Whose config and labels both are read by.
        source: The set that is learned from.
        training_data: What the card says of it.
        learned: Its items.
        sets: The rows of each set that is uploaded.
        at_least: The lowest accuracy that says that something was learned.
    """

    task: str
    source: str
    training_data: str
    learned: Pairs
    sets: Mapping[str, Sequence[Row]]
    at_least: float


def json_lines(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def table(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def prompt_of(line: Mapping[str, object]) -> object:
    """Return the sentence that an author was shown, or that there was none."""
    shown = line["prompt_data"]
    return shown["prompt_sentence"] if isinstance(shown, dict) else "No prompt."


def sentiment(data: Path) -> Study:
    trees = json_lines(data / "sst5" / "sst5_train.jsonl.gz")
    path = data / "dynasent" / "dynasent-v1.1-round02-dynabench-dev.jsonl.gz"
    return Study(
        task="sentiment",
        source="sst5",
        training_data="The training sentences of SST-5 with their three-way label.",
        learned=[({"statement": one["sentence"]}, str(one["label3"])) for one in trees],
        sets={
            "DynaSent R2 dev": [
                {
                    "uid": one["text_id"],
                    "prompt": prompt_of(one),
                    "statement": one["sentence"],
                    "label": one["gold_label"],
                }
                for one in json_lines(path)
            ]
        },
        at_least=0.40,
    )


def hate_speech(data: Path) -> Study:
    tweets = table(data / "davidson" / "labeled_data.csv.gz")
    words = {"0": HATEFUL, "2": NOT_HATEFUL}
    rows = table(data / "hatemoji" / "HatemojiBuild_rounds5-6.csv.gz")
    return Study(
        task="hate-speech",
        source="davidson",
        training_data=f"Tweets labelled by Davidson et al. {LEFT_OUT}",
        learned=[
            ({"statement": one["tweet"]}, words[one["class"]])
            for one in tweets
            if one["class"] in words
        ],
        sets={
            f"HatemojiBuild R{number}": [
                {
                    "uid": one["entry_id"],
                    "topic": f"Pair {min(one['entry_id'], one['matched_id'])}",
                    "statement": one["text"],
                    "label": HATEFUL if one["label_gold"] == "1" else NOT_HATEFUL,
                }
                for one in rows
                if one["round.base"] == str(number)
            ]
            for number in (5, 6)
        },
        at_least=0.45,
    )


def inference(data: Path) -> Study:
    learned = [
        one
        for number in (1, 2, 3)
        for one in json_lines(data / "ling_in_loop" / f"train_round{number}_baseline.jsonl.gz")
    ]
    return Study(
        task="nli",
        source="ling_in_loop",
        training_data="Pairs of three rounds without a linguist in the loop.",
        learned=[
            ({"premise": one["premise"], "hypothesis": one["hypothesis"]}, str(one["label"]))
            for one in learned
        ],
        sets={
            f"ANLI R{number} dev": [
                {
                    "uid": one["uid"],
                    "premise": one["context"],
                    "hypothesis": one["hypothesis"],
                    "label": ANLI_LABELS[str(one["label"])],
                }
                for one in json_lines(data / "anli" / f"R{number}_dev.jsonl.gz")
            ]
            for number in (1, 2)
        },
        at_least=0.25,
    )


@contextmanager
def running(settings: Settings) -> Iterator[None]:
    """Run a server and a worker, each a process of its own, until the block ends."""
    environment = {
        **os.environ,
        "DYNABENCH_DATABASE_URL": str(settings.database_url),
        "DYNABENCH_HOME": str(settings.home),
        "DYNABENCH_PORT": str(settings.port),
        "DYNABENCH_WORKER_CONCURRENCY": "1",
        INSTANCE_VARIABLE: "real",
    }
    log = settings.home / "log"
    with log.open("wb") as file:
        programs = [
            # Our own interpreter and modules.
            subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", module], env=environment, stdout=file, stderr=file
            )
            for module in ("dynabench.app.server", "dynabench.app.worker")
        ]
        try:
            wait_until(lambda: is_answered_by(settings, "real", path="/readyz"), seconds=60)
            yield
        except AssertionError as error:
            error.add_note(log.read_text(encoding="utf-8")[-4000:])
            raise
        finally:
            for program in programs:
                program.terminate()
            for program in programs:
                program.wait()


async def add_admin(settings: Settings) -> None:
    wiring = wire(settings)
    await wiring.get(PeopleService).create_user("admin", password=PASSWORD, is_admin=True)
    await wiring.close()


@pytest.fixture
def client(database_url: str, tmp_path: Path) -> Iterator[DynabenchClient]:
    """An administrator's client of a server with a worker beside it."""
    home = tmp_path / "home"
    home.mkdir()
    settings = Settings(database_url=database_url, home=home, port=free_port())
    asyncio.run(add_admin(settings))
    with running(settings), DynabenchClient("", base_url=settings.base_url) as client:
        client.account.sign_in("admin", PASSWORD)
        yield client


def config_of(study: Study) -> str:
    """Return the core task's config; published sets hold texts of two characters too."""
    config = (CATALOG / study.task / "task.yaml").read_text(encoding="utf-8")
    return config.replace("min_length: 3", "min_length: 1")


def learn(study: Study, recipe: str, folder: Path) -> TrainedModel:
    """Train a model into a handler folder, and return it as it is read from there."""
    config = load_task_config(config_of(study))
    context_names = {field.name for field in config.context}
    items = [
        TrainingItem(
            context={name: seen.get(name, "") for name in context_names},
            inputs={name: text for name, text in seen.items() if name not in context_names},
            answer={"label": label},
        )
        for seen, label in study.learned
    ]
    train(recipe, items, config=summarise(config)).save(folder)
    # Weights and words of our own alone: nothing of what was learned from is handed in.
    assert {path.name for path in folder.iterdir()} <= {"model.json", "model.py", "weights.npz"}
    return load(folder)


def answers_of(client: DynabenchClient, evaluation: EvaluationRead) -> dict[str, tuple[str, float]]:
    """Return what was answered to each item as owners read it, and what it scored."""
    found: dict[str, tuple[str, float]] = {}
    cursor: str | None = None
    while True:
        page = client.evaluations.items(evaluation.id, cursor=cursor, limit=200)
        for item in page.items:
            assert item.score is not None
            found[item.uid] = (str(item.outputs["label"]), item.score)
        cursor = page.next_cursor
        if cursor is None:
            return found


def hold_to_the_model(
    client: DynabenchClient, model: TrainedModel, evaluation: EvaluationRead, rows: Sequence[Row]
) -> float:
    """Hold an evaluation to the model asked here and to scikit-learn; return the accuracy."""
    gold = [str(row["label"]) for row in rows]
    seen = [{name: row[name] for name in row if name not in {"uid", "label"}} for row in rows]
    said = [str(one["label"]) for one in model.predict(seen)]
    accuracy = accuracy_score(gold, said)
    found = answers_of(client, evaluation)
    assert found == {
        str(row["uid"]): (answer, 100.0 * (answer == right))
        for row, answer, right in zip(rows, said, gold, strict=True)
    }
    scores = {one.metric: one for one in evaluation.scores}
    assert scores["accuracy"].value == pytest.approx(100 * accuracy)
    assert scores["macro_f1"].value == pytest.approx(100 * f1_score(gold, said, average="macro"))
    assert (scores["accuracy"].items, evaluation.failed_items) == (len(rows), 0)
    return float(accuracy)


def upload(
    client: DynabenchClient, study: Study, folder: Path
) -> dict[str, list[DatasetVersionRead]]:
    """Upload each set; return it with the sets that vary it, as soon as they are there."""
    for name, rows in study.sets.items():
        file = folder / f"{name}.jsonl"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        told = client.datasets.upload(study.task, file, name=name, licence="Tests", split="test")
        assert (told.items, told.problems) == (len(rows), [])
    wanted = 3 * len(study.sets)
    wait_until(lambda: len(client.datasets.list(study.task)) == wanted, seconds=120)
    versions = client.datasets.list(study.task)
    originals = {one.name: one for one in versions if one.perturbs_id is None}
    return {
        name: [original, *(one for one in versions if one.perturbs_id == original.id)]
        for name, original in originals.items()
    }


@pytest.mark.parametrize("read", [sentiment, hate_speech, inference])
def test_a_learned_classifier_scores_what_it_scores_outside_the_platform(
    read: Callable[[Path], Study],
    client: DynabenchClient,
    real_data: Path,
    tmp_path: Path,
    note: Note,
) -> None:
    study = read(real_data)
    client.tasks.create(study.task, config_of(study))
    client.tasks.activate(study.task)
    versions = upload(client, study, tmp_path)
    model = learn(study, "text-classifier", tmp_path / "learned")
    learn(study, "majority", tmp_path / "majority")
    card = {
        "intended_use": "Tests.",
        "training_data": study.training_data,
        "limitations": "Reads words, not meaning.",
        "licence": "MIT",
    }
    ids = [
        client.models.submit(tmp_path / name, task=study.task, card=card, wait=True).id
        for name in ("learned", "majority")
    ]
    for model_id in ids:
        client.models.results(model_id)
        client.models.publish(model_id)

    read_model = client.models.get(ids[0])
    assert read_model.isolation is ModelIsolation.SANDBOX
    assert read_model.card is not None
    assert read_model.card.training_data == study.training_data
    evaluations = {one.dataset_version_id: one for one in client.evaluations.list(ids[0])}
    assert {one.state for one in evaluations.values()} == {EvaluationState.DONE}
    source = f"{study.source} classifier"
    for name, (original, *varied) in versions.items():
        evaluation = evaluations[original.id]
        accuracy = hold_to_the_model(client, model, evaluation, study.sets[name])
        assert accuracy > study.at_least
        note(source, f"accuracy on {name}", derived=f"{accuracy:.4f}")
        assert len(varied) == 2
        for delta in evaluation.deltas:
            assert delta.value is None or 0 <= delta.value <= 100
            if delta.transform is None:
                assert delta.value is not None
                note(source, f"{delta.kind} on {name}", derived=f"{delta.value:.2f}")
        assert {one.kind for one in evaluation.deltas} == {"robustness", "fairness"}
    hold_the_board(client, study, ids)
    hold_the_report(client, ids[0])


def hold_the_board(client: DynabenchClient, study: Study, ids: Sequence[object]) -> None:
    """The two models stand on the board in the order of their accuracies, told by intervals."""
    board = client.boards.get(study.task, metrics={"accuracy": 5})
    rows = {row.model.id: row for row in board.rows}
    assert rows.keys() == set(ids)
    points = [row.figures["accuracy"].value for row in board.rows]
    assert points == sorted(points, key=lambda value: -(value or 0))
    for row in board.rows:
        assert row.performance_rank is not None
        assert 1 <= row.performance_rank.low <= row.performance_rank.high <= len(ids)
        assert len(row.datasets) == len(study.sets)


def hold_the_report(client: DynabenchClient, model_id: object) -> None:
    """The report is genuine, and no longer when one figure of it is changed."""
    signed = client.models.report(str(model_id)).model_dump(mode="json")
    key = client.models.signing_key().public_key
    assert verify(signed, public_key=key).content["model"]
    changed = json.loads(json.dumps(signed).replace("accuracy", "exactness", 1))
    with pytest.raises(DocumentRefusedError):
        verify(changed, public_key=key)
