"""A target over real HTTP that dies, hangs or answers nonsense: the attempt fails in words.

Nothing is stored, the sentence says that the text is kept, and the same request under the
same key is taken as soon as the target has come to its senses.
"""

import functools
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from dynabench.app.server.factory import create_application
from dynabench.app.wiring import wire
from dynabench.engines.inference.adapters import build_target
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.kit.settings import Settings
from dynabench.people.service import PeopleService
from tests.engines.inference.servers import Reply, Request, serve
from tests.stories.conftest import PASSWORD, Browser
from tests.stories.test_the_loop import get, post

_CONFIG = """\
title: Answers
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string}
  - {name: label, type: multiclass, labels: ["yes", "no"]}
output:
  - {name: label}
  - {name: prob, type: prob, reference_name: label}
model_wrong_metric: {type: exact_match, reference_names: [label]}
perf_metric: {type: accuracy, reference_name: label}
"""
_SPANS = """\
title: Questions
context:
  - {name: passage, type: string}
input:
  - {name: question, type: string}
  - {name: answer, type: context_string_selection, reference_name: passage}
output:
  - {name: answer}
model_wrong_metric: {type: string_f1, reference_name: answer, threshold: 0.4}
perf_metric: {type: squad_f1, reference_name: answer}
"""
_PATIENCE_SECONDS = 2.0


def tensor(name: str, data: Sequence[object], *, datatype: str = "BYTES") -> dict[str, object]:
    return {"name": name, "datatype": datatype, "shape": [len(data)], "data": [*data]}


def outputs(*tensors: dict[str, object]) -> Reply:
    return Reply(body={"model_name": "oracle", "outputs": list(tensors)})


def labels(*data: object) -> Reply:
    return outputs(tensor("label", list(data)))


def with_probabilities(yes: object, no: object) -> Reply:
    prob: dict[str, object] = {
        "name": "prob",
        "datatype": "FP32",
        "shape": [1, 2],
        "data": [yes, no],
    }
    return outputs(tensor("label", ["yes"]), prob)


@dataclass
class Oracle:
    """A target of whom a test says how it answers next."""

    url: str = ""
    reply: Reply | None = None
    healthy: Reply = field(default_factory=lambda: labels("yes"))

    def answer(self, request: Request) -> Reply:
        if request.method == "GET":
            names = ("passage", "question")
            described = [{"name": name, "datatype": "BYTES", "shape": [-1]} for name in names]
            return Reply(body={"name": "oracle", "versions": ["1"], "inputs": described})
        return self.reply or self.healthy


@pytest.fixture
async def oracle() -> AsyncIterator[Oracle]:
    made = Oracle()
    async with serve(made.answer) as server:
        made.url = f"{server.url}/v2/models/oracle"
        yield made


@pytest.fixture
async def admin(database_url: str, tmp_path: Path) -> AsyncIterator[Browser]:
    """A signed-in administrator of an application with its real adapters."""
    local = HttpSettings(
        allowed_hosts=frozenset({"127.0.0.1"}),
        timeout_seconds=_PATIENCE_SECONDS,
        max_response_bytes=64 * 1024,
    )
    settings = Settings(
        database_url=database_url, home=tmp_path, allowed_target_hosts=("127.0.0.1",)
    )
    wiring = wire(settings, factory=functools.partial(build_target, http=local))
    await wiring.get(PeopleService).create_user("admin", password=PASSWORD, is_admin=True)
    transport = httpx2.ASGITransport(create_application(wiring, fold_in_background=False))
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as one:
        await post(one, "/session", {"username": "admin", "password": PASSWORD}, 200)
        yield one
    await wiring.close()


async def open_round(admin: Browser, oracle: Oracle, *, config: str = _CONFIG) -> tuple[str, str]:
    """Open a round against the oracle; returns its id and a context's."""
    await post(admin, "/tasks", {"slug": "ask", "config": config})
    await post(admin, "/tasks/ask/activate", {}, 200)
    line = json.dumps({"context": {"passage": "The river rose at night."}})
    assert (await admin.post("/api/v1/tasks/ask/contexts", content=line)).status_code == 200
    body = {"name": "oracle", "kind": "endpoint", "options": {"url": oracle.url}}
    model = await post(admin, "/tasks/ask/models", body)
    draft = await post(
        admin, "/tasks/ask/rounds", {"target_model_ids": [model["id"]], "max_tries": 100}
    )
    await post(admin, f"/rounds/{draft['id']}/open", {}, 200)
    lent = await post(admin, f"/rounds/{draft['id']}/next-context", {}, 200)
    return draft["id"], lent["context"]["id"]


_NONSENSE = {
    "dies": (Reply(hang_up=True), "cannot be reached"),
    "hangs": (Reply(delay_seconds=1.5 * _PATIENCE_SECONDS), "did not answer within"),
    "breaks": (Reply(status=500, body={"error": "out of memory"}), "out of memory"),
    "is busy": (Reply(status=429, body={}), "busy"),
    "leads elsewhere": (Reply(status=302, headers={"location": "http://10.0.0.1/"}), "redirects"),
    "is no JSON": (Reply(raw=b"<html>"), "not JSON"),
    "is no text": (Reply(raw=b"\xff\xfe\x00"), "not JSON"),
    "is nothing": (Reply(raw=b""), "not JSON"),
    "is endless": (Reply(raw=b"[" * 60_000), "not JSON"),
    "is huge": (Reply(raw=b'"' + b"x" * 100_000 + b'"'), "larger than"),
    "is a list": (Reply(body=[]), "no list 'outputs'"),
    "says nothing": (outputs(), "'label' is missing"),
    "is null": (labels(None), "'label' is missing"),
    "is an unknown label": (labels("perhaps"), "'label'"),
    "is a number": (labels(7), "'label'"),
    "is a list of labels": (labels(["yes", "no"]), "label"),
    "is half of a character": (
        Reply(
            raw=b'{"outputs": [{"name": "label", "datatype": "BYTES",'
            b' "shape": [1], "data": ["\\ud800"]}]}'
        ),
        "'label'",
    ),
    "holds a NUL": (labels("yes\x00"), "'label'"),
    "is two answers": (labels("yes", "no"), "expected 1 rows"),
    "has no shape": (outputs({"name": "label", "data": ["yes"]}), "no shape"),
    "is NaN": (with_probabilities(float("nan"), 0.5), "prob"),
    "is infinite": (with_probabilities(float("inf"), 0.0), "prob"),
    "does not sum to 1": (with_probabilities(0.9, 0.9), "sum to 1"),
    "is below 0": (with_probabilities(-0.5, 1.5), "prob"),
    "is no number": (with_probabilities("much", "little"), "prob"),
}


async def test_an_attempt_fails_in_words_and_is_taken_when_the_target_answers(
    admin: Browser, oracle: Oracle
) -> None:
    round_id, context_id = await open_round(admin, oracle)
    wrong: list[str] = []
    for number, (name, (reply, part)) in enumerate(_NONSENSE.items()):
        body = {
            "context_id": context_id,
            "inputs": {"question": f"{number} {'abcdefghijklmnopqrstuvwxyz'[number] * 12}?"},
            "answer": {"label": "no"},
        }
        path, headers = f"/api/v1/rounds/{round_id}/examples", {"Idempotency-Key": name}
        oracle.reply = reply
        failed = await admin.post(path, json=body, headers=headers)
        detail = str(failed.json()["detail"])
        if failed.status_code not in {429, 503} or part not in detail:
            wrong.append(f"{name}: {failed.status_code} {detail}")
        if "Your text is kept" not in detail or not failed.json()["code"].startswith("models."):
            wrong.append(f"{name}: {failed.json()}")
        kept = await get(admin, f"/rounds/{round_id}/examples/mine")
        if len(kept) != number:
            wrong.append(f"{name}: something was stored")
        oracle.reply = None
        again = await admin.post(path, json=body, headers=headers)
        if again.status_code != 201 or again.json()["inputs"] != body["inputs"]:
            wrong.append(f"{name}, well again: {again.status_code} {again.text}")
    assert wrong == []


async def test_a_target_that_answers_another_tasks_question_is_not_taken(
    admin: Browser, oracle: Oracle
) -> None:
    await post(admin, "/tasks", {"slug": "ask", "config": _CONFIG})
    oracle.reply = labels("perhaps")
    body = {"name": "oracle", "kind": "endpoint", "options": {"url": oracle.url}}
    refused = await post(admin, "/tasks/ask/models", body, 422)
    assert refused["code"] == "models.check_failed"
    assert "'label'" in refused["detail"]
    assert await get(admin, "/tasks/ask/models") == []


@pytest.mark.parametrize(
    "span",
    [
        {"text": "sea", "start": 4, "end": 7},
        {"text": "night.", "start": 18, "end": 99},
        {"text": "The", "start": -1, "end": 2},
        {"text": "", "start": 0, "end": 0},
        "The sea",
        7,
        None,
    ],
)
async def test_a_span_outside_its_context_is_refused_and_nothing_is_asked(
    admin: Browser, oracle: Oracle, span: object
) -> None:
    oracle.healthy = outputs(tensor("answer", ["river"]))
    round_id, context_id = await open_round(admin, oracle, config=_SPANS)
    oracle.reply = Reply(status=500)
    body = {
        "context_id": context_id,
        "inputs": {"question": "What rose?"},
        "answer": {"answer": span},
    }
    refused = await post(admin, f"/rounds/{round_id}/examples", body, 422)
    assert "answer.answer" in refused["fields"]
    assert refused["detail"].endswith(".")
    assert await get(admin, f"/rounds/{round_id}/examples/mine") == []
