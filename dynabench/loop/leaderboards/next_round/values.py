"""What a plan for a task's next round is made from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dynabench.loop.rounds.values import Round, TargetPolicy
from dynabench.loop.validations.folds.values import Tally
from dynabench.science.statistics.agreement import Judged
from dynabench.science.statistics.concentration import Concentration
from dynabench.science.statistics.rates import Interval, Rate


class WarningCode(StrEnum):
    """What may make a next round worth less than it costs."""

    NO_RELEASE = "no_release"
    ROUND_OPEN = "round_open"
    STALLED = "stalled"
    AGREEMENT_FELL = "agreement_fell"
    FEW_ANNOTATORS = "few_annotators"
    LEAKS = "leaks"
    NO_NEW_CONTEXTS = "no_new_contexts"
    SAME_TARGET = "same_target"
    SLOW_TARGET = "slow_target"
    NO_CANDIDATE = "no_candidate"


class SuggestionCode(StrEnum):
    """Why the figures speak for some targets."""

    TIED = "tied"
    UNSCORED = "unscored"
    ONLY = "only"
    UNRANKED = "unranked"
    BEST = "best"


class BudgetReason(StrEnum):
    """Why nothing tells how many people the next round needs."""

    NO_ROUND = "no_round"
    PENDING = "pending"
    PEOPLE_UNKNOWN = "people_unknown"
    ONE_PERSON = "one_person"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A warning with the figures that it comes from."""

    code: WarningCode
    sentence: str
    figures: dict[str, float | int | str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseScore:
    """A model's principal metric on one release's test split, from 0 to 1 mostly."""

    version_id: UUID
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """How many items a model answers in a second, one at a time; None is not measured."""

    examples_per_second: float | None
    is_measured_at_client: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A model that could be the next round's target.

    Attributes:
        scores: Its principal metric on the last releases, the newest first.
        good: The mean of these, so that more is better; None without any.
        rank: Its rank by performance on them, as an interval; None where it has none.
        dynascore: On the whole board.
        was_target_of: The numbers of the rounds whose target it was.
        is_published: Whether everybody sees it, as a target has to be.
    """

    model_id: UUID
    name: str
    version: int
    scores: tuple[ReleaseScore, ...]
    good: float | None
    rank: tuple[int, int] | None
    dynascore: float | None
    speed: Speed
    was_target_of: tuple[int, ...]
    is_published: bool

    @property
    def title(self) -> str:
        """How it is called on pages."""
        return f"{self.name} v{self.version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """The targets that the figures speak for, and why.

    Attributes:
        code: Why, for who says it in a language of their own; `reason` is the English sentence.
        is_repeated: Whether the last round was written against just these.
    """

    target_model_ids: tuple[UUID, ...]
    policy: TargetPolicy
    code: SuggestionCode
    is_repeated: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRound:
    """What came of a round that was collected.

    Attributes:
        rate: Its vMER; a lower bound while votes are missing.
        interval: Of the vMER.
        votes_missing: How many examples may turn out validated and fooling by votes that are
            missing.
        likeness: How alike two tries of one person are, 0 to 1; None of people unknown, of one
            person, and while votes are missing.
        tries_each: How many tries people made, in the median; None of people unknown.
    """

    round_: Round
    total: Tally
    rate: Rate
    interval: Interval | None
    votes_missing: int
    likeness: float | None
    tries_each: float | None
    judged: Sequence[Judged]
    work: Concentration | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TagUse:
    """The contexts of a tag that are still handed out, and how many were written on before."""

    tag: str
    contexts: int
    used: int
    annotators: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaks:
    """How far the contexts that a round would draw are released for training already.

    Attributes:
        drawn: How many it would draw from.
        same: How many of these are contexts of released train items, letter by letter.
        sampled: Of the others, how many were looked at.
        near: How many of those nearly repeat a released train text.
        compared: With how many released texts.
        examples: Some of the pairs, as texts.
    """

    drawn: int
    same: int
    sampled: int
    near: int
    compared: int
    examples: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What a round of some width would cost, by what the last one did.

    Attributes:
        width: How wide the 95 % interval of its vMER should at most be.
        people: How many people that takes; None with a reason.
        tries_each: How many attempts each of them makes: the median of the last round's people.
        attempts: Of all people together.
        least_attempts: How many attempts it takes at least: as many as if each was of somebody
            else.
        validated_fooling: How many of the attempts would be validated fooling ones.
        days: How long they take at the last round's pace; None where it has none.
        expected_rate: The vMER that this goes by; a half where none is known.
        likeness: How alike two attempts of one person were, from 0 to 1.
        attempts_per_day: The last round's pace.
        reason: Why nothing tells how many people it takes.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """When a round collected; the end is now while it is open."""

    opened_at: datetime | None
    ended_at: datetime
