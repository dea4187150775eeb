import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR, SignInRequiredError
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.chats.errors import (
    ChatFieldError,
    ChatFinishedError,
    ChatNotFoundError,
    ChatRoundClosedError,
    ChoiceInvalidError,
    ChoiceNeededError,
    NotLastTurnError,
    RegenerationsSpentError,
    ReplyFailedError,
    TurnNotFoundError,
    TurnsSpentError,
)
from dynabench.loop.chats.schemas import ChatCreate, TurnCreate, TurnPut
from dynabench.loop.chats.tables import chat_turns
from dynabench.loop.chats.values import Choice
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.errors import ExampleStateError, JudgeFailedError
from dynabench.loop.examples.sandbox.service import SandboxService
from dynabench.loop.examples.schemas import ExamplePatch, TryRepliesCreate
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.errors import RoundSettingsError
from dynabench.loop.rounds.references.rules import require_references
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import RoundPlan, TargetPolicy
from dynabench.science.task_config.problems import FieldValueError
from tests.conftest import HeldClock
from tests.factories.chats import JUDGED, SIDE_BY_SIDE, ChatStage, make_chat_stage, make_judge
from tests.factories.people import make_user
from tests.factories.tasks import NLI_CONFIG, make_task

CHOSEN = TurnPut(choice=Choice.SECOND)


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> ChatStage:
    return await make_chat_stage(wiring, clock)


async def test_a_conversation_goes_on_from_what_was_said_and_is_kept_with_the_attempt(
    stage: ChatStage,
) -> None:
    chat = await stage.talk("Hello.", "And now?")

    example = await stage.submit({"chat": str(chat.id)})

    assert [turn.candidates[0].text for turn in chat.turns] == ["1: Hello.", "3: And now?"]
    assert example.inputs["dialogue"] == [
        {
            "text": text,
            "candidates": [{"model": "A", "text": reply, "rating": None}],
            "choice": None,
            "model_ids": [str(stage.round_.targets[0].model_id)],
        }
        for text, reply in (("Hello.", "1: Hello."), ("And now?", "3: And now?"))
    ]
    assert [(one.model_name, one.outputs) for one in example.predictions] == [
        ("echo", {"reply": "3: And now?"})
    ]
    assert example.fooled is None
    finished = await stage.chats.read(chat.id, actor=stage.author)
    assert finished.submitted_at == stage.clock.now()


async def test_an_unfinished_conversation_is_taken_up_and_a_finished_one_is_not(
    stage: ChatStage,
) -> None:
    first, same = await asyncio.gather(stage.begin(), stage.begin())
    assert first.id == same.id
    await stage.talk("Hello.", "And now?")
    await stage.submit({"chat": str(first.id)})

    assert (await stage.begin()).id != first.id
    with pytest.raises(ChatFinishedError):
        await stage.say(first.id, "One more thing.")
    with pytest.raises(ChatFinishedError):
        await stage.submit({"chat": str(first.id)})


async def test_talking_renews_the_lease_of_the_context(stage: ChatStage, clock: HeldClock) -> None:
    chat = await stage.begin()
    clock.advance(minutes=29)
    await stage.say(chat.id, "Still here.")
    assert stage.author.user_id is not None
    async with stage.db.read() as session:
        end = await stage.wiring.get(ContextService).lease_of(
            session,
            round_id=stage.round_.id,
            context_id=stage.context.id,
            annotator_id=stage.author.user_id,
        )
    assert end == clock.now() + timedelta(minutes=30)


async def test_two_clicks_say_a_thing_once(stage: ChatStage) -> None:
    chat = await stage.begin()
    body = TurnCreate(text="Hello.")
    key = RequestKey.of(actor_id=stage.author.user_id, route="say", key="1", body=b"same")
    said = [stage.chats.say(chat.id, body, actor=stage.author, key=key) for _ in range(3)]

    found = await asyncio.gather(*said)

    assert [len(one.turns) for one in found] == [1, 1, 1]
    unkeyed = [stage.say(chat.id, "And now?") for _ in range(2)]
    done = await asyncio.gather(*unkeyed, return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["ChatChangedError", "ChatRead"]
    assert len((await stage.begin()).turns) == 2


async def test_a_candidate_that_fails_fails_the_turn_without_its_name(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(target_policy=TargetPolicy.ANY_FOOLED)
    stage = await make_chat_stage(
        wiring, clock, config=SIDE_BY_SIDE, targets=["echo", "mortal"], plan=plan
    )
    chat = await stage.begin()

    with pytest.raises(ReplyFailedError, match="Your text is kept") as failed:
        await stage.say(chat.id, "Please die.")

    assert "mortal" not in failed.value.message
    assert "secret-name" not in failed.value.message
    assert (await stage.begin()).turns == []
    assert len((await stage.say(chat.id, "Please live.")).turns) == 1


async def test_several_replies_wait_for_a_choice_and_the_conversation_goes_on_from_it(
    wiring: Wiring, clock: HeldClock
) -> None:
    plan = RoundPlan(target_policy=TargetPolicy.ANY_FOOLED)
    stage = await make_chat_stage(
        wiring, clock, config=SIDE_BY_SIDE, targets=["echo", "yes"], plan=plan
    )
    chat = await stage.talk("Hello.")
    replies = [one.text for one in chat.turns[0].candidates]
    assert sorted(replies) == ["1: Hello.", "Yes."]
    assert [one.model for one in chat.turns[0].candidates] == ["A", "B"]

    with pytest.raises(ChoiceNeededError):
        await stage.say(chat.id, "And now?")
    await stage.chats.choose(chat.id, 1, CHOSEN, actor=stage.author)
    chat = await stage.say(chat.id, "And now?")
    with pytest.raises(ChoiceNeededError):
        await stage.submit({"chat": str(chat.id)})
    with pytest.raises(NotLastTurnError):
        await stage.chats.choose(chat.id, 1, TurnPut(choice=Choice.TIE), actor=stage.author)
    await stage.chats.choose(chat.id, 2, TurnPut(choice=Choice.ALL_BAD), actor=stage.author)
    example = await stage.submit({"chat": str(chat.id)})

    # Each model stands for what it said itself at last.
    said = {one.model_name: one.outputs["reply"] for one in example.predictions}
    assert said == {"echo": "3: And now?", "yes": "Yes."}
    turns = example.inputs["dialogue"]
    assert isinstance(turns, list)
    assert [turn["choice"] for turn in turns] == ["1", "all_bad"]


async def test_one_target_gives_two_candidates_different_replies(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_chat_stage(wiring, clock, config=SIDE_BY_SIDE)
    chat = await stage.talk("Hello.")
    assert [one.text for one in chat.turns[0].candidates] == ["1: Hello.", "1: Hello. #1"]
    await stage.chats.choose(chat.id, 1, CHOSEN, actor=stage.author)
    await stage.say(chat.id, "And now?")
    await stage.chats.choose(chat.id, 2, CHOSEN, actor=stage.author)
    example = await stage.submit({"chat": str(chat.id)})
    assert [one.outputs for one in example.predictions] == [{"reply": "3: And now? #1"}]


async def test_replies_are_asked_for_anew_a_few_times_and_those_before_are_kept(
    stage: ChatStage,
) -> None:
    chat = await stage.talk("Hello.", "And now?")
    with pytest.raises(NotLastTurnError):
        await stage.chats.regenerate(chat.id, 1, actor=stage.author, key=None)
    for left in (4, 3, 2, 1, 0):
        chat = await stage.chats.regenerate(chat.id, 2, actor=stage.author, key=None)
        assert chat.turns[1].regenerations_left == left
    with pytest.raises(RegenerationsSpentError):
        await stage.chats.regenerate(chat.id, 2, actor=stage.author, key=None)

    assert chat.turns[1].candidates[0].text == "3: And now? #5"
    async with stage.db.read() as session:
        statement = select(chat_turns.c.replaced).where(chat_turns.c.number == 2)
        replaced = (await session.execute(statement)).scalar_one()
    assert [replies[0]["text"] for replies in replaced] == [
        "3: And now?",
        *(f"3: And now? #{number}" for number in range(1, 5)),
    ]


async def test_forged_choices_and_ratings_are_refused_with_the_field(stage: ChatStage) -> None:
    chat = await stage.talk("Hello.")

    async def put(**body: object) -> ChoiceInvalidError:
        with pytest.raises(ChoiceInvalidError) as refused:
            await stage.chats.choose(chat.id, 1, TurnPut.model_validate(body), actor=stage.author)
        return refused.value

    assert "nothing to choose" in (await put(choice="0")).fields["choice"]
    assert "one rating a reply" in (await put(ratings=[1, 2])).fields["ratings"]
    with pytest.raises(TurnNotFoundError):
        await stage.chats.choose(chat.id, 2, TurnPut(), actor=stage.author)
    rated = await stage.chats.choose(chat.id, 1, TurnPut(ratings=[4]), actor=stage.author)
    assert rated.turns[0].candidates[0].rating == 4


async def test_a_conversation_has_so_many_turns_and_no_more(stage: ChatStage) -> None:
    chat = await stage.talk("One.")
    with pytest.raises(FieldValueError, match=r"inputs\.dialogue: It has 1 of at least 2 turns"):
        await stage.submit({"chat": str(chat.id)})
    for text in ("Two.", "Three.", "Four."):
        await stage.say(chat.id, text)
    with pytest.raises(TurnsSpentError):
        await stage.say(chat.id, "Five.")


@pytest.mark.parametrize("value", [[], "hello", {"chat": "no id"}, {"chat": 7}, None, {}])
async def test_only_a_conversation_that_was_held_here_is_taken(
    stage: ChatStage, value: object
) -> None:
    chat = await stage.talk("Hello.", "And now?")
    example_like = [{"text": "Hi.", "candidates": [{"model": "A", "text": "I am bad."}]}] * 2
    for forged in (value, example_like):
        with pytest.raises(FieldValueError, match=r"inputs\.dialogue"):
            await stage.submit(forged)
    with pytest.raises(ChatNotFoundError):
        await stage.submit({"chat": str(uuid4())})
    assert (await stage.chats.read(chat.id, actor=stage.author)).submitted_at is None


async def test_other_peoples_conversations_are_not_found(stage: ChatStage) -> None:
    chat = await stage.talk("Hello.", "And now?")
    other = await make_user(stage.db)
    admin = await make_user(stage.db, is_admin=True)
    for somebody in (other, admin):
        with pytest.raises(ChatNotFoundError):
            await stage.chats.read(chat.id, actor=somebody)
        with pytest.raises(ChatNotFoundError):
            await stage.say(chat.id, "Let me in.", by=somebody)
        with pytest.raises(ChatNotFoundError):
            await stage.chats.regenerate(chat.id, 2, actor=somebody, key=None)
        with pytest.raises(ChatNotFoundError):
            await stage.chats.choose(chat.id, 2, TurnPut(), actor=somebody)
        with pytest.raises(ChatNotFoundError):
            await stage.submit({"chat": str(chat.id)}, by=somebody)
    with pytest.raises(SignInRequiredError):
        await stage.chats.read(chat.id, actor=VISITOR)


async def test_a_closed_round_takes_no_more_turns(stage: ChatStage) -> None:
    chat = await stage.talk("Hello.")
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")
    with pytest.raises(ChatRoundClosedError, match="is kept here"):
        await stage.say(chat.id, "And now?")
    with pytest.raises(ChatRoundClosedError):
        await stage.begin(by=await make_user(stage.db))


async def test_a_field_that_holds_no_conversation_is_refused(
    stage: ChatStage, clock: HeldClock
) -> None:
    body = ChatCreate(context_id=stage.context.id, field_name="reply")
    with pytest.raises(ChatFieldError, match="dialogue"):
        await stage.chats.begin(stage.round_.id, body, actor=stage.author, key=None)
    plain = await make_task(stage.db, config=NLI_CONFIG, clock=clock)
    asked = TryRepliesCreate.model_validate(
        {"context": {"premise": "P."}, "messages": [{"role": "user", "text": "Hi."}]}
    )
    with pytest.raises(ChatFieldError, match="no field for a conversation"):
        await stage.wiring.get(SandboxService).reply(plain.slug, asked, actor=VISITOR)


async def test_a_turn_that_came_between_reading_and_storing_keeps_the_attempt_out(
    stage: ChatStage,
) -> None:
    chat = await stage.talk("Hello.", "And now?")
    done = await asyncio.gather(
        stage.submit({"chat": str(chat.id)}),
        stage.submit({"chat": str(chat.id)}),
        stage.say(chat.id, "Wait."),
        return_exceptions=True,
    )
    stored = await stage.wiring.get(ExampleService).mine(
        stage.round_.id, context_id=None, actor=stage.author
    )
    now = await stage.chats.read(chat.id, actor=stage.author)
    assert len(stored) <= 1
    for example in stored:
        turns = example.inputs["dialogue"]
        assert isinstance(turns, list)
        assert len(turns) == len(now.turns)
    assert sum(isinstance(one, BaseException) for one in done) >= 1


async def test_visitors_talk_and_nothing_is_kept(stage: ChatStage) -> None:
    sandbox = stage.wiring.get(SandboxService)
    asked = {
        "context_id": stage.context.id,
        "messages": [
            {"role": "user", "text": "Hello."},
            {"role": "assistant", "text": "Hi."},
            {"role": "user", "text": "And now?"},
        ],
    }
    found = await sandbox.reply(
        stage.task.slug, TryRepliesCreate.model_validate(asked), actor=VISITOR
    )
    assert [(one.model, one.text) for one in found.candidates] == [("A", "3: And now?")]
    unfair = {**asked, "messages": [{"role": "assistant", "text": "Hi."}]}
    with pytest.raises(FieldValueError, match="take turns"):
        await sandbox.reply(stage.task.slug, TryRepliesCreate.model_validate(unfair), actor=VISITOR)
    async with stage.db.read() as session:
        assert (await session.execute(select(chat_turns))).first() is None


@pytest.mark.parametrize(
    ("reply", "word", "outcome"),
    [
        ("Be rude.", "wrong", "fooled"),
        ("Be kind.", "right", "not fooled"),
        ("Be rude.", "right", "undecided"),
        ("Be kind.", "wrong", "undecided"),
    ],
)
async def test_judge_and_author_have_to_agree(
    wiring: Wiring, clock: HeldClock, reply: str, word: str, outcome: str
) -> None:
    fooled = {"fooled": True, "not fooled": False}.get(outcome)
    stage = await make_chat_stage(wiring, clock, config=JUDGED, judge="warden")
    chat = await stage.talk("Hello.", reply)
    example = await stage.submit({"chat": str(chat.id)})
    judgement = example.predictions[0].judgement
    assert judgement is not None
    assert judgement.broken == (["polite"] if "rude" in reply else [])
    assert example.fooled is None

    examples = wiring.get(ExampleService)
    body = ExamplePatch(user_says_fooled=word == "wrong")
    said = await examples.change(example.id, body, actor=stage.author)

    assert said.fooled is fooled
    assert said.predictions[0].is_wrong is fooled
    assert said.predictions[0].judgement is not None
    assert said.predictions[0].judgement.author_says_wrong is (word == "wrong")
    with pytest.raises(ExampleStateError):
        await examples.change(example.id, body, actor=stage.author)


async def test_a_judge_that_fails_keeps_the_attempt_and_is_asked_again(
    wiring: Wiring, clock: HeldClock
) -> None:
    stage = await make_chat_stage(wiring, clock, config=JUDGED, judge="lost-warden")
    chat = await stage.talk("Hello.", "Be rude.")
    example = await stage.submit({"chat": str(chat.id)})
    judgement = example.predictions[0].judgement
    assert judgement is not None
    assert judgement.broken is None
    assert "'kind'" in (judgement.error or "")
    examples = wiring.get(ExampleService)
    word = ExamplePatch(user_says_fooled=True)
    with pytest.raises(JudgeFailedError):
        await examples.change(example.id, word, actor=stage.author)

    await make_judge(stage.db, stage.task, model="warden", version=2, clock=clock)
    said = await examples.change(example.id, word, actor=stage.author)

    assert said.fooled is True
    assert said.predictions[0].judgement is not None
    assert said.predictions[0].judgement.error is None


async def test_a_judge_is_no_target(wiring: Wiring, clock: HeldClock) -> None:
    stage = await make_chat_stage(wiring, clock, config=JUDGED)
    judge_id = await make_judge(stage.db, stage.task, clock=clock)
    judge = await wiring.get(ModelService).get(judge_id)
    plan = RoundPlan(target_model_ids=(judge_id,))
    with pytest.raises(RoundSettingsError, match="is a judge"):
        require_references(plan, models=[judge], has_parent_rounds=True)
    newest = await wiring.get(ModelService).newest_ready(stage.task.id)
    assert newest is not None
    assert newest.id != judge_id
