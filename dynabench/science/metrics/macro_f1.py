"""Macro F1: the mean of the labels' F1, so that rare labels count as much as common ones."""

from collections import Counter
from collections.abc import Sequence

from dynabench.science.metrics.values import Answer, Gold, MetricResult, pair_up


def macro_f1(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the unweighted mean of F1 over the labels that occur.

    Formula: mean over labels of 2·tp / (2·tp + fp + fn); the labels are those that occur
    in gold or predictions. Where several labels are acceptable, the predicted one counts
    as gold if it is among them, else the first.
    Range: 0 to 1. Direction: higher is better. No data: None; no prediction is a miss of
    the gold label. `per_item` says 1 for each hit: items have no share in a macro mean.
    Citation: Opitz & Burst 2019, "Macro F1 and Macro F1" (their averaged F1).

    Example:
        >>> macro_f1(["a", "a", "b"], ["a", "b", "b"]).value
        0.6666666666666666
    """
    hits: Counter[str] = Counter()
    occurrences: Counter[str] = Counter()
    per_item: list[float] = []
    for acceptable, said in pair_up(gold, predictions):
        is_hit = said is not None and said in acceptable
        right = said if said is not None and is_hit else acceptable[0]
        hits[right] += is_hit
        # Each label's tp + fn and tp + fp together are the denominator of its F1.
        occurrences[right] += 1
        if said is not None:
            occurrences[said] += 1
        per_item.append(float(is_hit))
    scores = [2 * hits[label] / count for label, count in occurrences.items()]
    value = sum(scores) / len(scores) if scores else None
    return MetricResult(value, len(per_item), tuple(per_item))
