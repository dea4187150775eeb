"""What goes into a metric and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

Answer = str | Mapping[str, object]
"""A label, a text, or a selection of which the `text` counts."""

Gold = Answer | Sequence[Answer]
"""The right answer, or all that are acceptable."""


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A metric's value from 0 to 1, None where there are no items.

    `per_item` holds the score of each item in the given order; for the metrics that are a
    mean, `value` is theirs.
    """

    value: float | None
    n: int
    per_item: tuple[float, ...]

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


def pair_up(
    gold: Sequence[Gold], predictions: Sequence[Answer | None]
) -> list[tuple[tuple[str, ...], str | None]]:
    """Return for each item the acceptable texts and the predicted one.

    Raises:
        ValueError: If there is not one prediction per item, or an item has no gold.
    """
    if len(gold) != len(predictions):
        message = f"{len(gold)} items need as many predictions, not {len(predictions)}."
        raise ValueError(message)
    return [
        (_acceptable(right), None if said is None else _text(said))
        for right, said in zip(gold, predictions, strict=True)
    ]


def _acceptable(gold: Gold) -> tuple[str, ...]:
    if isinstance(gold, (str, Mapping)):
        return (_text(gold),)
    if not gold:
        message = "An item needs at least one acceptable answer."
        raise ValueError(message)
    return tuple(_text(one) for one in gold)


def _text(answer: Answer) -> str:
    return answer if isinstance(answer, str) else str(answer["text"])
