"""Use case of owners: what speaks for which next round."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.loop.datasets.rules import newest_versions
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetOrigin, DatasetVersion
from dynabench.loop.leaderboards.next_round.candidates.service import CandidateService
from dynabench.loop.leaderboards.next_round.describing.service import (
    describe_candidate,
    describe_contexts,
    describe_release,
    describe_suggestion,
)
from dynabench.loop.leaderboards.next_round.leaks.service import LeakService
from dynabench.loop.leaderboards.next_round.lineage.service import lineage_of, models_in
from dynabench.loop.leaderboards.next_round.rules import (
    draws_from,
    plan_budget,
    plan_round,
    suggest_targets,
    warnings_of,
)
from dynabench.loop.leaderboards.next_round.schemas import (
    BudgetPlanRead,
    ContextPlanRead,
    LineageRead,
    NextRoundQuery,
    NextRoundRead,
    PlanWarningRead,
)
from dynabench.loop.leaderboards.next_round.series.service import SeriesService
from dynabench.loop.leaderboards.next_round.values import Candidate, Notice, PastRound
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.rules import can_hide_models
from dynabench.loop.rounds.schemas import RoundSettings
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.rates.service import describe_rate
from dynabench.loop.validations.rates.values import RateWithInterval

_LAST = 2


class NextRoundService:
    """Plans for the next rounds of all tasks; nothing of them is stored."""

    def __init__(
        self,
        *,
        tasks: TaskService,
        rounds: RoundService,
        models: ModelService,
        datasets: DatasetService,
        standings: Standings,
        candidates: CandidateService,
        series: SeriesService,
        leaks: LeakService,
    ) -> None:
        self._tasks = tasks
        self._rounds = rounds
        self._models = models
        self._datasets = datasets
        self._standings = standings
        self._candidates = candidates
        self._series = series
        self._leaks = leaks

    async def plan(self, slug: str, query: NextRoundQuery, *, actor: Actor) -> NextRoundRead:
        """Return what speaks for which targets, contexts and budget, and what against.

        Raises:
            TaskNotFoundError: If there is no such task for the actor.
            TaskRoleNeededError: If the actor does not own it.
        """
        found = await self._gather(slug, actor)
        latest = found.past[0] if found.past else None
        suggestion = suggest_targets(
            found.candidates, last_targets=() if found.last is None else found.last.target_model_ids
        )
        budget = plan_budget(
            latest,
            width=query.width,
            period=None if latest is None else self._series.period(latest.round_),
        )
        plan = plan_round(found.last, suggestion=suggestion, budget=budget, tags=query.tags)
        contexts, notices = await self._look_at_contexts(found, plan)
        return NextRoundRead(
            task_slug=slug,
            next_number=max(found.numbers.values(), default=0) + 1,
            metric="" if found.board.columns is None else found.board.columns.principal.name,
            is_lower_better=_is_lower_better(found.board),
            releases=[
                describe_release(one, round_number=found.numbers[one.round_id or one.id])
                for one in found.releases[:_LAST]
            ],
            candidates=[describe_candidate(one) for one in found.candidates],
            suggestion=describe_suggestion(suggestion),
            lineage=await self._lineage(found.series, plan),
            contexts=contexts,
            budget=BudgetPlanRead(**asdict(budget)),
            warnings=[PlanWarningRead(**asdict(one)) for one in notices],
            can_hide_models=can_hide_models(found.board.task.config),
            settings=RoundSettings.model_validate(plan),
        )

    async def _gather(self, slug: str, actor: Actor) -> "_Found":
        """Read what a plan of the task is made from, if the actor owns it."""
        task = await self._tasks.get_for(slug, actor)
        await self._tasks.require_role(task, actor, TaskRole.OWNER)
        rounds = await self._rounds.of_task(task.id)
        releases = await self._releases(task.id, rounds)
        board = await self._standings.board(slug, BoardQuery(), actor=actor)
        candidates = await self._candidates.of_task(
            board, releases=releases[:_LAST], rounds=rounds, actor=actor
        )
        series = await self._series.read(rounds)
        return _Found(
            board=board, rounds=rounds, releases=releases, candidates=candidates, series=series
        )

    async def _look_at_contexts(
        self, found: "_Found", plan: RoundPlan
    ) -> tuple[ContextPlanRead, list[Notice]]:
        """Return what the planned round draws from, and everything to warn of."""
        task_id = found.board.task.id
        tags = await self._leaks.tags(task_id)
        drawn = draws_from(tags, plan.context_tags)
        leaks = await self._leaks.find(
            task_id,
            tags=plan.context_tags,
            drawn=sum(one.contexts for one in drawn),
            releases=found.releases,
        )
        notices = await asyncio.to_thread(
            warnings_of,
            has_release=bool(found.releases),
            past=found.past,
            rounds=found.rounds,
            targets=[one for one in found.candidates if one.model_id in plan.target_model_ids],
            tags=drawn,
            leaks=leaks,
        )
        return describe_contexts(tags, drawn=drawn, leaks=leaks), notices

    async def _releases(self, task_id: UUID, rounds: Sequence[Round]) -> list[DatasetVersion]:
        """Return what the task's rounds were released as, the newest round first."""
        numbers = {one.id: one.number for one in rounds}
        found = [
            one
            for one in newest_versions(await self._datasets.of_task(task_id))
            if one.origin is DatasetOrigin.RELEASE and one.round_id in numbers
        ]
        return sorted(found, key=lambda one: -numbers[one.round_id or one.id])

    async def _lineage(self, series: Sequence[PastRound], plan: RoundPlan) -> LineageRead:
        rounds = [one.round_ for one in series]
        return lineage_of(
            rounds,
            plan,
            names=await self._models.names(models_in(rounds, plan)),
            collected={one.round_.id: one.total.collected for one in series},
            rates={
                one.round_.id: describe_rate(RateWithInterval(rate=one.rate, interval=one.interval))
                for one in series
            },
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    board: Board
    rounds: Sequence[Round]
    releases: Sequence[DatasetVersion]
    candidates: Sequence[Candidate]
    series: Sequence[PastRound]

    @property
    def last(self) -> Round | None:
        """The last round that is past its draft."""
        return self.series[0].round_ if self.series else None

    @property
    def past(self) -> list[PastRound]:
        """The last two rounds that hold anything, the newest first."""
        return [one for one in self.series if one.total.collected][:_LAST]

    @property
    def numbers(self) -> dict[UUID, int]:
        """The rounds' numbers."""
        return {one.id: one.number for one in self.rounds}


def _is_lower_better(board: Board) -> bool:
    return board.columns is not None and board.columns.principal.is_lower_better
