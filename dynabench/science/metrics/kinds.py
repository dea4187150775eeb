"""What is known of each performance metric without computing it.

The config's reader and the reference need this and no more, so it imports no library.
"""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

_TEXTS = ("string", "context_string_selection")
_SETS = ("multilabel", "spans")
_NUMBERS = ("number", "rating")


class Direction(StrEnum):
    """Which way a metric is better."""

    HIGHER = "higher"
    LOWER = "lower"


class Subject(StrEnum):
    """What a metric is computed from."""

    PREDICTIONS = "predictions"
    """What a model predicted for the items of a dataset."""

    CHOICES = "choices"
    """Which of several replies people chose."""

    TRAINING = "training"
    """What a model does that is trained on submitted examples."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricKind:
    """One performance metric.

    Attributes:
        name: The word after `type:` in a config.
        title: What people call it.
        field_types: The types of the fields that it can be computed on.
        direction: Which way it is better.
        subject: What it is computed from.
        counts_words: Whether it cuts texts at spaces, which some languages do not write.
    """

    name: str
    title: str
    field_types: tuple[str, ...]
    direction: Direction = Direction.HIGHER
    subject: Subject = Subject.PREDICTIONS
    counts_words: bool = False

    def as_good(self, value: float) -> float:
        """Return a value so that more is better, which is what metrics are put together by.

        Example:
            >>> METRIC_KINDS["wer"].as_good(0.25), METRIC_KINDS["wer"].as_good(3.0)
            (0.75, 0.0)
        """
        return max(0.0, 1.0 - value) if self.direction is Direction.LOWER else value


_KINDS = (
    MetricKind(
        name="accuracy", title="Accuracy", field_types=("multiclass", *_TEXTS, *_SETS, *_NUMBERS)
    ),
    MetricKind(name="macro_f1", title="Macro F1", field_types=("multiclass", "multilabel")),
    MetricKind(name="squad_f1", title="SQuAD F1", field_types=_TEXTS),
    MetricKind(
        name="exact_match",
        title="Exact match",
        field_types=("multiclass", *_TEXTS, *_SETS, *_NUMBERS),
    ),
    MetricKind(name="bleu", title="BLEU", field_types=_TEXTS, counts_words=True),
    MetricKind(name="sp_bleu", title="spBLEU", field_types=_TEXTS),
    MetricKind(name="chrf", title="chrF", field_types=_TEXTS),
    MetricKind(name="chrf_pp", title="chrF++", field_types=_TEXTS),
    MetricKind(name="vqa_accuracy", title="VQA accuracy", field_types=_TEXTS),
    MetricKind(name="matthews", title="Matthews correlation", field_types=("multiclass",)),
    MetricKind(
        name="wer",
        title="Word error rate",
        field_types=_TEXTS,
        direction=Direction.LOWER,
        counts_words=True,
    ),
    MetricKind(
        name="preference", title="Preference", field_types=("chat",), subject=Subject.CHOICES
    ),
    MetricKind(
        name="dataperf_f1",
        title="DataPerf F1",
        field_types=("multilabel", "multiclass"),
        subject=Subject.TRAINING,
    ),
)

METRIC_KINDS: MappingProxyType[str, MetricKind] = MappingProxyType(
    {one.name: one for one in _KINDS}
)
"""The performance metrics by the name that a config writes."""
