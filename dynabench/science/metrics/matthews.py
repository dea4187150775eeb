"""Matthews correlation: agreement with gold beyond what the labels' frequencies give."""

from collections.abc import Mapping, Sequence
from math import sqrt

from dynabench.science.metrics.values import (
    GOLD,
    Answer,
    Counts,
    Gold,
    MetricResult,
    pair_up_texts,
    sum_counts,
)

_ITEMS = "items"
_HITS = "hits"
_SAID = "said "
# No label is empty, so this is none of them.
_NO_ANSWER = ""


def matthews(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the correlation of predicted and gold labels, for any number of labels.

    Formula: (c·n - Σ p·g) / √((n² - Σ p²)·(n² - Σ g²)), where c items of n are right and
    a label was predicted p times and is gold g times; 0 where all predictions or all gold
    labels are the same. Where several labels are acceptable, the predicted one counts as
    gold if it is among them, else the first.
    Range: -1 to 1; 0 is what guessing gives.
    Direction: higher is better.
    No data: null; no prediction counts as a wrong label of its own.
    Each item: 1 for a hit, else 0; items have no share in a correlation.
    Source: Matthews 1975, "Comparison of the predicted and observed secondary structure of
    T4 phage lysozyme"; for several labels Gorodkin 2004, "Comparing two K-category
    assignments by a K-category correlation coefficient".

    Example:
        >>> matthews(["a", "b", "a", "b"], ["a", "b", "b", "b"]).value
        0.5773502691896258
    """
    counts: list[Counts] = []
    per_item: list[float] = []
    for acceptable, said in pair_up_texts(gold, predictions):
        is_hit = said is not None and said in acceptable
        right = said if is_hit and said is not None else acceptable[0]
        given = _NO_ANSWER if said is None else said
        counts.append({_ITEMS: 1, _HITS: is_hit, f"{GOLD}{right}": 1, f"{_SAID}{given}": 1})
        per_item.append(float(is_hit))
    value = matthews_of(sum_counts(counts))
    return MetricResult(value, len(per_item), tuple(per_item), tuple(counts))


def matthews_of(counts: Counts) -> float | None:
    """Return the correlation of counted labels, None where there are no items."""
    items = counts.get(_ITEMS, 0.0)
    if not items:
        return None
    gold = _by_label(counts, GOLD)
    said = _by_label(counts, _SAID)
    both = sum(count * said.get(label, 0.0) for label, count in gold.items())
    spread = (items**2 - _squares(gold)) * (items**2 - _squares(said))
    if spread <= 0:
        return 0.0
    found = (counts.get(_HITS, 0.0) * items - both) / sqrt(spread)
    return max(-1.0, min(1.0, found))


def _by_label(counts: Counts, prefix: str) -> dict[str, float]:
    return {
        name.removeprefix(prefix): count
        for name, count in counts.items()
        if name.startswith(prefix) and count
    }


def _squares(counts: Mapping[str, float]) -> float:
    return sum(count**2 for count in counts.values())
