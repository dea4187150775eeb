"""A served installation in which the paths of the API have something to name."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from dynabench.app.wiring import wire
from dynabench.kit.settings import Settings
from dynabench.people.service import PeopleService
from tests.factories.tasks import NLI_CONFIG

_ADMIN, _PASSWORD = "admin", "correct horse battery"
_MODEL_URL = "http://93.184.215.14/v2/models/parrot"


@dataclass(frozen=True)
class ContractScene:
    """Whom to speak as, and what each name in a path may stand for."""

    url: str
    token: str
    known: Mapping[str, str]


def make_contract_scene(url: str, *, database_url: str, home: Path) -> ContractScene:
    """Play a little through the API: a task, a round, an example and a vote on it."""
    asyncio.run(_make_admin(database_url, home))
    with httpx2.Client(base_url=f"{url}/api/v1") as browser:
        _post(browser, "/session", {"username": _ADMIN, "password": _PASSWORD}, status=200)
        token = _post(browser, "/users/me/tokens", {"name": "contract"})
        round_id, model_id = _open_round(browser)
        with httpx2.Client(base_url=f"{url}/api/v1") as author:
            _post(author, "/users", {"username": "ada", "password": _PASSWORD})
            lent = _post(author, f"/rounds/{round_id}/next-context", {}, status=200)
            example = _post(
                author,
                f"/rounds/{round_id}/examples",
                {
                    "context_id": lent["context"]["id"],
                    "inputs": {"hypothesis": "The sun is out."},
                    "answer": {"label": "neutral"},
                },
            )
        browser.get(f"/rounds/{round_id}/next-to-validate").raise_for_status()
        vote = _post(browser, f"/examples/{example['id']}/validations", {"vote": "correct"})
    known = {
        "slug": "nli",
        "username": "ada",
        "round_id": round_id,
        "model_id": model_id,
        "context_id": lent["context"]["id"],
        "example_id": example["id"],
        "validation_id": vote["id"],
    }
    return ContractScene(url=url, token=token["secret"], known=known)


async def _make_admin(database_url: str, home: Path) -> None:
    wiring = wire(Settings(database_url=database_url, home=home))
    await wiring.get(PeopleService).create_user(_ADMIN, password=_PASSWORD, is_admin=True)
    await wiring.close()


def _open_round(browser: httpx2.Client) -> tuple[str, str]:
    _post(browser, "/tasks", {"slug": "nli", "config": NLI_CONFIG})
    _post(browser, "/tasks/nli/activate", {}, status=200)
    lines = [json.dumps({"context": {"premise": f"Premise {number}."}}) for number in range(9)]
    assert browser.post("/tasks/nli/contexts", content="\n".join(lines)).status_code == 200
    model = _post(
        browser,
        "/tasks/nli/models",
        {"name": "parrot", "kind": "endpoint", "options": {"url": _MODEL_URL}},
    )
    draft = _post(browser, "/tasks/nli/rounds", {"target_model_ids": [model["id"]]})
    _post(browser, f"/rounds/{draft['id']}/open", {}, status=200)
    return draft["id"], model["id"]


# Answers are JSON, read here without declaring their shapes again.
def _post(browser: httpx2.Client, path: str, body: object, *, status: int = 201) -> dict[str, Any]:
    answer = browser.post(path, json=body)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found
