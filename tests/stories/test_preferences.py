"""Two people compare two assistants, and everybody sees which is stronger."""

import itertools
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from tests.factories.chats import SIDE_BY_SIDE, make_chat_stage, make_talking_wiring
from tests.factories.contexts import make_context
from tests.stories.conftest import Browser, SignedIn

CONFIG = SIDE_BY_SIDE.replace("{type: squad_f1, reference_name: reply}", "{type: preference}")
MESSAGES = (
    "Which way is the harbour?",
    "Does it rain there in spring?",
    "My bicycle lost its chain.",
    "How do I cook a leek?",
    "Who wrote this symphony?",
    "Tell me about glaciers.",
    "Is the museum open today?",
    "What rhymes with orange?",
)


@pytest.fixture
async def wiring(database_url: str, tmp_path: Path, clock: Clock) -> AsyncIterator[Wiring]:
    made = make_talking_wiring(database_url, tmp_path, clock)
    yield made
    await made.close()


async def test_choices_between_replies_become_a_board(
    wiring: Wiring, clock: Clock, visitor: Browser, sign_in: SignedIn
) -> None:
    stage = await make_chat_stage(wiring, clock, config=CONFIG, targets=("echo", "yes"))
    round_url = f"/api/v1/rounds/{stage.round_.id}"
    board_url = f"/api/v1/tasks/{stage.task.slug}/preferences"
    said = iter(MESSAGES)
    for person, likes_short in itertools.product(("ida", "max"), (True, False)):
        name = f"{person}-{likes_short}".lower()
        browser = await sign_in(name)
        context = await make_context(stage.db, stage.task, clock=clock)
        place = {"context_id": str(context.id), "field_name": "dialogue"}
        chat = (await browser.post(f"{round_url}/chats", json=place)).json()
        for number in (1, 2):
            turn_url = f"/api/v1/chats/{chat['id']}/turns"
            answer = await browser.post(turn_url, json={"text": next(said)})
            replies = [one["text"] for one in answer.json()["turns"][-1]["candidates"]]
            short = replies.index("Yes.")
            # Ida and Max both change their minds once, so that each model wins and loses.
            chosen = short if likes_short or number == 1 else 1 - short
            put = await browser.put(f"{turn_url}/{number}", json={"choice": str(chosen)})
            assert put.status_code == 200, put.text
        handed_in = await browser.post(
            f"{round_url}/examples",
            json={
                "context_id": str(context.id),
                "inputs": {"dialogue": {"chat": chat["id"]}},
                "answer": {},
            },
        )
        assert handed_in.status_code == 201, handed_in.text

    board = (await visitor.get(board_url)).json()

    assert (board["conversations"], board["choices"], board["reason"]) == (4, 8, None)
    first, second = board["rows"]
    assert (first["model_name"], first["wins"], first["battles"]) == ("yes", 6, 8)
    assert (second["model_name"], second["win_rate"]) == ("echo", 25)
    # Fewer than five people chose: that says nothing of how others would.
    assert (first["low"], first["high"]) == (None, None)
    assert first["strength"] - second["strength"] == pytest.approx(400 * 0.47712, abs=0.01)
    assert (await visitor.get(f"{board_url}?round_number=1")).json() == board
