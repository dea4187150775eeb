"""Attempts without a model and on an earlier one: blind for their author, counted apart."""

from collections.abc import Iterator
from typing import Any

import pytest

from dynabench.app.verify import verify
from dynabench.app.wiring import Wiring
from tests.stories.conftest import Browser, SignedIn
from tests.stories.test_the_loop import Json, get, judge, open_round, post

# What would tell an author that a model was fooled, wherever it stands in an answer.
_TELLING = (
    *("fooled", "verified_fooled", "pending", "undecided", "disputed", "waiting", "differing"),
    # Of a release that is planned, and of what others did.
    *("fooling", "verified", "open_verdicts", "votes"),
)
_ANSWERS = ("predictions", "outputs", "model_answers", "probabilities", "gold")


def _parts(found: Any) -> Iterator[dict[str, Any]]:
    if isinstance(found, dict):
        yield found
    for value in found.values() if isinstance(found, dict) else found:
        if isinstance(value, dict | list):
            yield from _parts(value)


def _told(found: Any) -> list[tuple[str, object]]:
    """Return what an answer says of models that were fooled, or of what they answered."""
    return [
        (name, part[name])
        for part in _parts(found)
        for name in (*_TELLING, *_ANSWERS)
        if part.get(name)
    ]


async def _lend(browser: Browser, round_id: str, *, is_model_shown: bool) -> str:
    """Pass over contexts until one comes with a model, or without."""
    skipped: list[str] = []
    while True:
        lent = await post(browser, f"/rounds/{round_id}/next-context", {"skip": skipped}, 200)
        if lent["is_model_shown"] is is_model_shown:
            return str(lent["context"]["id"])
        skipped.append(lent["context"]["id"])


async def _fool(browser: Browser, round_id: str, context_id: str, word: str) -> Json:
    body = {
        "context_id": context_id,
        "inputs": {"hypothesis": f"This is entailment, {word * 3}."},
        "answer": {"label": "neutral"},
    }
    return await post(browser, f"/rounds/{round_id}/examples", body)


@pytest.mark.parametrize("author", ["ada", "admin"])
async def test_no_route_tells_authors_what_a_hidden_model_made_of_their_attempts(
    sign_in: SignedIn, author: str
) -> None:
    admin = await sign_in("admin")
    writer = admin if author == "admin" else await sign_in(author)
    round_ = await open_round(admin, 40, controls={"no_model_share": 0.5})
    context_id = await _lend(writer, round_["id"], is_model_shown=False)
    stored = await _fool(writer, round_["id"], context_id, "calmly")
    example_id = stored["id"]
    for name in ("ben", "cleo", "dan"):
        await judge(await sign_in(name), round_["id"], example_id)

    assert stored["is_model_shown"] is False
    assert _told(stored) == []
    known = {
        "round_id": round_["id"],
        "example_id": example_id,
        "context_id": context_id,
        "model_id": round_["target_model_ids"][0],
        "slug": "nli",
        "username": author,
    }
    routes = (await get(writer, "/openapi.json"))["paths"]
    asked = 0
    for path, methods in routes.items():
        # A stream never ends; its numbers are served as they stand at another address.
        if "get" not in methods or path.endswith("/live"):
            continue
        answer = await writer.get(path.format_map(_Known(known)))
        if answer.status_code == 200 and "json" in answer.headers["content-type"]:
            asked += 1
            is_stream = "ndjson" in answer.headers["content-type"]
            assert not is_stream or example_id not in answer.text, path
            assert is_stream or _told(answer.json() or {}) == [], path
    assert asked > 30
    assert _told(await get(writer, "/users/ben/credit")) == []
    for change, body in (
        ("retract", {}),
        ("flag", {"reason": "It is odd."}),
    ):
        assert _told(await post(writer, f"/examples/{example_id}/{change}", body, 200)) == []

    await post(admin, f"/rounds/{round_['id']}/close", {}, 200)
    told = await get(writer, f"/examples/{example_id}")
    assert (told["fooled"], told["is_model_shown"], told["arm"]) == (True, True, "no_model")
    assert told["predictions"][0]["outputs"] == {"label": "entailment"}
    assert (await get(writer, "/users/ben/credit"))[0]["votes"] == 1


class _Known(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return name


async def test_control_arms_are_counted_apart(sign_in: SignedIn, wiring: Wiring) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_ = await open_round(
        admin, 40, controls={"no_model_share": 0.5}, budget={"validated_fooling": 1, "examples": 9}
    )
    round_id = round_["id"]
    blind = await _lend(ada, round_id, is_model_shown=False)
    hidden = await _fool(ada, round_id, blind, "calmly")
    again = await _fool(ada, round_id, blind, "wildly")
    seen = await _fool(ada, round_id, await _lend(ada, round_id, is_model_shown=True), "boldly")
    validators = [await sign_in(name) for name in ("ben", "cleo", "dan")]
    for validator in validators:
        await judge(validator, round_id, hidden["id"])

    assert again["is_model_shown"] is False
    assert seen["fooled"] is True
    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert (rate["collected"], rate["fooled"], rate["verified_fooled"]) == (1, 1, 0)
    progress = await get(ada, f"/rounds/{round_id}/my-progress")
    assert (progress["tries"], progress["fooled"], progress["pending"]) == (3, 1, 1)
    assert await get(ada, f"/rounds/{round_id}/arms") == []
    counts = {
        arm["arm"]: (arm["collected"], arm["fooled"], arm["verified_fooled"])
        for arm in await get(admin, f"/rounds/{round_id}/arms")
    }
    assert counts == {"target": (1, 1, 0), "no_model": (2, 2, 1), "earlier_target": (0, 0, 0)}
    # A validated fooling example of a control arm is none of those that the round is for.
    assert (await get(ada, f"/rounds/{round_id}"))["status"] == "open"
    for validator in validators:
        await judge(validator, round_id, seen["id"])
    assert (await get(ada, f"/rounds/{round_id}/error-rate"))["verified_fooled"] == 1
    assert (await get(ada, f"/rounds/{round_id}"))["status"] == "closed"
    assert (await get(ada, f"/rounds/{round_id}/my-progress"))["verified_fooled"] == 2
    assert await verify(wiring) == []


async def _counts(browser: Browser, round_id: str) -> set[int]:
    """Return how many attempts of the one author a round says it has, wherever it says so."""
    board = await get(browser, f"/rounds/{round_id}/annotators")
    numbers = await get(browser, f"/rounds/{round_id}/numbers")
    days = await get(browser, f"/rounds/{round_id}/days")
    pace = numbers["collection"]
    return {
        board["rows"][0]["collected"],
        days[0]["collected"],
        numbers["curve"][-1]["collected"],
        numbers["effort"]["attempts"],
        *([] if pace is None else [pace["last_hour"]["count"]]),
        (await get(browser, f"/rounds/{round_id}/error-rate"))["collected"],
        (await get(browser, f"/rounds/{round_id}/my-progress"))["tries"],
    }


async def test_an_earlier_target_answers_without_its_name(
    sign_in: SignedIn, wiring: Wiring
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    first = await open_round(admin, 40)
    await post(admin, f"/rounds/{first['id']}/close", {}, 200)
    options = {"url": "http://93.184.215.14/v2/models/other"}
    model = await post(
        admin, "/tasks/nli/models", {"name": "other", "kind": "endpoint", "options": options}
    )
    earlier = first["target_model_ids"][0]
    settings = {"target_model_ids": [model["id"]], "seed": 3}
    refused = await post(
        admin,
        "/tasks/nli/rounds",
        {**settings, "controls": {"earlier_share": 0.5, "model_id": model["id"]}},
        422,
    )
    assert "controls.model_id" in refused["fields"]
    controls = {"earlier_share": 0.5, "model_id": earlier}
    draft = await post(admin, "/tasks/nli/rounds", {**settings, "controls": controls})
    assert draft["control_target"]["name"] == "parrot"
    await post(admin, f"/rounds/{draft['id']}/open", {}, 200)

    stored = []
    # Once in eight thousand runs all of them fall into one arm.
    words = "calmly wildly boldly gladly sadly kindly oddly warmly coldly dimly fairly hotly idly"
    for word in (*words.split(), "justly"):
        lent = await post(ada, f"/rounds/{draft['id']}/next-context", {}, 200)
        stored.append(await _fool(ada, draft["id"], lent["context"]["id"], word))
    assert all(one["fooled"] and one["is_model_shown"] and one["arm"] is None for one in stored)
    assert {one["predictions"][0]["model_name"] for one in stored} == {None}
    answered = {
        (one["arm"], one["predictions"][0]["model_id"])
        for one in [(await get(admin, f"/examples/{one['id']}")) for one in stored]
    }
    assert answered == {("target", model["id"]), ("earlier_target", earlier)}
    arms = {one["arm"]: one["collected"] for one in await get(admin, f"/rounds/{draft['id']}/arms")}
    assert arms["target"] + arms["earlier_target"] == 14
    # No two public figures differ by the attempts that an earlier target answered.
    assert await _counts(ada, draft["id"]) == {14}
    kept = await admin.delete(f"/api/v1/models/{earlier}")
    assert kept.json()["code"] == "models.in_use"
    await post(admin, f"/rounds/{draft['id']}/close", {}, 200)
    assert await _counts(ada, draft["id"]) == {14, arms["target"]}
    assert await verify(wiring) == []
