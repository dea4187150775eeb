"""Log lines name their request or job, and hold nothing that is secret or withheld.

A server and a worker are run; whatever may be secret is sent to them, with success, refused and
where something breaks on their side. Then everything that they wrote is searched.
"""

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
import structlog
from pydantic import BaseModel, ValidationError

from dynabench.engines.inference.errors import TargetUnavailableError
from dynabench.engines.inference.host import ModelHost
from dynabench.engines.inference.protocol import FakeTargetModel, ModelInput, Prediction
from dynabench.kit.logging import configure_logging, without_values
from dynabench.kit.settings import LogLevel
from tests.factories.contract_scenes import ContractScene, make_contract_scene
from tests.factories.databases import Databases
from tests.factories.dataset_files import as_lines, rows
from tests.factories.live_servers import live_server
from tests.factories.submissions import CARD, zipped

_PATIENCE_SECONDS = 90
# Whatever is sent has this in it.
MARK = "canary"
HANDLER = f"""
import sys
print("{MARK}-model-output", file=sys.stderr)
def predict(batch):
    raise RuntimeError("{MARK}-model-error")
"""


@dataclass
class Played:
    """What a server and a worker wrote while they were used, and what was answered."""

    server: list[dict[str, Any]]
    worker: list[dict[str, Any]]
    text: str
    broken: list[httpx2.Response]
    refused: list[httpx2.Response]
    failed_jobs: list[dict[str, Any]]
    secrets: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, databases: Databases) -> Iterator[Played]:
    home = tmp_path_factory.mktemp("logs")
    stream = io.StringIO()
    with databases.lend() as url, _logging_to(stream):
        with live_server(database_url=url, home=home) as address:
            scene = make_contract_scene(address, database_url=url, home=home)
            found = _Play(scene, database_url=url)
            found.refuse()
            found.break_requests()
            with _worker(url, home) as log:
                found.fail_jobs()
        text = stream.getvalue() + log.read_text(encoding="utf-8")
        yield Played(
            server=_lines(stream.getvalue()),
            worker=_lines(log.read_text(encoding="utf-8")),
            text=text,
            broken=found.broken,
            refused=found.refused,
            failed_jobs=found.failed_jobs,
            secrets=found.secrets,
        )


@contextmanager
def _logging_to(stream: io.StringIO) -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, config = [*root.handlers], root.level, structlog.get_config()
    configure_logging(level=LogLevel.DEBUG, as_json=True, stream=stream)
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.configure(**config)


@contextmanager
def _worker(url: str, home: Path) -> Iterator[Path]:
    """Run a worker in a process of its own; gives the file that it writes to."""
    log = home / "worker.log"
    parts = psycopg.conninfo.conninfo_to_dict(url) | {"password": f"{MARK}-database-password"}
    environment = {
        **os.environ,
        "DYNABENCH_DATABASE_URL": (
            f"postgresql://{parts['user']}:{parts['password']}@/{parts['dbname']}"
            f"?host={parts['host']}"
        ),
        "DYNABENCH_HOME": str(home),
        "DYNABENCH_LOG_JSON": "true",
        "DYNABENCH_LOG_LEVEL": "debug",
        "DYNABENCH_TRUST_SUBMITTERS": "true",
        "DYNABENCH_TARGET_API_KEYS": "CANARY_KEY=127.0.0.1",
        "CANARY_KEY": f"{MARK}-api-key",
    }
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "dynabench.app.worker"],
            env=environment,
            stdout=file,
            stderr=file,
        )
        try:
            yield log
        finally:
            process.terminate()
            process.wait(timeout=_PATIENCE_SECONDS)


def _lines(text: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert len(found) == len(text.splitlines()), text
    return found


class _Play:
    """Somebody who sends what is secret."""

    def __init__(self, scene: ContractScene, *, database_url: str) -> None:
        self._scene = scene
        self._database_url = database_url
        self._base = f"{scene.url}/api/v1"
        self._admin = {"authorization": f"Bearer {scene.token}"}
        self.broken: list[httpx2.Response] = []
        self.refused: list[httpx2.Response] = []
        self.failed_jobs: list[dict[str, Any]] = []
        self.secrets = [scene.token]

    def _sql(self, statement: str) -> None:
        with psycopg.connect(self._database_url, autocommit=True) as connection:
            connection.execute(statement.encode())

    def refuse(self) -> None:
        """Send secrets that are good, and the same kinds where they are refused."""
        password = f"{MARK}-password-1"
        with httpx2.Client(base_url=self._base) as person:
            made = person.post("/users", json={"username": "eve", "password": password})
            assert made.status_code == 201, made.text
            token = person.post("/users/me/tokens", json={"name": "t"}).json()["secret"]
            self.secrets += [token, *person.cookies.values()]
            assert self.secrets[-1]
        with httpx2.Client(base_url=self._base, headers=self._admin) as owner:
            link = owner.post("/tasks/nli/join-links", json={"role": "annotator"}).json()
            self.secrets.append(link["path"].rsplit("/", 1)[-1])
        bearer = {"authorization": f"Bearer {token}"}
        with httpx2.Client(base_url=self._base) as anybody:
            joined = anybody.post(f"/join-links/{self.secrets[-1]}", headers=bearer)
            assert joined.status_code < 300, joined.text
            wrong = {"username": "eve", "password": f"{MARK}-password-2"}
            forged = {"authorization": f"Bearer {MARK}-token"}
            self.refused = [
                anybody.post("/session", json=wrong),
                anybody.get("/users/me", headers=forged),
                anybody.get("/users/me", headers={"cookie": f"dynabench_session={MARK}-cookie"}),
                anybody.post(f"/join-links/{MARK}-join", headers=bearer),
                anybody.post(f"/password-resets/{MARK}-reset", json={"password": "short"}),
                anybody.post("/session", content=f'{{"password": "{MARK}-body'),
                anybody.get(f"/tasks/{MARK}-task"),
                anybody.post(self._examples, headers=bearer, json={"inputs": f"{MARK}-text"}),
                anybody.post("/users", content=b"x" * 3_000_000),
            ]

    @property
    def _examples(self) -> str:
        return f"/rounds/{self._scene.known['round_id']}/examples"

    def break_requests(self) -> None:
        """Have requests fail on the server's side, with what is secret in path, body and row."""
        attempt = {
            "context_id": self._scene.known["context_id"],
            "inputs": {"hypothesis": f"{MARK} says that nothing of the kind was ever seen"},
            "answer": {"label": "neutral"},
        }
        self._sql("ALTER TABLE task_join_links RENAME TO links_gone")
        self._sql("ALTER TABLE examples ADD CONSTRAINT never CHECK (false) NOT VALID")
        with httpx2.Client(base_url=self._base, headers=self._admin) as person:
            self.broken = [
                person.post(f"/join-links/{MARK}-secret"),
                person.post(self._examples, json=attempt),
            ]
        self._sql("ALTER TABLE links_gone RENAME TO task_join_links")

    def fail_jobs(self) -> None:
        """Have jobs fail: one that nobody foresaw, over withheld answers, and one of a model."""
        self._sql("ALTER TABLE dataset_items ADD CONSTRAINT never CHECK (false) NOT VALID")
        with httpx2.Client(base_url=self._base, headers=self._admin, timeout=30) as owner:
            data = as_lines([{**row, "hypothesis": f"{MARK}-{n}"} for n, row in enumerate(rows(3))])
            file = _good(owner.post("/tasks/nli/dataset-files", content=data))
            order = {
                "file": file["digest"],
                "row_format": "jsonl",
                "name": "withheld",
                "licence": "CC0-1.0",
                "access": "scoring",
            }
            upload = _good(owner.post("/tasks/nli/datasets", json=order))
            handed = {"name": "crasher", "kind": "handler", "card": CARD}
            model = _good(owner.post("/tasks/nli/submissions", json=handed))
            archive = zipped({"model.py": HANDLER})
            _good(owner.put(f"/models/{model['id']}/artifact", content=archive))
            deadline = time.monotonic() + _PATIENCE_SECONDS
            waiting = True
            while waiting:
                assert time.monotonic() < deadline, "the jobs did not end"
                time.sleep(0.2)
                found = _good(owner.get("/jobs"))
                waiting = any(one["state"] in {"queued", "running"} for one in found)
            self.failed_jobs = [one for one in found if one["id"] == upload["id"]]
            checked = _good(owner.get(f"/models/{model['id']}"))
            assert checked["status"] == "rejected", checked


# Answers are JSON, read here without declaring their shapes again.
def _good(answer: httpx2.Response) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def test_a_request_that_breaks_is_logged_under_the_id_that_its_answer_names(
    played: Played,
) -> None:
    logged = [line for line in played.server if line["event"] == "request failed"]

    assert [answer.status_code for answer in played.broken] == [500, 500]
    assert [line["request_id"] for line in logged] == [
        answer.headers["x-request-id"] for answer in played.broken
    ]
    assert [answer.json()["request_id"] for answer in played.broken] == [
        answer.headers["x-request-id"] for answer in played.broken
    ]
    assert [line["route"] for line in logged] == [
        "/api/v1/join-links/{secret}",
        "/api/v1/rounds/{round_id}/examples",
    ]


def test_what_breaks_is_answered_with_the_headers_of_every_answer(played: Played) -> None:
    for answer in played.broken:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_a_refusal_names_its_request(played: Played) -> None:
    assert {answer.status_code // 100 for answer in played.refused} == {4}
    for answer in played.refused:
        assert answer.json()["request_id"] == answer.headers["x-request-id"] != ""


def test_a_job_that_breaks_is_logged_under_its_id(played: Played) -> None:
    (job,) = played.failed_jobs

    assert job["state"] == "failed"
    lines = [line for line in played.worker if "stopped unexpectedly" in line["event"]]
    assert [line["job_id"] for line in lines] == [job["id"]]


def test_nothing_secret_or_withheld_is_in_any_log(played: Played) -> None:
    # What broke was written down with its trace, so there is something to find it in.
    assert "CheckViolation" in played.text
    assert "Traceback" in played.text or "exc_type" in played.text

    assert MARK not in played.text.lower()
    for secret in played.secrets:
        assert [line for line in played.text.splitlines() if secret in line] == []


class BrokenTarget(FakeTargetModel):
    """An adapter that fails in a way that nobody foresaw."""

    async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
        raise ZeroDivisionError(len(batch))


async def test_a_model_that_breaks_is_logged_for_each_request_that_it_ended() -> None:
    async def ask(number: int) -> None:
        structlog.contextvars.bind_contextvars(request_id=f"r{number}")
        with pytest.raises(TargetUnavailableError):
            await host.predict("m", {"number": number})

    stream = io.StringIO()
    host = ModelHost()
    host.attach("m", BrokenTarget(dict), name="m")
    with _logging_to(stream):
        # Each is a task of its own, as a request is.
        await asyncio.gather(*(ask(number) for number in range(3)))
    await host.close()

    ended = [line for line in _lines(stream.getvalue()) if "adapter" in line["event"]]
    assert sorted(line["request_id"] for line in ended) == ["r0", "r1", "r2"]


def test_a_failure_of_pydantic_and_of_postgresql_is_told_without_values() -> None:
    class Body(BaseModel):
        text: int

    with pytest.raises(ValidationError) as caught:
        Body.model_validate({"text": f"{MARK}-text"})
    assert MARK in str(caught.value)
    assert MARK not in without_values(str(caught.value))

    row = f"it broke\nDETAIL:  Failing row contains ({MARK}\n{MARK}).\nCONTEXT:  $1 = '{MARK}'"
    assert MARK not in without_values(row)
    assert without_values(row).startswith("it broke\nDETAIL:")
