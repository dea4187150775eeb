"""What a metric compares, and each item's part in it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dynabench.loop.datasets.values import DatasetItem
from dynabench.science.metrics.registry import METRICS, metric
from dynabench.science.metrics.values import Answer, Gold
from dynabench.science.task_config.elements import PerfMetric

Outputs = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Compared:
    """Right and predicted answers of the items of a split, and which context each is on."""

    gold: Sequence[Gold]
    predicted: Sequence[Answer | None]
    contexts: Sequence[bytes]


def item_scores(
    perf_metrics: Sequence[PerfMetric], items: Sequence[DatasetItem], outputs: Sequence[Outputs]
) -> list[float | None]:
    """Return each item's part in the principal metric; None where it is not computed here."""
    principal = perf_metrics[0]
    if principal.name not in METRICS or principal.reference_name is None:
        return [None] * len(items)
    compared = compare(principal.reference_name, items, outputs)
    return [*metric(principal.name)(compared.gold, compared.predicted).per_item]


def compare(name: str, items: Sequence[DatasetItem], outputs: Sequence[Outputs]) -> Compared:
    """Return what a metric compares; where this output is missing there is no prediction."""
    return Compared(
        gold=[_gold(item.gold[name]) for item in items],
        predicted=[_answer(found[name]) if name in found else None for found in outputs],
        contexts=[item.context_digest for item in items],
    )


def _gold(value: object) -> Gold:
    return [_answer(one) for one in value] if isinstance(value, list) else _answer(value)


def _answer(value: object) -> Answer:
    return value if isinstance(value, str | Mapping) else str(value)
