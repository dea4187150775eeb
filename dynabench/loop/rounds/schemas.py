"""Wire shapes of rounds."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.rounds.values import (
    ContextPolicy,
    GoldFrom,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundStatus,
    RoundValidation,
    TargetPolicy,
    ValidationMode,
)


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
            parent_round_ids=self.parent_round_ids,
            parent_model_ids=self.parent_model_ids,
            controls=RoundControls(**dict(self.controls)),
            seed=self.seed,
        )


class RoundCreate(RoundSettings):
    """A new round; it starts as a draft."""


class RoundPatch(WireModel):
    """Changes to a draft (all fields) or an open round (budget and context tags only)."""

    target_model_ids: Annotated[tuple[UUID, ...], Field(max_length=16)] | None = None
    target_policy: TargetPolicy | None = None
    context_policy: ContextPolicy | None = None
    context_tags: Annotated[tuple[str, ...], Field(max_length=100)] | None = None
    validation: ValidationRule | None = None
    max_tries: Annotated[int, Field(ge=1, le=1000)] | None = None
    budget: Budget | None = None
    parent_round_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] | None = None
    parent_model_ids: Annotated[tuple[UUID, ...], Field(max_length=50)] | None = None
    controls: Controls | None = None


class RoundReopen(WireModel):
    """How long a closed round goes on, counted from its first opening; null is no limit."""

    budget: Budget = Budget()


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
