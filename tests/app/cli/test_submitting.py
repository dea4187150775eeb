"""A model is handed in, looked at, and taken back by the command line."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from dynabench import DynabenchClient
from dynabench.engines.sandbox.sandbox import Sandbox
from dynabench.kit.clock import SystemClock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.schemas import EvaluationRead
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.values import ModelStatus
from dynabench.loop.rounds.values import RoundPlan
from tests.app.cli.conftest import CONFIG, Command
from tests.app.cli.test_evaluations import workers
from tests.engines.sandbox.running import LIMITS, available
from tests.factories.datasets import make_dataset, make_item
from tests.factories.rounds import make_round
from tests.factories.submissions import HANDLER
from tests.factories.tasks import make_task

PASSWORD = "correct horse battery"


async def make_released_round(url: str) -> None:
    """Write a task with a round's dataset."""
    database, clock = Database.from_url(url, pool_size=3), SystemClock()
    try:
        task = await make_task(database, slug="nli", config=CONFIG)
        round_ = await make_round(database, task, plan=RoundPlan(), clock=clock)
        items = [make_item(number, split=Split.TEST) for number in range(12)]
        await make_dataset(database, task, items, round_id=round_.id, clock=clock)
    finally:
        await database.close()


def test_a_submission_waits_for_its_scores_and_shows_them(
    owner: Command, server_url: str, database_url: str, tmp_path: Path
) -> None:
    available(Sandbox(LIMITS))
    asyncio.run(make_released_round(database_url))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "model.py").write_text(HANDLER, encoding="utf-8")
    told: list[tuple[ModelStatus, list[EvaluationState]]] = []

    def tell(model: ModelRead, evaluations: Sequence[EvaluationRead]) -> None:
        told.append((model.status, [one.state for one in evaluations]))

    with workers(database_url, tmp_path / "home", count=1):
        done = owner("model", "submit", folder, "--task", "nli", "--wait", "scores")
        with DynabenchClient("", base_url=server_url) as grace:
            grace.account.sign_up("grace", PASSWORD)
            model = grace.models.submit(folder, task="nli", name="hers")
            results = grace.models.results(model, on_progress=tell)

    assert done.status == 0, done.err
    assert "is ready" in done.out
    assert {"dynascore", "round1_acc"} <= set(done.out.split())
    # First the model alone while it is checked, and at last its only evaluation.
    assert told[0][1] == []
    assert told[-1] == (ModelStatus.READY, [EvaluationState.DONE])
    assert results["round1_acc"] is not None


def test_an_endpoint_on_a_private_address_names_the_setting_that_allows_it(
    owner: Command, server_url: str, database_url: str
) -> None:
    asyncio.run(make_released_round(database_url))
    with DynabenchClient("", base_url=server_url) as grace:
        grace.account.sign_up("grace", PASSWORD)
    assert owner("task", "members", "add", "nli", "grace", "--role", "owner").status == 0
    assert owner("login", server_url, "-u", "grace", "--password", PASSWORD).status == 0

    refused = owner(
        "round", "open", "nli", "--draft", "--target", "http://127.0.0.1:9/v2/models/nli"
    )

    assert (refused.status, "DYNABENCH_ALLOWED_TARGET_HOSTS" in refused.err) == (1, True), refused


def test_a_model_is_submitted_shown_and_deleted(owner: Command, tmp_path: Path) -> None:
    config = tmp_path / "nli.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    assert owner("task", "create", "nli", config, "--activate").status == 0
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "dynabench.yaml").write_text(
        "task: nli\nkind: onnx\noptions: {labels: [entailment, neutral]}\n", encoding="utf-8"
    )
    (folder / "model.onnx").write_bytes(b"network")

    wrong = owner("model", "submit", folder)
    assert (wrong.status, "labels" in wrong.err) == (1, True)
    taken = owner(
        "model", "submit", "--task", "nli", "--kind", "predictions", "--name", "elsewhere"
    )
    assert taken.status == 0, taken.err
    listed = owner("model", "list", "nli")
    shown = owner("model", "show", "nli/elsewhere")
    assert "elsewhere v1" in listed.out
    assert {"submitted", "no_code", "predictions"} <= set(shown.out.split())
    assert owner("model", "log", "nli/elsewhere").status == 0
    lost = owner("model", "predictions", "nli/elsewhere", "Nowhere", folder / "model.onnx")
    assert (lost.status, "no dataset called “Nowhere”" in lost.err) == (1, True)
    card = tmp_path / "card.yaml"
    card.write_text("intended_use: Research.\nlicence: MIT\n", encoding="utf-8")
    early = owner("model", "publish", "nli/elsewhere", "--card", card)
    assert (early.status, "submitted" in early.err) == (1, True)
    again = owner("model", "retry", "nli/elsewhere")
    assert (again.status, "waits for its files" in again.err) == (1, True)
    nowhere = owner("model", "show", "elsewhere")
    assert (nowhere.status, "TASK/NAME" in nowhere.err) == (1, True)

    assert owner("model", "delete", "nli/elsewhere", "--yes").status == 0
    assert "elsewhere" not in owner("model", "list", "nli").out


def test_a_submission_says_what_it_lacks(command: Command, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("def predict(batch): ...", encoding="utf-8")
    no_task = command("model", "submit", tmp_path)
    assert (no_task.status, "--task" in no_task.err) == (1, True)
    no_value = command("model", "submit", "--task", "nli", "--kind", "container", "--option", "x")
    assert (no_value.status, "KEY=VALUE" in no_value.err) == (1, True)
