"""Wire shapes of rounds."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, TypeVar
from uuid import UUID

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from dynabench.kit.wire import WireModel
from dynabench.loop.rounds.values import (
    ContextPolicy,
    GoldFrom,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundSchedule,
    RoundStatus,
    RoundValidation,
    TargetPolicy,
    ValidationMode,
)

PlanT = TypeVar("PlanT", bound=RoundPlan)


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise PydanticCustomError(
            "time_zone_missing",
            "Say the time zone too, as in 2027-03-01T09:00:00Z or 2027-03-01T09:00:00+01:00",
        )
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise PydanticCustomError(
            "time_out_of_reach", "There is no such time in UTC; choose another one"
        ) from error


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A moment whose time zone is said; it is kept in UTC."""


class ValidationRule(WireModel):
    """How examples of a round are validated."""

    mode: ValidationMode = ValidationMode.REVIEW
    quorum: Annotated[int, Field(ge=1, le=25)] = 3
    maximum: Annotated[int, Field(ge=1, le=25)] = 5
    gold_from: GoldFrom = GoldFrom.AUTHOR
    share_of_others: Annotated[
        float, Field(ge=0, le=1, description="Share of non-fooling examples validated too.")
    ] = 0.0


class Budget(WireModel):
    """When a round closes by itself; null means no such limit."""

    examples: Annotated[int, Field(ge=1)] | None = None
    days: Annotated[int, Field(ge=1, le=3650)] | None = None
    validated_fooling: Annotated[int, Field(ge=1)] | None = None


class Schedule(WireModel):
    """Between which moments a round takes examples; null means no such limit."""

    opens_at: Annotated[
        Moment | None, Field(description="An open round takes no examples before.")
    ] = None
    closes_at: Annotated[
        Moment | None, Field(description="The round closes by itself at this moment.")
    ] = None


class Controls(WireModel):
    """Shares of the contexts on which people see no model, or an earlier target."""

    no_model_share: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    earlier_share: Annotated[float, Field(ge=0, le=0.5)] = 0.0
    model_id: Annotated[
        UUID | None, Field(description="The earlier target; needed where it has a share.")
    ] = None


class RoundSettings(WireModel):
    """What an owner decides about a round before it opens."""

    target_model_ids: Annotated[tuple[UUID, ...], Field(max_length=16)] = ()
    target_policy: TargetPolicy = TargetPolicy.SINGLE
    context_policy: ContextPolicy = ContextPolicy.MIN
    context_tags: Annotated[
        tuple[str, ...],
        Field(max_length=100, description="Draw only from these tags; empty: all."),
    ] = ()
    validation: ValidationRule = ValidationRule()
    max_tries: Annotated[
        int, Field(ge=1, le=1000, description="Attempts per annotator and context.")
    ] = 10
    budget: Budget = Budget()
    schedule: Schedule = Schedule()
    parent_round_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] = ()
    parent_model_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] = ()
    controls: Controls = Controls()
    seed: int = 0

    def plan(self) -> RoundPlan:
        """Return what the owner decides as a value."""
        return RoundPlan(
            target_model_ids=self.target_model_ids,
            target_policy=self.target_policy,
            context_policy=self.context_policy,
            context_tags=self.context_tags,
            validation=RoundValidation(**dict(self.validation)),
            max_tries=self.max_tries,
            budget=RoundBudget(**dict(self.budget)),
            schedule=RoundSchedule(**dict(self.schedule)),
            parent_round_ids=self.parent_round_ids,
            parent_model_ids=self.parent_model_ids,
            controls=RoundControls(**dict(self.controls)),
            seed=self.seed,
        )


class RoundCreate(RoundSettings):
    """A new round; it starts as a draft."""


class RoundPatch(WireModel):
    """Changes to a draft (all fields) or an open round (budget, schedule and context tags only)."""

    target_model_ids: Annotated[tuple[UUID, ...], Field(max_length=16)] | None = None
    target_policy: TargetPolicy | None = None
    context_policy: ContextPolicy | None = None
    context_tags: Annotated[tuple[str, ...], Field(max_length=100)] | None = None
    validation: ValidationRule | None = None
    max_tries: Annotated[int, Field(ge=1, le=1000)] | None = None
    budget: Budget | None = None
    schedule: Schedule | None = None
    parent_round_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] | None = None
    parent_model_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] | None = None
    controls: Controls | None = None

    @property
    def changed(self) -> frozenset[str]:
        """The settings that are said; null says nothing."""
        return frozenset(one for one in self.model_fields_set if getattr(self, one) is not None)

    def applied_to(self, before: RoundPlan) -> RoundPlan:
        """Return a plan with these changes."""
        settings = RoundSettings.model_validate(before)
        return settings.model_copy(update={one: getattr(self, one) for one in self.changed}).plan()


class RoundReopen(WireModel):
    """How long a closed round goes on; null is no limit.

    Its days count from its first opening. What was set before of both is given up.
    """

    budget: Budget = Budget()
    schedule: Schedule = Schedule()

    def limited(self, plan: PlanT) -> PlanT:
        """Return a plan or a round with these limits."""
        budget, schedule = RoundBudget(**dict(self.budget)), RoundSchedule(**dict(self.schedule))
        return replace(plan, budget=budget, schedule=schedule)


class TargetRead(WireModel):
    """A target model of a round."""

    model_id: UUID
    name: str
    version: int


class ProvenanceRead(WireModel):
    """Where a round that was collected elsewhere comes from.

    Attributes:
        format: The format that it was replayed from.
        title: The collection's name.
        source: Its publication.
        licence: The licence of what was published.
        replayed_at: When it was replayed here.
    """

    format: str
    title: str
    source: str
    licence: str
    replayed_at: datetime


class RoundRead(RoundSettings):
    """A round."""

    id: UUID
    task_slug: str
    number: int
    status: RoundStatus
    config_version: int
    targets: list[TargetRead]
    control_target: TargetRead | None = None
    created_at: datetime
    opened_at: datetime | None
    closed_at: datetime | None
    released_at: datetime | None
    close_reason: str | None
    provenance: ProvenanceRead | None
