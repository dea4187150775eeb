"""Wire shapes of the plan for a task's next round."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.leaderboards.next_round.values import BudgetReason, SuggestionCode, WarningCode
from dynabench.loop.leaderboards.schemas import FigureRead, RankRead
from dynabench.loop.rounds.schemas import RoundSettings
from dynabench.loop.rounds.values import RoundStatus, TargetPolicy
from dynabench.loop.validations.schemas import RateRead
from dynabench.science.texts.wire_texts import OneLine


class NextRoundQuery(WireModel):
    """What the plan is asked for."""

    tags: Annotated[
        list[OneLine] | None,
        Field(max_length=100, description="Draw from these tags; the last round's otherwise."),
    ] = None
    width: Annotated[
        float,
        Field(gt=0, lt=1, description="How wide the interval of the next vMER may be."),
    ] = 0.1


class PlanWarningRead(WireModel):
    """Something that may make the round worth less than it costs, and what to do about it."""

    code: WarningCode
    sentence: str
    figures: dict[str, float | int | str | None]


class ComparedReleaseRead(WireModel):
    """A released round whose test split the candidates are compared on."""

    version_id: UUID
    round_number: int
    items: int


class TargetCandidateRead(WireModel):
    """A model that could be the target, with what it did on the last releases.

    Attributes:
        scores: The principal metric, times 100, on each of the plan's releases in their order.
        rank: Its rank by performance on them; overlapping ranks cannot be told apart.
        dynascore: On the task's board with its default weights.
        examples_per_second: How fast it answers one at a time.
        was_target_of: The rounds whose target it was.
        is_published: Whether everybody sees it, as a target has to be.
    """

    model_id: UUID
    name: str
    version: int
    scores: list[FigureRead]
    rank: RankRead | None
    dynascore: float | None
    examples_per_second: float | None
    is_measured_at_client: bool
    was_target_of: list[int]
    is_published: bool


class TargetSuggestionRead(WireModel):
    """The targets that the figures speak for, and why.

    Attributes:
        code: Why, for a page that says it in its reader's language.
        is_repeated: Whether the last round was written against just these.
        reason: The same in an English sentence.
    """

    target_model_ids: list[UUID]
    policy: TargetPolicy
    code: SuggestionCode
    is_repeated: bool
    reason: str


class RoundNodeRead(WireModel):
    """A round of the task's history."""

    round_id: UUID
    number: int
    status: RoundStatus
    collected: int
    validated_model_error_rate: RateRead | None


class ModelNodeRead(WireModel):
    """A model that is a target or a parent of some round."""

    model_id: UUID
    name: str
    version: int


class EdgeRead(WireModel):
    """What a round grew out of, or was written against; a null round is the one planned."""

    from_round_id: UUID | None
    from_model_id: UUID | None
    to_round_id: UUID | None
    is_target: bool


class LineageRead(WireModel):
    """All rounds of a task with their parents and targets, and the one that is planned."""

    rounds: list[RoundNodeRead]
    models: list[ModelNodeRead]
    edges: list[EdgeRead]


class TagUseRead(WireModel):
    """The contexts of a tag that are still handed out."""

    tag: str
    contexts: int
    used: int
    never_used: int
    annotators: int
    is_drawn: bool


class RepeatRead(WireModel):
    """A context that nearly repeats a text that is released for training."""

    context: str
    released: str


class LeaksRead(WireModel):
    """How many of the contexts that the round would draw are released for training already.

    Attributes:
        drawn: How many contexts it draws from.
        same: How many of them released train items stand on.
        sampled: How many of the others were compared; at most 500.
        near: How many of those nearly repeat a released train text.
        compared: With how many of these texts, at most 4,000.
    """

    drawn: int
    same: int
    sampled: int
    near: int
    compared: int
    examples: list[RepeatRead]


class ContextPlanRead(WireModel):
    """What there is to write about."""

    tags: list[TagUseRead]
    leaks: LeaksRead


class BudgetPlanRead(WireModel):
    """What the round costs for an interval of some width, by what the last one did.

    More attempts of the same few people narrow it only down to what people differ by, so it is
    people that are counted. Where the last round does not tell how alike one person's attempts
    are, that is not known, and `reason` says why.

    Attributes:
        people: How many people that takes; null with a reason.
        tries_each: How many attempts each of them makes: the median of the last round's people.
        attempts: How many attempts all make together.
        least_attempts: The fewest it can take: as many people with one attempt each.
        validated_fooling: How many of the attempts would be validated fooling ones.
        days: How long they take at the last round's pace; null: it has none.
        expected_rate: The vMER that this goes by: the last round's, or a half.
        likeness: The correlation of two attempts of one person, from 0 to 1.
        reason: `no_round`: nothing was collected yet; `pending`: votes on the last round are
            missing; `people_unknown`: its authors are not known; `one_person` wrote it.
    """

    width: float
    people: int | None
    tries_each: int | None
    attempts: int | None
    least_attempts: int
    validated_fooling: int | None
    days: int | None
    expected_rate: float
    is_rate_known: bool
    likeness: float | None
    attempts_per_day: float | None
    reason: BudgetReason | None


class NextRoundRead(WireModel):
    """A plan for a task's next round.

    Attributes:
        next_number: The number that it would get.
        metric: The task's principal metric; empty where it has none.
        releases: The last two, the newest first.
        candidates: The best on them first; at most 50.
        suggestion: The targets that the figures speak for; null without a candidate.
        warnings: What to look at before opening it.
        settings: The whole round as it may be sent to create its draft.
    """

    task_slug: str
    next_number: int
    metric: str
    is_lower_better: bool
    releases: list[ComparedReleaseRead]
    candidates: list[TargetCandidateRead]
    suggestion: TargetSuggestionRead | None
    lineage: LineageRead
    contexts: ContextPlanRead
    budget: BudgetPlanRead
    warnings: list[PlanWarningRead]
    can_hide_models: bool
    settings: RoundSettings
