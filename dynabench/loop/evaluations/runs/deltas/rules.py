"""From a model's answers to originals and variants to how far it agrees with itself."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from dynabench.kit.wire import Values
from dynabench.loop.datasets.scans.values import Variation
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.rules import scored_metrics
from dynabench.loop.evaluations.values import Delta, DeltaKind
from dynabench.science.metrics.delta import (
    DeltaEstimate,
    VariantAnswers,
    agreement_of,
    delta,
    delta_answer,
)
from dynabench.science.metrics.values import Answer
from dynabench.science.task_config.schema import TaskConfig

Given = Mapping[str, tuple[Values, float | None]]

EVERY_TRANSFORM = ""


def kind_of(perturbed: DatasetVersion) -> DeltaKind:
    """Return what kind of change a perturbed set makes."""
    assert perturbed.perturbation is not None, "a perturbed set says how it was made"
    return DeltaKind(str(perturbed.perturbation["kind"]))


def pair_answers(
    config: TaskConfig, variations: Sequence[Variation], *, originals: Given, variants: Given
) -> list[VariantAnswers]:
    """Return for each variant what was answered to it and to its original."""
    name = _compared_name(config)
    if name is None:
        return []
    kind = config.field(name).type.type_name

    def answer(given: Given, uid: str) -> Answer | None:
        outputs, _ = given.get(uid, ({}, None))
        return delta_answer(kind, outputs[name]) if name in outputs else None

    return [
        VariantAnswers(
            original_uid=one.original_uid,
            transform=one.transform,
            cluster=one.context_digest,
            original=answer(originals, one.original_uid),
            variant=answer(variants, one.uid),
            gold_score=variants.get(one.uid, ({}, None))[1],
        )
        for one in variations
    ]


def find_deltas(
    config: TaskConfig, perturbed: DatasetVersion, split: Split, answers: Sequence[VariantAnswers]
) -> list[Delta]:
    """Return what the variants of a split say: all together, and each transform's."""
    name = _compared_name(config)
    if name is None or not answers:
        return []
    kind = config.field(name).type.type_name
    found = delta(answers, agreement=agreement_of(kind, config.perf_metrics[0].name))
    estimates = {EVERY_TRANSFORM: found.overall, **found.by_transform}
    return [
        _delta(one, perturbed.id, split, transform, kind_of(perturbed))
        for transform, one in estimates.items()
    ]


def _compared_name(config: TaskConfig) -> str | None:
    """Return the field whose answers are compared: that of the first metric of predictions."""
    metrics = scored_metrics(config)
    if metrics:
        return metrics[0].reference_name
    return config.gold_names[0] if config.gold_names else None


def _delta(
    estimate: DeltaEstimate, version_id: UUID, split: Split, transform: str, kind: DeltaKind
) -> Delta:
    interval = estimate.interval
    return Delta(
        perturbed_version_id=version_id,
        split=split,
        transform=transform,
        kind=kind,
        value=estimate.value,
        low=None if interval is None else max(0.0, interval.low),
        high=None if interval is None else min(1.0, interval.high),
        items=estimate.n,
        gold_value=estimate.gold_value,
    )
