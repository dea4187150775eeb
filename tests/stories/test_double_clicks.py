"""One click sent several times at once makes one thing, whatever is made."""

import asyncio
from importlib.resources import files

from dynabench.app.wiring import Wiring
from dynabench.loop.tasks.service import TaskService
from tests.factories.tasks import NLI_CONFIG
from tests.stories.conftest import Browser, SignedIn
from tests.stories.test_the_loop import get, open_round, post, write

_CLICKS = 5


async def clicked(browser: Browser, path: str, body: object) -> set[str]:
    """Send one request several times at once under one key; returns the ids that came back."""
    answers = await asyncio.gather(
        *(
            browser.post(f"/api/v1{path}", json=body, headers={"Idempotency-Key": "click"})
            for _ in range(_CLICKS)
        )
    )
    assert {answer.status_code for answer in answers} <= {201, 202}, [
        answer.text for answer in answers
    ]
    return {answer.json()["id"] for answer in answers}


async def test_an_attempt_is_one_example(sign_in: SignedIn) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    round_id = (await open_round(admin))["id"]
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    body = {
        "context_id": lent["context"]["id"],
        "inputs": {"hypothesis": "Clicked in a hurry"},
        "answer": {"label": "neutral"},
    }

    made = await clicked(ada, f"/rounds/{round_id}/examples", body)

    assert len(made) == 1
    mine = await get(ada, f"/rounds/{round_id}/examples/mine")
    assert [example["id"] for example in mine] == [*made]


async def test_a_vote_is_one_vote(sign_in: SignedIn) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    await get(ben, f"/rounds/{round_id}/next-to-validate")

    made = await clicked(ben, f"/examples/{example['id']}/validations", {"vote": "correct"})

    assert len(made) == 1
    outcome = await get(admin, f"/examples/{example['id']}/outcome")
    assert [vote["id"] for vote in outcome["votes"]] == [*made]


async def test_a_vote_without_a_key_is_one_vote_all_the_same(sign_in: SignedIn) -> None:
    admin, ada, ben = await sign_in("admin"), await sign_in("ada"), await sign_in("ben")
    round_id = (await open_round(admin))["id"]
    example = await write(ada, round_id, says="entailment", means="neutral")
    path = f"/api/v1/examples/{example['id']}/validations"
    await get(ben, f"/rounds/{round_id}/next-to-validate")

    answers = await asyncio.gather(
        *(ben.post(path, json={"vote": "correct"}) for _ in range(_CLICKS))
    )

    codes = sorted(answer.status_code for answer in answers)
    assert codes == [201] + [409] * (_CLICKS - 1)
    outcome = await get(admin, f"/examples/{example['id']}/outcome")
    assert len(outcome["votes"]) == 1


async def test_what_an_owner_makes_is_made_once(sign_in: SignedIn, wiring: Wiring) -> None:
    admin = await sign_in("admin")
    config = (files("dynabench.catalog") / "tasks/sentiment/task.yaml").read_text("utf-8")
    await wiring.get(TaskService).ensure("mood", config, catalog_folder="tasks/sentiment")
    round_ = await open_round(admin)

    rounds = await clicked(
        admin, "/tasks/nli/rounds", {"target_model_ids": [round_["targets"][0]["model_id"]]}
    )
    trainings = await clicked(admin, "/tasks/mood/trainings", {"name": "pupil"})

    assert len(rounds) == len(trainings) == 1
    assert len(await get(admin, "/tasks/nli/rounds")) == 2
    queued = [job for job in await get(admin, "/jobs") if job["name"] == "training.train"]
    assert len(queued) == 1


async def test_a_task_is_made_once(sign_in: SignedIn) -> None:
    admin = await sign_in("admin")
    body = {"slug": "nli", "config": NLI_CONFIG}
    headers = {"Idempotency-Key": "click"}

    answers = await asyncio.gather(
        *(admin.post("/api/v1/tasks", json=body, headers=headers) for _ in range(_CLICKS))
    )

    assert len(await get(admin, "/tasks")) == 1
    assert {answer.status_code for answer in answers} <= {201, 409}, [
        answer.text for answer in answers
    ]
