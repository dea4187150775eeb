"""Ids, states and policies of rounds."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType
from uuid import UUID

from dynabench.kit.ids import new_id
from dynabench.kit.wire import Values
from dynabench.loop.tasks.values import Task

RoundId = NewType("RoundId", UUID)


ROUND_CHANNEL = "dynabench_rounds"
"""Listeners hear the id of each round whose counts change on this PostgreSQL channel."""


class RoundStatus(StrEnum):
    """Where a round stands; it moves forward, and from closed back to open until its release."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"
    RELEASED = "released"


class TargetPolicy(StrEnum):
    """Which of a round's target models must be wrong for an example to fool."""

    SINGLE = "single"
    RANDOM = "random"
    ANY_FOOLED = "any-fooled"
    ALL_FOOLED = "all-fooled"
    MAJORITY = "majority"


class Arm(StrEnum):
    """What an annotator was shown of the models, drawn by chance for each context.

    `target`: the round's target models; `no_model`: nothing, though the targets answered and
    their answers are kept; `earlier_target`: the round's control model in their place.
    """

    TARGET = "target"
    NO_MODEL = "no_model"
    EARLIER_TARGET = "earlier_target"


class ContextPolicy(StrEnum):
    """Which context an annotator gets next."""

    MIN = "min"
    UNIFORM = "uniform"
    LEAST_FOOLED = "least_fooled"
    VALIDATION_FAILED = "validation_failed"


class ValidationMode(StrEnum):
    """Whether a validator judges the author's answer or answers the task anew."""

    REVIEW = "review"
    BLIND = "blind"


class GoldFrom(StrEnum):
    """Whose answer is the gold one."""

    AUTHOR = "author"
    VALIDATORS = "validators"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A target model of a round, as fixed when the round opened."""

    model_id: UUID
    name: str
    version: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundValidation:
    """How the examples of a round are validated.

    `share_of_others` is the random share of non-fooling examples that is validated too.
    """

    mode: ValidationMode = ValidationMode.REVIEW
    quorum: int = 3
    maximum: int = 5
    gold_from: GoldFrom = GoldFrom.AUTHOR
    share_of_others: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBudget:
    """When a round closes by itself; None means no such limit."""

    examples: int | None = None
    days: int | None = None
    validated_fooling: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSchedule:
    """Between which moments (UTC) a round takes examples; None means no such limit."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundControls:
    """The parts of what is written in a round that are kept apart, to compare with.

    `no_model_share` of the contexts that people work on show them no model; on `earlier_share`
    of them the model `model_id`, an earlier target, answers in place of the round's targets.
    """

    no_model_share: float = 0.0
    earlier_share: float = 0.0
    model_id: UUID | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """What an owner decides about a round before it opens."""

    target_model_ids: tuple[UUID, ...] = ()
    target_policy: TargetPolicy = TargetPolicy.SINGLE
    context_policy: ContextPolicy = ContextPolicy.MIN
    context_tags: tuple[str, ...] = ()
    validation: RoundValidation = RoundValidation()
    max_tries: int = 10
    budget: RoundBudget = RoundBudget()
    schedule: RoundSchedule = RoundSchedule()
    parent_round_ids: tuple[UUID, ...] = ()
    parent_model_ids: tuple[UUID, ...] = ()
    controls: RoundControls = RoundControls()
    seed: int = 0

    @property
    def asked_model_ids(self) -> tuple[UUID, ...]:
        """The models that may have to answer an annotator: the targets and the earlier one."""
        control = self.controls.model_id
        return (*self.target_model_ids, *(() if control is None else (control,)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(RoundPlan):
    """A round with everything that submitting and validating need to know of it.

    `is_replay` marks a round whose examples were collected elsewhere: it was never open
    here, and only a replay adds to it. `people_are_known` is False where its source does not
    say who wrote what: each record has an author of its own then, and nothing is counted
    over people. `provenance` says where a replayed round comes from: format, title, source,
    licence and when it was replayed. `arm_secret` is what the arms are drawn from; nobody is
    told it.
    """

    id: UUID
    task_id: UUID
    task_slug: str
    number: int
    status: RoundStatus
    config_version: int
    targets: tuple[Target, ...]
    control_target: Target | None = None
    arm_secret: UUID = field(repr=False)
    is_replay: bool
    people_are_known: bool = True
    created_at: datetime
    opened_at: datetime | None
    closed_at: datetime | None
    released_at: datetime | None
    close_reason: str | None
    provenance: Values | None = None

    @property
    def collects_from(self) -> datetime | None:
        """When it takes its first examples; None before an owner opens it."""
        opened_at, opens_at = self.opened_at, self.schedule.opens_at
        if opened_at is None or opens_at is None:
            return opened_at
        return max(opened_at, opens_at)

    @property
    def days_end_at(self) -> datetime | None:
        """When the days of its budget are over, counted from when it takes examples.

        None where it has none, has not begun, or they end behind the last day of all.
        """
        begin, days = self.collects_from, self.budget.days
        if begin is None or days is None:
            return None
        try:
            return begin + timedelta(days=days)
        except OverflowError:
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRound:
    """What is fixed about a round when it is made, beside its plan."""

    id: UUID
    task_id: UUID
    number: int
    status: RoundStatus
    config_version: int
    is_replay: bool
    people_are_known: bool = True
    created_by: UUID | None
    created_at: datetime
    opened_at: datetime | None = None
    closed_at: datetime | None = None
    close_reason: str | None = None
    provenance: Values | None = None

    @classmethod
    def replayed(
        cls,
        task: Task,
        *,
        number: int,
        reason: str,
        people_are_known: bool,
        provenance: Values | None,
        now: datetime,
    ) -> "NewRound":
        """Return a round that was collected elsewhere: it is closed from the start."""
        return cls(
            id=new_id(),
            task_id=task.id,
            number=number,
            status=RoundStatus.CLOSED,
            config_version=task.config_version,
            is_replay=True,
            people_are_known=people_are_known,
            created_by=None,
            created_at=now,
            closed_at=now,
            close_reason=reason,
            provenance=None
            if provenance is None
            else {**provenance, "replayed_at": now.isoformat()},
        )
