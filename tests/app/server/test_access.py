"""Who may read and change what: every route of the OpenAPI document, asked by every identity.

`access.json` holds what each identity gets, decided route by route. A route that is not in it
fails, and so does one that answers somebody differently. `DYNABENCH_WRITE_ACCESS=1` writes the
file anew; read the difference before it is committed.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tests.factories.contract_scenes import ContractScene, make_contract_scene
from tests.factories.databases import Databases
from tests.factories.live_servers import live_server
from tests.factories.tasks import NLI_CONFIG
from tools.generate import openapi_text

TABLE = Path(__file__).with_name("access.json")
PASSWORD = "correct horse battery"
NOWHERE = str(UUID(int=7))
CANARY = "canary-4c1d"
LINES = "application/x-ndjson"
STREAMS = "text/event-stream"
DOCUMENT = json.loads(openapi_text())
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
READS = [
    path
    for path, operations in DOCUMENT["paths"].items()
    if "get" in operations
    and STREAMS not in operations["get"]["responses"].get("200", {}).get("content", {})
]
WRITES = [
    (method, path)
    for path, operations in DOCUMENT["paths"].items()
    for method in operations
    if method != "get"
]
# What a visitor may send: an account, a sign-in, a trial, and secrets that were handed over.
OPEN_WRITES = {
    ("post", "/api/v1/users"),
    ("post", "/api/v1/session"),
    ("delete", "/api/v1/session"),
    ("post", "/api/v1/tasks/{slug}/tries"),
    ("post", "/api/v1/tasks/{slug}/tries/replies"),
}


@pytest.fixture(scope="module")
def scene(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ContractScene]:
    home = tmp_path_factory.mktemp("access")
    with databases.lend() as database_url, live_server(database_url=database_url, home=home) as url:
        yield make_contract_scene(url, database_url=database_url, home=home)


@pytest.fixture(scope="module")
def identities(scene: ContractScene) -> dict[str, dict[str, str]]:
    """Return the headers of each identity, by its name."""
    base = f"{scene.url}/api/v1"
    admin = {"authorization": f"Bearer {scene.token}"}
    found: dict[str, dict[str, str]] = {"visitor": {}, "administrator": admin}
    with httpx2.Client(base_url=base, headers=admin) as client:
        made = client.post(
            "/tasks", json={"slug": "secret", "config": NLI_CONFIG + f"\n# {CANARY}\n"}
        )
        assert made.status_code == 201, made.text
        for name in ("owner", "expert", "annotator", "stranger", "disabled"):
            found[name] = {"authorization": f"Bearer {token_of(base, name)}"}
        for name, role in (("owner", "owner"), ("expert", "expert"), ("annotator", "annotator")):
            given = client.put(f"/tasks/nli/members/{name}-1", json={"role": role})
            assert given.status_code == 200, given.text
        reading = client.post("/users/me/tokens", json={"name": "reading", "scope": "read"})
        found["administrator, reading"] = {"authorization": f"Bearer {reading.json()['secret']}"}
        client.patch("/users/disabled-1/account", json={"is_disabled": True}).raise_for_status()
    found["forged token"] = {"authorization": "Bearer dyb_forged"}
    return found


def token_of(base: str, username: str) -> str:
    with httpx2.Client(base_url=base) as person:
        signed = person.post("/users", json={"username": f"{username}-1", "password": PASSWORD})
        assert signed.status_code == 201, signed.text
        made = person.post("/users/me/tokens", json={"name": "t", "expires_in_days": 1})
        return str(made.json()["secret"])


def place(path: str, scene: ContractScene, *, slug: str) -> str:
    known = {**scene.known, "slug": slug}
    for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
        path = path.replace(f"{{{name}}}", known.get(name, NOWHERE))
    return path


def test_every_identity_reads_what_was_decided(
    scene: ContractScene, identities: dict[str, dict[str, str]]
) -> None:
    found: dict[str, dict[str, int]] = {}
    with httpx2.Client(base_url=scene.url, timeout=30) as client:
        for path in READS:
            for slug in ("nli", "secret") if "{slug}" in path else ("nli",):
                answers = {
                    name: client.get(place(path, scene, slug=slug), headers=headers)
                    for name, headers in identities.items()
                }
                found[path.replace("{slug}", slug)] = {
                    name: answer.status_code for name, answer in answers.items()
                }
                for name, answer in answers.items():
                    assert answer.status_code < 500, f"{path}, {name}: {answer.text}"
                    if name not in {"administrator", "administrator, reading"}:
                        assert CANARY not in answer.text, f"{path}, {name}"
    if os.environ.get("DYNABENCH_WRITE_ACCESS") == "1":
        TABLE.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    decided = json.loads(TABLE.read_text(encoding="utf-8"))

    assert found == decided


def test_who_may_not_read_a_draft_is_not_told_of_it() -> None:
    decided = json.loads(TABLE.read_text(encoding="utf-8"))
    outside = ("visitor", "stranger", "annotator", "expert", "owner")
    told = {
        path: {name: answers[name] for name in outside}
        for path, answers in decided.items()
        if "/secret" in path and any(answers[name] == 200 for name in outside)
    }

    assert told == {}


@pytest.mark.parametrize("who", ["visitor", "disabled", "forged token", "administrator, reading"])
def test_nobody_changes_anything_without_the_right_to(
    scene: ContractScene, identities: dict[str, dict[str, str]], who: str
) -> None:
    """A body that the document allows is sent to every route that changes something."""
    allowed = []
    for method, path in WRITES:
        if (method, path) in OPEN_WRITES:
            continue
        status, text = send(scene, method, path, headers=identities[who])
        assert status < 500, f"{method} {path}: {text}"
        if status < 400:
            allowed.append((method, path))

    assert allowed == []


def send(
    scene: ContractScene, method: str, path: str, *, headers: dict[str, str]
) -> tuple[int, str]:
    """Send one request that the schema allows."""
    media = DOCUMENT["paths"][path][method].get("requestBody", {}).get("content", {})
    if LINES in media:
        # The generator writes no JSON lines.
        answer = httpx2.request(
            method,
            scene.url + place(path, scene, slug="nli"),
            content=b"{}\n",
            headers={**headers, "content-type": LINES},
        )
        return answer.status_code, answer.text[:300]
    operation = SCHEMA[path][method.upper()]
    answers: list[tuple[int, str]] = []

    @settings(
        max_examples=1,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def ask(case: Any) -> None:
        for name in case.path_parameters:
            case.path_parameters[name] = scene.known.get(name, case.path_parameters[name])
        case.headers.pop("authorization", None)
        answer = case.call(base_url=scene.url, headers=headers)
        answers.append((answer.status_code, answer.text[:300]))

    ask()
    return answers[-1]
