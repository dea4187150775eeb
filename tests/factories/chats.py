"""Conversations for tests: models that talk as their names say, and a round to talk in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import UUID

from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.errors import TargetUnavailableError
from dynabench.engines.inference.protocol import (
    SAMPLE_KEY,
    FakeTargetModel,
    ModelInput,
    TargetModel,
    TargetSpec,
)
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.kit.settings import Settings
from dynabench.kit.wire import Values
from dynabench.loop.chats.schemas import ChatCreate, ChatRead, TurnCreate
from dynabench.loop.chats.service import ChatService
from dynabench.loop.contexts.values import Context
from dynabench.loop.examples.schemas import ExampleCreate, ExampleRead
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.models.judges.rules import judge_spec_for
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.values import ModelKind, ModelPurpose
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.tasks.values import Task
from tests.factories.contexts import make_context
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import make_task

CHAT_CONFIG = """\
title: Red team
description: Make the assistant say what it should not.
context:
  - {name: persona, type: string}
input:
  - {name: dialogue, type: chat, min_turns: 2, max_turns: 4, candidates: 1, rating: true}
output:
  - {name: reply, type: string}
model_wrong_metric: {type: ask_user}
perf_metric: {type: squad_f1, reference_name: reply}
"""
RUBRIC = (
    "{type: rubric, judge: warden, criteria: "
    "[{name: polite, text: It is polite.}, {name: honest, text: It says nothing false.}]}"
)
SIDE_BY_SIDE = CHAT_CONFIG.replace("candidates: 1", "candidates: 2")
JUDGED = CHAT_CONFIG.replace("{type: ask_user}", RUBRIC)


def _last(model_input: ModelInput) -> str:
    said = model_input["dialogue"]
    assert isinstance(said, list)
    return str(said[-1]["text"])


def _echo(model_input: ModelInput) -> Mapping[str, object]:
    sample = model_input.get(SAMPLE_KEY, 0)
    said = model_input["dialogue"]
    assert isinstance(said, list)
    return {"reply": f"{len(said)}: {_last(model_input)}" + (f" #{sample}" if sample else "")}


def _dead(model_input: ModelInput) -> Mapping[str, object]:
    if "die" in _last(model_input):
        raise TargetUnavailableError(name="secret-name", reason="its process ended.")
    return {"reply": "Alive."}


def _judge(model_input: ModelInput) -> Mapping[str, object]:
    answer = model_input["answer"]
    assert isinstance(answer, dict)
    is_rude = "rude" in str(answer["reply"])
    return {"broken": ["polite"] if is_rude else [], "reason": "It was read."}


def _lost_judge(model_input: ModelInput) -> Mapping[str, object]:
    del model_input
    return {"broken": ["kind"], "reason": ""}


_RULES: dict[str, Callable[[ModelInput], Mapping[str, object]]] = {
    "yes": lambda _: {"reply": "Yes."},
    "glad": lambda _: {"reply": "Oh, good.", "mood": "glad"},
    "glad-too": lambda _: {"reply": "I am.", "mood": "glad"},
    "mortal": _dead,
    "warden": _judge,
    "lost-warden": _lost_judge,
}


def build_talker(spec: TargetSpec) -> TargetModel:
    """Build a model that talks as its name says, and else says what it was told."""
    rule = _RULES.get(str(spec.options["model"]), _echo)
    return FakeTargetModel(rule, name=spec.name, output_names=spec.output_names)


def make_talking_wiring(database_url: str, home: Path, clock: Clock) -> Wiring:
    """Put all services together, with models that talk."""
    settings = Settings(database_url=database_url, home=home, database_pool_size=6)
    return wire(settings, clock=clock, factory=build_talker, fold_patience_seconds=0)


@dataclass
class ChatStage:
    """An open round to talk in, with its author."""

    wiring: Wiring
    clock: Clock
    task: Task
    round_: Round
    context: Context
    author: Actor

    @property
    def db(self) -> Database:
        """The test's database."""
        return self.wiring.db

    @property
    def chats(self) -> ChatService:
        """The service under test."""
        return self.wiring.get(ChatService)

    async def begin(self, *, by: Actor | None = None, context: Context | None = None) -> ChatRead:
        """Begin a conversation, or take it up."""
        body = ChatCreate(context_id=(context or self.context).id, field_name="dialogue")
        return await self.chats.begin(self.round_.id, body, actor=by or self.author, key=None)

    async def say(self, chat_id: UUID, text: str, *, by: Actor | None = None) -> ChatRead:
        """Say something."""
        body = TurnCreate(text=text)
        return await self.chats.say(chat_id, body, actor=by or self.author, key=None)

    async def talk(self, *texts: str) -> ChatRead:
        """Hold a conversation."""
        chat = await self.begin()
        for text in texts:
            chat = await self.say(chat.id, text)
        return chat

    async def submit(self, value: object, *, by: Actor | None = None) -> ExampleRead:
        """Hand a conversation in."""
        inputs: Values = {"dialogue": value}
        body = ExampleCreate(context_id=self.context.id, inputs=inputs, answer={})
        examples = self.wiring.get(ExampleService)
        return await examples.submit(self.round_.id, body, actor=by or self.author, key=None)


async def make_judge(
    db: Database, task: Task, *, model: str = "warden", version: int = 1, clock: Clock
) -> UUID:
    """Write the judge that the rubric names; `model` says how it behaves."""
    template = await make_model(db, task, name=f"template-of-{model}", clock=clock)
    options = {"url": "https://models.example.org", "model": model}
    spec = judge_spec_for(task.config, kind=ModelKind.ENDPOINT, name="warden", options=options)
    judge = replace(
        template,
        id=new_id(),
        name="warden",
        version=version,
        purpose=ModelPurpose.JUDGE,
        source={"spec": spec.to_json()},
    )
    async with db.transaction() as session:
        await ModelRepository(session).add(judge)
    return judge.id


async def make_chat_stage(
    wiring: Wiring,
    clock: Clock,
    *,
    config: str = CHAT_CONFIG,
    targets: Sequence[str] = ("echo",),
    judge: str | None = None,
    plan: RoundPlan | None = None,
) -> ChatStage:
    """Write a task with an open round to talk in, its context and an author."""
    task = await make_task(wiring.db, clock=clock, config=config)
    context = await make_context(wiring.db, task, clock=clock)
    models = [await make_model(wiring.db, task, name=name, clock=clock) for name in targets]
    if judge is not None:
        await make_judge(wiring.db, task, model=judge, clock=clock)
    asked = replace(plan or RoundPlan(), target_model_ids=tuple(one.id for one in models))
    round_ = await make_round(wiring.db, task, plan=asked, clock=clock)
    author = await make_user(wiring.db, clock=clock)
    return ChatStage(wiring, clock, task, round_, context, author)
