"""One round from its opening to its error rates, through the public API alone."""

import json
from typing import Any

import pytest

from tests.factories.tasks import NLI_CONFIG
from tests.stories.conftest import Browser, SignedIn

# Responses are JSON, which these stories read without declaring its shape again.
Json = dict[str, Any]


async def post(browser: Browser, path: str, body: object, status: int = 201) -> Json:
    answer = await browser.post(f"/api/v1{path}", json=body)
    assert answer.status_code == status, answer.text
    found: Json = answer.json() if answer.content else {}
    return found


async def get(browser: Browser, path: str, status: int = 200) -> Any:
    answer = await browser.get(f"/api/v1{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


async def open_round(admin: Browser, contexts: int = 4, **settings: object) -> Json:
    """Set a task up with contexts and a target, and open a round of it."""
    await post(admin, "/tasks", {"slug": "nli", "config": NLI_CONFIG})
    await post(admin, "/tasks/nli/activate", {}, 200)
    lines = "\n".join(
        json.dumps({"context": {"premise": f"Premise number {number}."}, "tag": "news"})
        for number in range(contexts)
    )
    uploaded = await admin.post("/api/v1/tasks/nli/contexts", content=lines.encode())
    assert uploaded.json() == {"added": contexts, "already_there": 0}, uploaded.text
    model = await post(
        admin,
        "/tasks/nli/models",
        {
            "name": "parrot",
            "kind": "endpoint",
            "options": {"url": "http://93.184.215.14/v2/models/parrot"},
        },
    )
    draft = await post(admin, "/tasks/nli/rounds", {"target_model_ids": [model["id"]], **settings})
    return await post(admin, f"/rounds/{draft['id']}/open", {}, 200)


async def write(
    browser: Browser, round_id: str, *, says: str, means: str, word: str = "so"
) -> Json:
    """Write about the next context: the text says one label to the model and means another."""
    lent = await post(browser, f"/rounds/{round_id}/next-context", {}, 200)
    return await post(
        browser,
        f"/rounds/{round_id}/examples",
        {
            "context_id": lent["context"]["id"],
            "inputs": {"hypothesis": f"This is {says}, {word}."},
            "answer": {"label": means},
        },
    )


async def judge(
    browser: Browser, round_id: str, example_id: str, body: Json | None = None, status: int = 201
) -> Json:
    """Take what waits next and vote on one of these examples."""
    await get(browser, f"/rounds/{round_id}/next-to-validate?count=5")
    sent = body or {"vote": "correct"}
    return await post(browser, f"/examples/{example_id}/validations", sent, status)


async def test_a_fooling_example_is_validated_and_counted(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]

    fooling = await write(ada, round_id, says="entailment", means="neutral", word="calmly")
    honest = await write(ada, round_id, says="contradiction", means="contradiction", word="no")
    assert fooling["fooled"] is True
    assert honest["fooled"] is False
    assert fooling["predictions"][0]["outputs"] == {"label": "entailment"}
    assert fooling["tries_left"] == 9

    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert (rate["collected"], rate["fooled"], rate["pending"]) == (2, 1, 1)
    assert rate["model_error_rate"]["value"] == 0.5
    assert rate["validated_model_error_rate"]["value"] == 0.0

    for name in ("ben", "cleo", "dan"):
        validator = await sign_in(name)
        lent = await get(validator, f"/rounds/{round_id}/next-to-validate")
        assert [item["example_id"] for item in lent["items"]] == [fooling["id"]]
        assert lent["items"][0]["answer"] == {"label": "neutral"}
        await post(validator, f"/examples/{fooling['id']}/validations", {"vote": "correct"})

    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert (rate["verified_fooled"], rate["pending"]) == (1, 0)
    assert rate["validated_model_error_rate"]["value"] == 0.5
    # One person wrote everything, so nothing can be said of others.
    assert rate["validated_model_error_rate"]["low"] is None
    outcome = await get(admin, f"/examples/{fooling['id']}/outcome")
    assert outcome["verdict"] == "correct"
    assert outcome["gold"] == {"label": "neutral"}
    assert [vote["validator"] for vote in outcome["votes"]] == ["ben", "cleo", "dan"]
    board = await get(ada, f"/rounds/{round_id}/annotators")
    assert [(row["username"], row["verified_fooled"]) for row in board["rows"]] == [("ada", 1)]


async def test_nobody_judges_an_example_of_their_own(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    own = await write(ada, round_id, says="entailment", means="neutral")
    assert (await get(ada, f"/rounds/{round_id}/next-to-validate"))["items"] == []
    refused = await post(ada, f"/examples/{own['id']}/validations", {"vote": "correct"}, 403)
    assert refused["code"] == "validations.own_example"


async def test_nobody_judges_an_example_twice(sign_in: SignedIn) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    path = f"/examples/{example['id']}/validations"
    await judge(ben, round_id, example["id"])
    refused = await post(ben, path, {"vote": "incorrect"}, 409)
    assert refused["code"] == "validations.already_voted"


async def test_a_repeated_text_of_another_person_is_refused_and_nothing_of_it_told(
    sign_in: SignedIn,
) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    await write(ada, round_id, says="entailment", means="neutral", word="a long day")
    lent = await post(ben, f"/rounds/{round_id}/next-context", {}, 200)
    body = {
        "context_id": lent["context"]["id"],
        "inputs": {"hypothesis": "This is ENTAILMENT,  a long day!"},
    }
    told = []
    for label in ("entailment", "neutral", "contradiction"):
        sent = {**body, "answer": {"label": label}}
        refused = await post(ben, f"/rounds/{round_id}/examples", sent, 409)
        told.append((refused["code"], refused["detail"], refused["facts"], refused["fields"]))
    assert told[0] == told[1] == told[2]
    assert told[0][0] == "examples.near_duplicate"
    assert told[0][2] == {}
    assert "long day" not in told[0][1]
    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert rate["collected"] == 1


async def test_an_edit_of_an_own_try_is_the_normal_way_to_work(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin, max_tries=2))["id"]
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)

    async def attempt(text: str, status: int) -> Json:
        body = {
            "context_id": lent["context"]["id"],
            "inputs": {"hypothesis": text},
            "answer": {"label": "neutral"},
        }
        return await post(ada, f"/rounds/{round_id}/examples", body, status)

    await attempt("The dog slept on the old sofa all afternoon", 201)
    second = await attempt("The dog slept on the old sofa all afternoons", 201)
    assert second["tries_left"] == 0
    refused = await attempt("The dog slept on the old sofa all evening", 429)
    assert refused["code"] == "examples.tries_spent"


async def test_a_double_click_is_one_example(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    body = {
        "context_id": lent["context"]["id"],
        "inputs": {"hypothesis": "Clicked in a hurry"},
        "answer": {"label": "neutral"},
    }
    path = f"/api/v1/rounds/{round_id}/examples"
    first = await ada.post(path, json=body, headers={"Idempotency-Key": "one"})
    again = await ada.post(path, json=body, headers={"Idempotency-Key": "one"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json()["id"] == again.json()["id"]
    other = body | {"inputs": {"hypothesis": "Another text"}}
    refused = await ada.post(path, json=other, headers={"Idempotency-Key": "one"})
    assert refused.status_code == 409
    assert refused.json()["code"] == "request.idempotency_key_reused"
    assert (await get(ada, f"/rounds/{round_id}/error-rate"))["collected"] == 1


async def test_a_retracted_example_stays_below_the_line(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    fooling = await write(ada, round_id, says="entailment", means="neutral")
    retracted = await post(ada, f"/examples/{fooling['id']}/retract", {}, 200)
    assert retracted["retracted_at"] is not None
    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert (rate["collected"], rate["fooled"], rate["retracted"]) == (1, 0, 1)
    assert rate["pending"] == 0


async def test_experts_decide_and_void(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    one = await write(ada, round_id, says="entailment", means="neutral", word="early")
    two = await write(ada, round_id, says="contradiction", means="neutral", word="much later")
    decided = await post(
        admin,
        f"/rounds/{round_id}/expert-decisions",
        {"example_ids": [one["id"]], "vote": "correct"},
        200,
    )
    assert decided == {"decided": 1, "passed_over": []}
    await post(
        admin,
        f"/rounds/{round_id}/voided-examples",
        {"example_ids": [two["id"]], "reason": "written by a test"},
        200,
    )
    rate = await get(ada, f"/rounds/{round_id}/error-rate")
    assert (rate["collected"], rate["verified_fooled"]) == (1, 1)
    page = await get(admin, f"/rounds/{round_id}/outcomes?verdict=correct")
    assert [item["example"]["id"] for item in page["items"]] == [one["id"]]
    found = await get(admin, f"/rounds/{round_id}/outcomes?search=much%20later")
    assert [item["is_voided"] for item in found["items"]] == [True]
    await get(ada, f"/rounds/{round_id}/outcomes", 403)


async def test_a_closed_round_takes_no_example_but_votes(sign_in: SignedIn) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    await post(admin, f"/rounds/{round_id}/close", {}, 200)
    refused = await post(ada, f"/rounds/{round_id}/next-context", {}, 409)
    assert refused["code"] == "examples.round_not_open"
    await judge(ben, round_id, example["id"])


async def test_blind_validators_see_no_answer_and_make_the_gold(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    rule = {"mode": "blind", "quorum": 2, "maximum": 3, "gold_from": "validators"}
    round_id = (await open_round(admin, validation=rule))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    assert example["fooled"] is None
    for name in ("ben", "cleo"):
        validator = await sign_in(name)
        lent = await get(validator, f"/rounds/{round_id}/next-to-validate")
        assert lent["items"][0]["answer"] is None
        await post(
            validator,
            f"/examples/{example['id']}/validations",
            {"answer": {"label": "entailment"}},
        )
    outcome = await get(admin, f"/examples/{example['id']}/outcome")
    assert outcome["verdict"] == "correct"
    assert outcome["gold"] == {"label": "entailment"}
    assert outcome["agrees_with_author"] is False
    assert outcome["fooled"] is False


async def test_a_vote_can_be_withdrawn_for_ten_seconds(sign_in: SignedIn, clock: Any) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    path = f"/examples/{example['id']}/validations"
    vote = await judge(ben, round_id, example["id"], {"vote": "incorrect"})
    clock.advance(seconds=9)
    withdrawn = await ben.delete(f"/api/v1/validations/{vote['id']}")
    assert withdrawn.status_code == 204
    again = await post(ben, path, {"vote": "correct"})
    clock.advance(seconds=11)
    late = await ben.delete(f"/api/v1/validations/{again['id']}")
    assert late.json()["code"] == "validations.withdrawal_too_late"


async def test_the_sandbox_answers_without_an_account_and_stores_nothing(
    sign_in: SignedIn, visitor: Browser
) -> None:
    admin = await sign_in("admin")
    round_id = (await open_round(admin))["id"]
    answer = await post(
        visitor,
        "/tasks/nli/tries",
        {
            "context": {"premise": "It rains."},
            "inputs": {"hypothesis": "It is entailment."},
            "answer": {"label": "neutral"},
        },
        200,
    )
    assert answer["fooled"] is True
    assert (await get(admin, f"/rounds/{round_id}/error-rate"))["collected"] == 0
    await post(visitor, f"/rounds/{round_id}/next-context", {}, 401)


async def test_contexts_spread_over_annotators(sign_in: SignedIn) -> None:
    admin = await sign_in("admin")
    round_id = (await open_round(admin))["id"]
    lent = []
    for name in ("ada", "ben", "cleo", "dan"):
        browser = await sign_in(name)
        found = await post(browser, f"/rounds/{round_id}/next-context", {}, 200)
        lent.append(found["context"]["id"])
    assert len(set(lent)) == 4


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"inputs": {"hypothesis": "x\x00y"}}, "inputs.hypothesis"),
        ({"inputs": {"hypothesis": "\ud800"}}, "inputs.hypothesis"),
        ({"inputs": {"hypothesis": "x" * 1_000_000}}, "inputs.hypothesis"),
        ({"inputs": {"hypothesis": 7}}, "inputs.hypothesis"),
        ({"inputs": {}}, "inputs.hypothesis"),
        ({"inputs": {"hypothesis": "fine", "hypotesis": "x"}}, "inputs.hypotesis"),
        ({"answer": {"label": "perhaps"}}, "answer.label"),
        ({"fooled": True}, "fooled"),
    ],
)
async def test_bad_input_names_the_field_and_nothing_is_stored(
    sign_in: SignedIn, change: Json, field: str
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    body = {
        "context_id": lent["context"]["id"],
        "inputs": {"hypothesis": "fine"},
        "answer": {"label": "neutral"},
    } | change
    answer = await ada.post(
        f"/api/v1/rounds/{round_id}/examples",
        content=json.dumps(body),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == 422, answer.text
    assert field in answer.json()["fields"]
    assert (await get(ada, f"/rounds/{round_id}/error-rate"))["collected"] == 0
