"""Wire shapes of evaluations."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.sentences import TellingModel, Told
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.datasets.values import DatasetAccess, Split
from dynabench.loop.evaluations.values import DeltaKind, EvaluationState


class EvaluationCreate(WireModel):
    """Which dataset version to score a model on."""

    dataset_version_id: UUID


class ScoreRead(WireModel):
    """One metric of one model on one split, times 100, with its 95 % interval.

    Most lie from 0 to 100 and more is better; the reference of metrics says which do not.
    """

    model_id: UUID
    model_name: str
    model_version: int
    dataset_version_id: UUID
    dataset_name: str
    round_number: int | None
    split: str
    metric: str
    is_principal: bool
    value: float | None
    low: float | None
    high: float | None
    items: int
    failed_items: int
    evaluated_at: datetime


class MetricRead(WireModel):
    """One metric on one split, times 100, with its 95 % interval."""

    split: Split
    metric: str
    is_principal: bool
    value: float | None
    low: float | None
    high: float | None
    items: int


class TagScoreRead(WireModel):
    """One metric on the items of a split that have a tag, times 100."""

    split: Split
    tag: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    items: int


class DeltaRead(WireModel):
    """How far a model agrees with itself on changed texts, times 100."""

    kind: DeltaKind
    perturbed_version_id: UUID
    split: Split
    transform: Annotated[
        str | None, Field(description="How texts were changed; null is all ways together.")
    ]
    value: float | None
    low: float | None
    high: float | None
    items: Annotated[int, Field(description="How many originals changed.")]
    gold_value: Annotated[
        float | None, Field(description="The principal metric on the changed texts.")
    ]


class MeasurementRead(TellingModel):
    """How fast and how large a model was; what cannot be measured is null."""

    examples_per_second: Annotated[
        float | None, Field(description="One at a time, warm: the median of the repeats.")
    ]
    examples_per_second_low: float | None
    examples_per_second_high: float | None
    reason: Annotated[
        str | None, Field(description="Why a model that was timed has no examples per second.")
    ]
    reason_told: Told | None = None
    batched_examples_per_second: float | None
    is_measured_at_client: Annotated[
        bool, Field(description="The model answers elsewhere; the way there is counted in.")
    ]
    memory_mean_gib: float | None
    memory_peak_gib: float | None
    cpu_seconds: float | None
    machine: Values
    reference_seconds: Annotated[
        float | None, Field(description="The time of a fixed piece of work on that machine.")
    ]
    measured_at: datetime


class EvaluationRead(TellingModel):
    """One model on one dataset version.

    `reason` and `job_id` are told to the submitter and the task's owners alone, but for what
    a model of predictions still needs, which everybody reads.
    """

    id: UUID
    model_id: UUID
    dataset_version_id: UUID
    dataset_name: str
    dataset_version: int
    round_number: int | None
    access: DatasetAccess
    perturbs_id: Annotated[
        UUID | None, Field(description="The dataset version whose texts this one changes.")
    ]
    state: EvaluationState
    reason: str | None
    reason_told: Told | None = None
    job_id: UUID | None
    is_running: bool
    queue_position: Annotated[
        int | None, Field(description="How many jobs start before it; null once it runs.")
    ]
    progress: Annotated[float | None, Field(description="The done part, from 0 to 1.")]
    message: str | None
    message_told: Told | None = None
    items: Annotated[int, Field(description="How many items of test and dev are asked.")]
    failed_items: int | None
    seconds: float | None
    evaluated_at: datetime | None
    measurement: MeasurementRead | None
    scores: list[MetricRead]
    tag_scores: list[TagScoreRead]
    deltas: list[DeltaRead]
