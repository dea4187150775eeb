"""Whole tasks for tests: rounds with attempts, votes, decisions, a release and its scores."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from dynabench.app.wiring import Wiring
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.loop.datasets.errors import NothingToReleaseError
from dynabench.loop.datasets.perturbing.runs.service import PerturbationRunner
from dynabench.loop.datasets.perturbing.values import PerturbationOrder
from dynabench.loop.datasets.releases.service import ReleaseService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, OpenVerdicts, ReleaseOrder, Split
from dynabench.loop.examples.schemas import FlagCreate
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.leaderboards.saved.schemas import BoardCreate
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.values import BoardKind
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import (
    RoundControls,
    RoundPlan,
    RoundValidation,
    TargetPolicy,
)
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.experts.service import ExpertService
from dynabench.loop.validations.schemas import ExpertDecision, VoidRequest
from dynabench.loop.validations.service import ValidationService
from dynabench.loop.validations.values import Vote
from dynabench.science.perturbations.values import TransformKind
from tests.factories.answered import answer_items
from tests.factories.contexts import make_context
from tests.factories.datasets import make_dataset, make_item
from tests.factories.examples import Stage, make_stage
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.rounds import make_round
from tests.factories.tasks import add_member
from tests.factories.validations import vote


@dataclass(frozen=True)
class Attempt:
    """An attempt, and what became of it."""

    fools: bool = True
    votes: tuple[Vote, ...] = ()
    expert: Vote | None = None
    fate: str = ""
    is_contrast: bool = False


@dataclass(frozen=True)
class Told:
    """One round of a story."""

    attempts: tuple[Attempt, ...]
    policy: TargetPolicy = TargetPolicy.SINGLE
    no_model_share: float = 0.0
    is_released: bool = True


async def play(wiring: Wiring, clock: Clock, rounds: Sequence[Told]) -> str:
    """Write a task in which all of this happened; returns its slug."""
    stage = await make_stage(wiring, clock, targets=("parrot", "stubborn"))
    first = stage.round_
    parent: UUID | None = None
    await _end(stage)
    await _upload(stage)
    for told in rounds:
        plan = RoundPlan(
            target_model_ids=first.target_model_ids,
            target_policy=told.policy,
            validation=RoundValidation(quorum=2, maximum=3, share_of_others=1.0),
            parent_round_ids=() if parent is None else (parent,),
            parent_model_ids=first.target_model_ids[:1],
            controls=RoundControls(no_model_share=told.no_model_share),
        )
        round_ = await make_round(wiring.db, stage.task, plan=plan, clock=clock)
        context = await make_context(wiring.db, stage.task, tag="news", clock=clock)
        now = replace(stage, round_=round_, contexts=[context])
        await _collect(now, told.attempts)
        if told is not rounds[-1] or told.is_released:
            await _end(now)
        if told.is_released:
            await _release(now)
        parent = round_.id
    return stage.task.slug


async def _end(stage: Stage) -> None:
    await stage.wiring.get(RoundService).close_for_budget(stage.round_.id, reason="Enough.")


async def _collect(stage: Stage, attempts: Sequence[Attempt]) -> None:
    expert = await _member(stage, TaskRole.EXPERT)
    written: UUID | None = None
    for told in attempts:
        author = stage.author if told.is_contrast else await stage.person()
        contrast = written if told.is_contrast else None
        example = await stage.write(fooling=told.fools, by=author, contrast_of=contrast)
        written = example.id if author is stage.author else written
        if told.fate == "withdrawn":
            validator = await stage.person()
            cast = await vote(stage, example.id, by=validator)
            await stage.wiring.get(ValidationService).withdraw(cast.id, actor=validator)
        for said in told.votes:
            await vote(stage, example.id, said)
        await _judge(stage, example.id, told, expert)
        if told.fate == "flagged":
            flag = FlagCreate(reason="It is odd.")
            await stage.wiring.get(ExampleService).flag(example.id, flag, actor=author)
        if told.fate == "retracted":
            await stage.wiring.get(ExampleService).retract(example.id, actor=author)


async def _judge(stage: Stage, example_id: UUID, told: Attempt, expert: Actor) -> None:
    experts = stage.wiring.get(ExpertService)
    if told.expert is not None:
        decision = ExpertDecision(example_ids=[example_id], vote=told.expert)
        await experts.decide(stage.round_.id, decision, actor=expert)
    if told.fate == "voided":
        voided = VoidRequest(example_ids=[example_id], reason="Not written by its author.")
        await experts.void(stage.round_.id, voided, actor=expert)


async def _member(stage: Stage, role: TaskRole) -> Actor:
    actor = await make_user(stage.db)
    await add_member(stage.db, stage.task, actor, role, clock=stage.clock)
    return actor


async def _release(stage: Stage) -> None:
    order = ReleaseOrder(
        round_id=stage.round_.id,
        seed=7,
        licence="CC-BY-4.0",
        open_verdicts=OpenVerdicts.SETTLE,
        allow_incomplete=True,
    )
    try:
        version = await stage.wiring.get(ReleaseService).release(order, progress=_no_progress)
    except NothingToReleaseError:
        return
    await _score(stage, version)


async def _upload(stage: Stage) -> None:
    """Bring a set, vary it, score a model on it, and freeze the board."""
    items = [make_item(number) for number in range(4)]
    version = await make_dataset(stage.db, stage.task, items, clock=stage.clock)
    await _score(stage, version)
    perturbing = PerturbationOrder(version_id=version.id, kind=TransformKind.ROBUSTNESS)
    await stage.wiring.get(PerturbationRunner).run(
        perturbing, created_by=None, progress=_no_progress
    )
    owner = await _member(stage, TaskRole.OWNER)
    board = BoardCreate(kind=BoardKind.SNAPSHOT, name="At first")
    await stage.wiring.get(SavedBoardService).save(stage.task.slug, board, actor=owner, key=None)


async def _score(stage: Stage, version: DatasetVersion) -> None:
    model = await make_model(stage.db, stage.task, clock=stage.clock)
    datasets = stage.wiring.get(DatasetService)
    items = [
        item for split in Split async for page in datasets.pages(version.id, split) for item in page
    ]
    await answer_items(
        stage.db, model_id=model.id, version_id=version.id, items=items, answers={0: None}
    )


async def _no_progress(done: float, total: float, message: str) -> None:
    del done, total, message
