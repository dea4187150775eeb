"""What goes into a metric and what comes out."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Answer = str | float | frozenset[Hashable] | Mapping[str, object]
"""A label or text, a number, a set of labels or spans, or a selection of which the text counts."""

Gold = Answer | Sequence[Answer]
"""The right answer, or all that are acceptable."""

Key = str | float | frozenset[Hashable]
"""An answer in the form in which it is compared."""

Counts = Mapping[str, float]
"""What is counted on one item; the counts of several items add up to those of the set."""

GOLD = "gold "
"""Before the name of a label, under which is counted how often it is the right one."""

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A metric's value over some items, None where it is not defined.

    `per_item` holds each item's own score in the given order, from 0 to 1, and more is
    better whatever the metric's direction. Where the value is not their mean, `counts` are
    the items' sufficient statistics, from whose sum it is computed.
    """

    value: float | None
    n: int
    per_item: tuple[float, ...]
    counts: tuple[Counts, ...] = ()

    @classmethod
    def mean_of(cls, scores: Sequence[float]) -> "MetricResult":
        """Return the result of a metric that is the mean of its items' scores."""
        value = sum(scores) / len(scores) if scores else None
        return cls(value, len(scores), tuple(scores))


class Metric(Protocol):
    """Compares predictions with gold answers, item by item; None is no prediction."""

    def __call__(self, gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
        """Return the score of the predictions."""
        ...


def sum_counts(counts: Sequence[Counts]) -> Counts:
    """Return the counts of a set of items.

    Example:
        >>> sum_counts([{"words": 3}, {"words": 2, "errors": 1}])
        {'words': 5.0, 'errors': 1.0}
    """
    found: dict[str, float] = {}
    for one in counts:
        for name, count in one.items():
            found[name] = found.get(name, 0.0) + count
    return found


def pair_up(
    gold: Sequence[Gold], predictions: Sequence[Answer | None]
) -> list[tuple[tuple[Key, ...], Key | None]]:
    """Return for each item the acceptable answers and the predicted one.

    Raises:
        ValueError: If there is not one prediction per item, or an item has no gold.
    """
    if len(gold) != len(predictions):
        message = f"{len(gold)} items need as many predictions, not {len(predictions)}."
        raise ValueError(message)
    return [
        (_acceptable(right), None if said is None else _key(said))
        for right, said in zip(gold, predictions, strict=True)
    ]


def pair_up_texts(
    gold: Sequence[Gold], predictions: Sequence[Answer | None]
) -> list[tuple[tuple[str, ...], str | None]]:
    """Return for each item the acceptable texts and the predicted one.

    Raises:
        ValueError: If there is not one prediction per item, or an item has no gold.
    """
    return [
        (tuple(str(one) for one in acceptable), None if said is None else str(said))
        for acceptable, said in pair_up(gold, predictions)
    ]


def _acceptable(gold: Gold) -> tuple[Key, ...]:
    if isinstance(gold, str | int | float | frozenset | Mapping):
        return (_key(gold),)
    if not gold:
        message = "An item needs at least one acceptable answer."
        raise ValueError(message)
    return tuple(_key(one) for one in gold)


def _key(answer: Answer) -> Key:
    if isinstance(answer, Mapping):
        return str(answer["text"])
    if isinstance(answer, int | float):
        # 0.1 · 3 is the answer 0.3.
        return float(f"{answer:.{_DIGITS}g}")
    return answer
