"""What must not make models be asked: clicks meanwhile, and conversations that are no try."""

import asyncio

import pytest

from dynabench.app.wiring import Wiring
from dynabench.kit.clock import Clock
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.chats.errors import ReplyFailedError, TalksSpentError
from dynabench.loop.chats.replies.service import ReplyService
from dynabench.loop.chats.schemas import TurnCreate
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundControls, RoundPlan
from tests.factories.chats import make_chat_stage
from tests.factories.models import make_model
from tests.factories.rounds import make_round


async def test_models_are_asked_once_however_often_somebody_clicks(
    wiring: Wiring, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = await make_chat_stage(wiring, clock)
    chat = await stage.begin()
    ask, asked = ReplyService.ask, 0

    async def counted(*parts: object, **named: object) -> object:
        nonlocal asked
        asked += 1
        # Long enough for the other clicks to have come.
        await asyncio.sleep(0.5)
        return await ask(*parts, **named)  # type: ignore[arg-type]  # They are passed on.

    monkeypatch.setattr(ReplyService, "ask", counted)
    key = RequestKey.of(actor_id=stage.author.user_id, route="say", key="1", body=b"same")
    body = TurnCreate(text="Hello.")

    said = [stage.chats.say(chat.id, body, actor=stage.author, key=key) for _ in range(3)]
    assert [len(one.turns) for one in await asyncio.gather(*said)] == [1, 1, 1]
    again = [stage.chats.regenerate(chat.id, 1, actor=stage.author, key=None) for _ in range(3)]
    done = await asyncio.gather(*again, return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == [
        "ChatChangedError",
        "ChatChangedError",
        "ChatRead",
    ]
    assert asked == 2


async def test_the_one_model_that_fails_is_not_named_where_an_earlier_one_might_have(
    wiring: Wiring, clock: Clock
) -> None:
    stage = await make_chat_stage(wiring, clock, targets=("mortal",))
    await wiring.get(RoundService).close_for_budget(stage.round_.id, reason="The test closed it.")
    target = stage.round_.targets[0].model_id
    earlier = await make_model(wiring.db, stage.task, name="echo", clock=clock)
    controls = RoundControls(earlier_share=1e-9, model_id=earlier.id)
    plan = RoundPlan(target_model_ids=(target,), controls=controls)
    stage.round_ = await make_round(wiring.db, stage.task, plan=plan, number=2, clock=clock)
    chat = await stage.begin()

    with pytest.raises(ReplyFailedError) as failed:
        await stage.chats.say(chat.id, TurnCreate(text="Please die."), actor=stage.author, key=None)

    assert "mortal" not in failed.value.message
    assert failed.value.facts == {"candidate": "A"}


async def test_models_are_asked_for_no_conversation_that_is_not_a_try(
    wiring: Wiring, clock: Clock
) -> None:
    stage = await make_chat_stage(wiring, clock)
    for number in range(stage.round_.max_tries):
        chat = await stage.talk(*("abcdefghij"[number] * length for length in (20, 30)))
        await stage.submit({"chat": str(chat.id)})
    with pytest.raises(TalksSpentError):
        await stage.begin()
