"""Wrong requests to the whole application: each is told what to correct, and nothing is kept."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.factories.tasks import NLI_CONFIG
from tests.stories.conftest import SignedIn
from tests.stories.test_the_loop import Json, get, open_round, post, write

_JSON = {"content-type": "application/json"}


def assert_told(answer: Any, *, field: str, part: str = "", status: int = 422) -> None:
    """Check that a refusal is a problem that names the field in a sentence."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert field in problem["fields"], problem
    assert part in problem["fields"][field], problem
    assert problem["detail"].endswith((".", "!", "?")), problem


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b'{"slug": "a",\n "config" "b"}', "at line 2, character 11"),
        (b"", "Field required"),
        (b'{"slug": "caf\xe9"}', "byte 14 is not UTF-8"),
        (b"[" * 100_000, "inside each other"),
        (b'"slug"', "valid dictionary"),
    ],
)
async def test_a_body_that_is_no_json_is_told_where_it_breaks(
    sign_in: SignedIn, content: bytes, part: str
) -> None:
    admin = await sign_in("admin")
    answer = await admin.post("/api/v1/tasks", content=content, headers=_JSON)
    assert_told(answer, field="body", part=part)
    assert await get(admin, "/tasks") == []


@pytest.mark.parametrize("is_announced", [True, False])
async def test_a_text_of_ten_megabytes_is_refused_before_it_is_read(
    sign_in: SignedIn, *, is_announced: bool
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    content = json.dumps({"inputs": {"hypothesis": "x" * 10_000_000}}).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 65_536):
            yield content[start : start + 65_536]

    answer = await ada.post(
        f"/api/v1/rounds/{round_id}/examples",
        content=content if is_announced else pieces(),
        headers=_JSON,
    )
    assert answer.status_code == 413, answer.text
    assert answer.json()["code"] == "request.too_large"
    assert "Send it in smaller parts." in answer.json()["detail"]
    assert (await get(admin, f"/rounds/{round_id}/error-rate"))["collected"] == 0


def filled(value: object, places: dict[str, str]) -> object:
    """Return a value with every `{place}` in its texts, keys too, filled in."""
    if isinstance(value, dict):
        return {filled(key, places): filled(item, places) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, places) for item in value]
    if isinstance(value, str):
        for place, text in places.items():
            value = value.replace(f"{{{place}}}", text)
    return value


async def test_a_character_that_nobody_can_keep_is_refused_wherever_it_is_sent(
    sign_in: SignedIn,
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_ = await open_round(admin)
    example = await write(ada, round_["id"], says="entailment", means="neutral")
    places = {
        "round": round_["id"],
        "example": example["id"],
        "model": round_["targets"][0]["model_id"],
        "context": example["context_id"],
    }
    told: list[str] = []
    for text in ("a\x00b", "a\x07b", "a\ud800b", "a\x85b"):
        for path, body, field in _SENT:
            asked = filled([path, body, field], places | {"text": text})
            assert isinstance(asked, list)
            browser = ada if path.endswith("/flag") else admin
            answer = await browser.post(
                f"/api/v1{asked[0]}", content=json.dumps(asked[1]), headers=_JSON
            )
            # A key is told back with the half of a character replaced.
            name = str(asked[2]).encode("utf-8", "replace").decode()
            fields = answer.json()["fields"] if answer.status_code == 422 else answer.text
            if name not in fields:
                told.append(f"{path} {body} {text!r}: {answer.status_code} {fields}")
    assert told == []
    assert len(await get(admin, "/tasks")) == len(await get(admin, "/tasks/nli/rounds")) == 1
    assert [job["name"] for job in await get(admin, "/jobs")] == ["models.submitted"]
    kept = await get(admin, f"/rounds/{round_['id']}/outcomes")
    assert [(one["is_voided"], one["votes"]) for one in kept["items"]] == [(False, [])]
    assert kept["items"][0]["example"]["flagged_at"] is None


async def test_a_search_for_what_nobody_can_keep_is_refused(sign_in: SignedIn) -> None:
    admin = await sign_in("admin")
    round_id = (await open_round(admin))["id"]
    outcomes = f"/api/v1/rounds/{round_id}/outcomes"
    assert_told(await admin.get(f"{outcomes}?search=%00"), field="search", part="a NUL character")
    assert_told(await admin.get(f"{outcomes}?tag=%00"), field="tag", part="a NUL character")
    contexts = await admin.get("/api/v1/tasks/nli/contexts?tag=%00")
    assert_told(contexts, field="tag", part="a NUL character")
    for path in ("/tasks/%00", "/users/%00", "/tasks/%ED%A0%80/current-round"):
        assert (await admin.get(f"/api/v1{path}")).status_code == 404


async def test_a_broken_file_of_contexts_is_told_by_line_and_nothing_of_it_is_kept(
    sign_in: SignedIn,
) -> None:
    admin = await sign_in("admin")
    await open_round(admin, contexts=2)
    lines = [
        '{"context": {"premise": "Good."}}',
        '{"context": {"premise": "Cut off',
        '{"context": {"premise": 7}}',
        '{"context": {"premise": "a\\u0000b"}}',
        '{"contxt": {"premise": "Good."}}',
    ]
    answer = await admin.post("/api/v1/tasks/nli/contexts", content="\n".join(lines).encode())
    assert answer.status_code == 422, answer.text
    problems = answer.json()["facts"]["problems"]
    assert sorted({problem["line"] for problem in problems}) == [2, 3, 4, 5]
    assert any("did you mean “context”" in problem["message"] for problem in problems)
    assert [one["contexts"] for one in await get(admin, "/tasks/nli/context-tags")] == [2]


async def test_a_broken_config_is_told_by_line_and_no_task_is_made(sign_in: SignedIn) -> None:
    admin = await sign_in("admin")
    for config, line, part in (
        ("title: a\ncontext: [\n", 3, "not YAML"),
        (NLI_CONFIG.replace("multiclass", "multiclas"), 7, "multiclas"),
        (NLI_CONFIG.replace("perf_metric", "perf_metrik"), 12, "perf_metrik"),
    ):
        answer = await admin.post("/api/v1/tasks", json={"slug": "nli", "config": config})
        assert answer.status_code == 422, answer.text
        problems = answer.json()["facts"]["problems"]
        assert any(
            problem["line"] == line and part in problem["message"] + problem["path"]
            for problem in problems
        ), problems
    assert await get(admin, "/tasks") == []


async def test_a_vote_that_is_not_wanted_is_refused_with_the_reason(sign_in: SignedIn) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin, validation={"quorum": 1, "maximum": 1}))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    path = f"/examples/{example['id']}/validations"
    await get(ben, f"/rounds/{round_id}/next-to-validate")

    for body, field in (
        ({"vote": "maybe"}, "vote"),
        ({}, "vote"),
        ({"vote": "correct", "answer": {"label": "neutral"}}, "answer"),
        ({"vote": "correct", "time_spent_seconds": -1}, "time_spent_seconds"),
    ):
        assert_told(await ben.post(f"/api/v1{path}", json=body), field=field)
    own = await post(ada, path, {"vote": "correct"}, 403)
    assert own["code"] == "validations.own_example"
    await post(ada, f"/examples/{example['id']}/retract", {}, 200)
    taken_back = await post(ben, path, {"vote": "correct"}, 409)
    assert taken_back["code"] == "validations.not_waiting"
    assert "taken back" in taken_back["detail"]
    assert (await get(admin, f"/examples/{example['id']}/outcome"))["votes"] == []


# Where texts go that people type: the path, the body, and the field that is to be named.
_MODEL = {"name": "m", "kind": "endpoint", "options": {}}
_TRY = {"context_id": "{context}", "inputs": {"hypothesis": "x"}, "answer": {"label": "neutral"}}
_VOTE = {"vote": "correct"}
_SENT: list[tuple[str, Json, str]] = [
    (
        "/users",
        {"username": "eve", "password": "long enough", "display_name": "{text}"},
        "display_name",
    ),
    ("/users/me/tokens", {"name": "{text}"}, "name"),
    ("/tasks/nli/models", _MODEL | {"name": "{text}"}, "name"),
    ("/tasks/nli/models", _MODEL | {"description": "{text}"}, "description"),
    ("/tasks/nli/models", _MODEL | {"options": {"url": "{text}"}}, "options.url"),
    ("/tasks/nli/models", _MODEL | {"options": {"{text}": "x"}}, "options.{text}"),
    ("/tasks/nli/trainings", {"name": "{text}"}, "name"),
    ("/tasks/nli/trainings", {"name": "t", "recipe": "{text}"}, "recipe"),
    ("/tasks/nli/trainings", {"name": "t", "description": "{text}"}, "description"),
    ("/tasks/nli/tries", _TRY | {"inputs": {"hypothesis": "{text}"}}, "inputs.hypothesis"),
    ("/tasks/nli/tries", _TRY | {"answer": {"label": "{text}"}}, "answer.label"),
    ("/rounds/{round}/examples", _TRY | {"inputs": {"hypothesis": "{text}"}}, "inputs.hypothesis"),
    ("/rounds/{round}/next-context", {"tags": ["{text}"]}, "tags.0"),
    ("/rounds/{round}/release", {"licence": "{text}"}, "licence"),
    (
        "/rounds/{round}/voided-examples",
        {"example_ids": ["{example}"], "reason": "{text}"},
        "reason",
    ),
    ("/examples/{example}/flag", {"reason": "{text}"}, "reason"),
    ("/examples/{example}/validations", _VOTE | {"metadata": {"why": "{text}"}}, "metadata.why"),
    ("/examples/{example}/validations", {"vote": "{text}"}, "vote"),
]
