"""What a page is told of an evaluation."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.engines.jobs.values import Job, JobState
from dynabench.kit.sentences import Sentence, recall
from dynabench.loop.datasets.rules import is_gold_withheld
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.rules import MISSING_FILE, is_part_told, is_whole_told
from dynabench.loop.evaluations.runs.measures.rules import OTHERWISE, UNTIMED
from dynabench.loop.evaluations.schemas import (
    DeltaRead,
    EvaluationRead,
    MeasurementRead,
    MetricRead,
    TagScoreRead,
)
from dynabench.loop.evaluations.values import (
    SCORED_SPLITS,
    Delta,
    Evaluation,
    EvaluationState,
    Measurement,
    MetricScore,
    TagScore,
)

_PERCENT = 100
_GIB = 2**30


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of an evaluation beside its own row.

    `is_told_all` says whether the reader may know why it failed and which job does it, and
    `is_owner` whether they see the gold anyway.
    """

    version: DatasetVersion
    round_number: int | None
    job: Job | None
    queue_position: int | None
    measurement: Measurement | None
    scores: Sequence[MetricScore]
    tag_scores: Sequence[TagScore]
    deltas: Sequence[Delta]
    is_told_all: bool
    is_owner: bool

    def is_whole_told(self, split: Split) -> bool:
        """Tell whether the reader learns how right the model was on a whole split."""
        return self.is_owner or is_whole_told(self.version, split)

    def is_varied_told(self, split: str) -> bool:
        """Tell whether the reader learns how right the model was on changed texts of a split."""
        return self.is_owner or not is_gold_withheld(self.version, Split(split))

    def is_told(self, split: str, *, items: int) -> bool:
        """Tell whether the reader learns how right the model was on a part of a split."""
        return self.is_owner or is_part_told(self.version, Split(split), items=items)


def state_of(evaluation: Evaluation, job: Job | None) -> tuple[EvaluationState, str | None]:
    """Return how far an evaluation is, and why.

    Its own row waits for ever where a job ended in a way that nobody could write down: the
    worker was lost too often, or stopped unexpectedly.
    """
    if evaluation.state is not EvaluationState.PENDING or job is None:
        return evaluation.state, recall(evaluation.reason, [MISSING_FILE])
    if job.state is JobState.FAILED:
        return EvaluationState.FAILED, _said(job)
    if job.state is JobState.CANCELLED:
        return EvaluationState.CANCELLED, None
    return evaluation.state, evaluation.reason


def _said(job: Job) -> str | None:
    if job.error is None or job.told is None:
        return job.error
    return Sentence(job.error, job.told)


def read_evaluation(evaluation: Evaluation, known: Known) -> EvaluationRead:
    """Return an evaluation as a reader sees it."""
    state, reason = state_of(evaluation, known.job)
    is_public = known.is_told_all or state is EvaluationState.INCOMPLETE
    job = known.job if state is EvaluationState.PENDING else None
    version = known.version
    return EvaluationRead(
        id=evaluation.id,
        model_id=evaluation.model_id,
        dataset_version_id=version.id,
        dataset_name=version.name,
        dataset_version=version.version,
        round_number=known.round_number,
        access=version.access,
        perturbs_id=version.perturbs_id,
        state=state,
        reason=reason if is_public else None,
        job_id=evaluation.job_id if known.is_told_all else None,
        is_running=job is not None and job.state is JobState.RUNNING,
        queue_position=known.queue_position,
        progress=None if job is None else job.progress,
        message=None if job is None else job.message,
        message_told=None if job is None else job.told,
        items=sum(version.sizes[split] for split in SCORED_SPLITS),
        failed_items=evaluation.failed_items,
        seconds=evaluation.seconds,
        evaluated_at=evaluation.evaluated_at,
        measurement=None if known.measurement is None else _measurement(known.measurement),
        scores=[_metric(one, is_told=known.is_whole_told(one.split)) for one in known.scores],
        tag_scores=[
            _tag_score(one) for one in known.tag_scores if known.is_told(one.split, items=one.items)
        ],
        deltas=[_delta(one, is_gold_told=known.is_varied_told(one.split)) for one in known.deltas],
    )


def percent(value: float | None) -> float | None:
    """Return a stored value as the wire has it, times 100; no data stays None."""
    return None if value is None else value * _PERCENT


def _metric(one: MetricScore, *, is_told: bool) -> MetricRead:
    return MetricRead(
        split=one.split,
        metric=one.metric,
        is_principal=one.is_principal,
        value=percent(one.value) if is_told else None,
        low=percent(one.low) if is_told else None,
        high=percent(one.high) if is_told else None,
        items=one.items,
    )


def _tag_score(one: TagScore) -> TagScoreRead:
    return TagScoreRead(
        split=one.split,
        tag=one.tag,
        metric=one.metric,
        value=percent(one.value),
        low=percent(one.low),
        high=percent(one.high),
        items=one.items,
    )


def _delta(one: Delta, *, is_gold_told: bool) -> DeltaRead:
    return DeltaRead(
        kind=one.kind,
        perturbed_version_id=one.perturbed_version_id,
        split=one.split,
        transform=one.transform or None,
        value=percent(one.value),
        low=percent(one.low),
        high=percent(one.high),
        items=one.items,
        gold_value=percent(one.gold_value) if is_gold_told else None,
    )


def _measurement(one: Measurement) -> MeasurementRead:
    return MeasurementRead(
        examples_per_second=one.throughput,
        examples_per_second_low=one.throughput_low,
        examples_per_second_high=one.throughput_high,
        reason=recall(one.throughput_reason, [OTHERWISE, UNTIMED]),
        batched_examples_per_second=one.batched_throughput,
        is_measured_at_client=one.is_measured_at_client,
        memory_mean_gib=_gib(one.memory_mean_bytes),
        memory_peak_gib=_gib(one.memory_peak_bytes),
        cpu_seconds=one.cpu_seconds,
        machine=dict(one.machine),
        reference_seconds=one.reference_seconds,
        measured_at=one.measured_at,
    )


def _gib(size: int | None) -> float | None:
    return None if size is None else size / _GIB
