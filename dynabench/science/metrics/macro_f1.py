"""Macro F1: the mean of the labels' F1, so that rare labels count as much as common ones."""

from collections import Counter
from collections.abc import Hashable, Sequence

from dynabench.science.metrics.values import (
    GOLD,
    Answer,
    Counts,
    Gold,
    Key,
    MetricResult,
    pair_up,
    sum_counts,
)

_HIT = "hit "
_SEEN = "seen "


def macro_f1(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the unweighted mean of F1 over the labels that occur.

    Formula: mean over labels of 2·tp / (2·tp + fp + fn); the labels are those that occur in
    gold or predictions. Where several answers are acceptable, the predicted one counts as
    gold if it is among them, else the first. Of an item with several labels each counts.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null, also where no label occurs at all; an item without a prediction misses
    every gold label.
    Each item: the F1 of its own labels, which is 1 or 0 where there is one; items have no
    share in a macro mean.
    Source: Opitz & Burst 2019, "Macro F1 and Macro F1" (their averaged F1).

    Example:
        >>> macro_f1(["a", "a", "b"], ["a", "b", "b"]).value
        0.6666666666666666
    """
    counts: list[Counts] = []
    per_item: list[float] = []
    for acceptable, said in pair_up(gold, predictions):
        right = _labels(said if said is not None and said in acceptable else acceptable[0])
        given = frozenset[Hashable]() if said is None else _labels(said)
        # Each label's tp + fn and tp + fp together are the denominator of its F1.
        found = Counter(f"{_SEEN}{label}" for label in (*right, *given))
        found.update(f"{_HIT}{label}" for label in right & given)
        found.update(f"{GOLD}{label}" for label in right)
        counts.append(found)
        size = len(right) + len(given)
        is_none_right = said is not None and size == 0
        per_item.append(2 * len(right & given) / size if size else float(is_none_right))
    value = macro_f1_of(sum_counts(counts))
    return MetricResult(value, len(per_item), tuple(per_item), tuple(counts))


def macro_f1_of(counts: Counts) -> float | None:
    """Return the macro F1 of counted labels, None where none occurs."""
    seen = {name: count for name, count in counts.items() if name.startswith(_SEEN) and count}
    if not seen:
        return None
    hits = (counts.get(f"{_HIT}{name.removeprefix(_SEEN)}", 0.0) for name in seen)
    scores = [2 * hit / count for hit, count in zip(hits, seen.values(), strict=True)]
    return sum(scores) / len(scores)


def _labels(answer: Key) -> frozenset[Hashable]:
    return answer if isinstance(answer, frozenset) else frozenset([answer])
