"""Wire shapes of examples."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.examples.values import Origin
from dynabench.science.texts.wire_texts import SomeLines


class ExampleCreate(WireModel):
    """An attempt: what was written about a context, and the annotator's own answer.

    Whether it fooled the model is decided by the server and cannot be sent.
    """

    context_id: UUID
    inputs: Values
    answer: Values
    time_spent_seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None
    origin: Origin = Origin.HUMAN
    suggestion_kept: (
        Annotated[float, Field(ge=0, le=1, description="Share of a suggestion that was kept.")]
        | None
    ) = None
    contrast_of: UUID | None = None


class PredictionRead(WireModel):
    """What one target model answered to an example."""

    model_id: UUID
    model_name: str
    model_version: int
    outputs: Values
    probabilities: dict[str, float] | None
    is_wrong: bool | None
    latency_ms: float | None


class ExampleRead(WireModel):
    """A stored attempt."""

    id: UUID
    round_id: UUID
    context_id: UUID
    annotator: str
    inputs: Values
    answer: Values
    predictions: list[PredictionRead]
    fooled: bool | None
    explanations: Values
    origin: Origin
    contrast_of: UUID | None
    time_spent_seconds: float | None
    created_at: datetime
    retracted_at: datetime | None
    flagged_at: datetime | None
    flag_reason: str | None
    tries_left: int | None = None


class ExamplePatch(WireModel):
    """What its author adds once the model has answered."""

    explanations: Values | None = None
    user_says_fooled: bool | None = None


class FlagCreate(WireModel):
    """Why an example should be looked at."""

    reason: Annotated[SomeLines, Field(min_length=1, max_length=500)]


class TryCreate(WireModel):
    """A sandbox attempt: nothing of it is stored."""

    context_id: UUID | None = None
    context: Values | None = None
    inputs: Values
    answer: Values
    model_id: UUID | None = None


class TryRead(WireModel):
    """What the models answered to a sandbox attempt."""

    predictions: list[PredictionRead]
    fooled: bool | None
