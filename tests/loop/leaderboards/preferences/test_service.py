"""The preference board, from conversations as people hold them to what a page gets."""

from dataclasses import replace
from uuid import UUID

import pytest
from httpx2 import AsyncClient
from sqlalchemy import insert, select

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import VISITOR
from dynabench.kit.ids import new_id
from dynabench.loop.chats.schemas import TurnPut
from dynabench.loop.chats.values import Choice
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.examples.tables import examples
from dynabench.loop.leaderboards.preferences.endpoints import router
from dynabench.loop.leaderboards.preferences.service import PreferenceService
from dynabench.loop.rounds.errors import RoundNotFoundError
from dynabench.loop.rounds.values import RoundStatus
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.schemas import ExpertDecision, VoidRequest
from dynabench.loop.validations.values import Vote
from tests.conftest import HeldClock
from tests.factories.applications import make_client
from tests.factories.chats import SIDE_BY_SIDE, ChatStage, make_chat_stage
from tests.factories.contexts import make_context
from tests.factories.people import People, make_user
from tests.factories.rounds import make_round

CONFIG = SIDE_BY_SIDE.replace("{type: squad_f1, reference_name: reply}", "{type: preference}")


@pytest.fixture
async def stage(wiring: Wiring, clock: HeldClock) -> ChatStage:
    return await make_chat_stage(wiring, clock, config=CONFIG, targets=("echo", "yes"))


@pytest.fixture
def service(wiring: Wiring) -> PreferenceService:
    return wiring.get(PreferenceService)


async def hold(stage: ChatStage, *choices: Choice) -> UUID:
    """Hold a conversation about a new text and hand it in."""
    context = await make_context(stage.db, stage.task, clock=stage.clock)
    there = replace(stage, context=context)
    chat = await there.begin()
    for number, choice in enumerate(choices, start=1):
        await there.say(chat.id, f"{new_id().hex} {new_id().hex}")
        await there.chats.choose(chat.id, number, TurnPut(choice=choice), actor=stage.author)
    return (await there.submit({"chat": str(chat.id)})).id


async def store(stage: ChatStage, turns: object) -> None:
    """Write an example that holds a conversation as a file from elsewhere may."""
    async with stage.db.transaction() as session:
        (one,) = (await session.execute(select(examples).limit(1))).mappings()
        row = {**one, "id": new_id(), "inputs": {"dialogue": turns}, "attempt_number": 90}
        row |= {"context_id": (await make_context(stage.db, stage.task)).id, "duplicate_key": None}
        await session.execute(insert(examples).values(**row))


async def test_strengths_come_from_conversations_that_were_handed_in(
    stage: ChatStage, service: PreferenceService
) -> None:
    empty = await service.board(stage.task.slug, actor=VISITOR)
    assert (empty.rows, empty.choices) == ([], 0)
    assert empty.reason is not None
    assert empty.reason.startswith("Nobody has handed in")
    await hold(stage, Choice.TIE, Choice.ALL_BAD)
    await hold(stage, Choice.FIRST, Choice.SECOND)
    taken_back = await hold(stage, Choice.FIRST, Choice.FIRST)
    unfinished = await stage.begin()
    await stage.say(unfinished.id, "Hello?")
    await stage.chats.choose(unfinished.id, 1, TurnPut(choice=Choice.FIRST), actor=stage.author)
    await stage.wiring.get(ExampleService).retract(taken_back, actor=stage.author)

    board = await service.board(stage.task.slug, actor=VISITOR)

    assert (board.conversations, board.choices, board.ties, board.all_bad) == (2, 4, 1, 1)
    assert board.reason is None
    assert {one.model_name for one in board.rows} == {"echo", "yes"}
    for row in board.rows:
        assert (row.battles, row.wins, row.win_rate) == (3, 1.5, 50)
        assert (row.replies, row.all_bad, row.rank) == (4, 1, None)
        assert row.strength == pytest.approx(1000)
        # One person's choices say nothing of how others would choose.
        assert row.low is None
        assert "Too few people chose" in str(row.reason)


async def test_what_experts_void_or_flag_counts_no_more(
    stage: ChatStage, service: PreferenceService
) -> None:
    admin = await make_user(stage.db, is_admin=True)
    voided, flagged, _ = [await hold(stage, Choice.FIRST, Choice.SECOND) for _ in range(3)]
    experts = stage.wiring.get(ExpertService)
    void = VoidRequest(example_ids=[voided], reason="It was made up.")
    await experts.void(stage.round_.id, void, actor=admin)
    decision = ExpertDecision(example_ids=[flagged], vote=Vote.FLAGGED)
    await experts.decide(stage.round_.id, decision, actor=admin)

    board = await service.board(stage.task.slug, actor=VISITOR)
    assert (board.conversations, board.choices) == (1, 2)


async def test_a_model_without_a_strength_says_why(
    stage: ChatStage, service: PreferenceService
) -> None:
    await hold(stage, Choice.FIRST, Choice.ALL_BAD)
    board = await service.board(stage.task.slug, actor=VISITOR)
    assert [one.unranked for one in board.rows] == ["never_lost", "never_won"]
    assert all(one.strength is None and one.rank is None for one in board.rows)
    assert "won every comparison" in str(board.rows[0].reason)
    assert "chain of wins" in str(board.reason)


async def test_a_round_has_its_own_board_and_drafts_have_none(
    stage: ChatStage, service: PreferenceService
) -> None:
    await hold(stage, Choice.TIE, Choice.TIE)
    await make_round(stage.db, stage.task, status=RoundStatus.DRAFT, number=2)
    first = await service.board(stage.task.slug, actor=VISITOR, round_number=1)
    assert first.choices == 2
    for number in (2, 3):
        with pytest.raises(RoundNotFoundError):
            await service.board(stage.task.slug, actor=VISITOR, round_number=number)


async def test_what_a_file_says_of_unknown_models_is_left_out(
    stage: ChatStage, service: PreferenceService
) -> None:
    await hold(stage, Choice.TIE, Choice.TIE)
    turn = {"text": "Hi", "candidates": [], "choice": "0"}
    for turns in (
        [{**turn, "model_ids": ["gpt", "other"]}],
        [{**turn, "model_ids": "gpt"}],
        [turn],
        {"role": "user"},
    ):
        await store(stage, turns)
        board = await service.board(stage.task.slug, actor=VISITOR)
        assert (board.conversations, board.choices) == (1, 2)
    stranger = str(new_id())
    await store(stage, [{**turn, "model_ids": [stranger, board.rows[0].model_id.hex]}])
    await store(stage, [{**turn, "model_ids": [stranger, str(board.rows[0].model_id)]}])
    board = await service.board(stage.task.slug, actor=VISITOR)
    assert board.choices == 3
    assert len(board.rows) == 2


async def test_over_http_everybody_may_read_what_they_may_see(
    stage: ChatStage, service: PreferenceService
) -> None:
    people = People.over(stage.db, stage.clock)
    other = await make_chat_stage(stage.wiring, stage.clock, config=SIDE_BY_SIDE)
    services: dict[type[object], object] = {PreferenceService: service}
    client: AsyncClient
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        url = f"/api/v1/tasks/{stage.task.slug}/preferences"
        answer = await client.get(url)
        assert (answer.status_code, answer.json()["rows"]) == (200, [])
        assert (await client.get("/api/v1/tasks/none/preferences")).status_code == 404
        assert (await client.get(f"{url}?round_number=9")).json()["code"] == "rounds.not_found"
        assert (await client.get(f"{url}?round_number=0")).status_code == 422
        plain = await client.get(f"/api/v1/tasks/{other.task.slug}/preferences")
        assert plain.json()["reason"] == "This task compares no replies."
