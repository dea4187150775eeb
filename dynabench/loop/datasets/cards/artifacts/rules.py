"""Whether a baseline can be had, and how right it is."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from dynabench.kit.sentences import Phrase
from dynabench.kit.wire import Values
from dynabench.loop.datasets.cards.artifacts.values import SMALLEST_TRAINING, Answers, Sampled
from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.rates import Interval, Rate, total

_MIN_LABELS = 2
_NO_LABEL = Phrase("artifacts.no_label", "The gold answer of this task is not a single label.")
_NO_CONTEXT = Phrase(
    "artifacts.no_context",
    "The task has no context, so a model of the input alone sees everything.",
)
_SMALL_TRAIN = Phrase(
    "artifacts.small_train", "Train has {items} items; a baseline needs at least {least}."
)
_NOTHING_TO_MEASURE = Phrase(
    "artifacts.nothing_to_measure", "Dev and test are empty, so nothing can be measured."
)
_ONE_LABEL = Phrase("artifacts.one_label", "All items of train have one label.")
_NO_TEXT = Phrase("artifacts.no_text", "The inputs of this task hold no text.")
_FAILED = Phrase(
    "artifacts.failed", "The baseline could not be computed; the worker's log says why."
)
FAILED = _FAILED.say()
WHY_NONE = (
    _NO_LABEL,
    _NO_CONTEXT,
    _SMALL_TRAIN,
    _NOTHING_TO_MEASURE,
    _ONE_LABEL,
    _NO_TEXT,
    _FAILED,
)
"""Every reason why a card has no baseline of the inputs alone."""


def written_rate(rate: Rate, interval: Interval | None) -> Values:
    """Return a rate with its interval as a card holds it."""
    return {
        "value": rate.value,
        "part": rate.part,
        "whole": rate.whole,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
    }


def why_none(sampled: Sequence[Sampled], *, has_context: bool, has_labels: bool) -> str | None:
    """Return why no model of the inputs alone is tried; None where one can be."""
    train = [one for one in sampled if one.is_train]
    reasons = {
        _NO_LABEL.say(): not has_labels,
        _NO_CONTEXT.say(): not has_context,
        _SMALL_TRAIN.say(items=len(train), least=SMALLEST_TRAINING): len(train) < SMALLEST_TRAINING,
        _NOTHING_TO_MEASURE.say(): len(train) == len(sampled),
        _ONE_LABEL.say(): len({one.label for one in train}) < _MIN_LABELS,
        _NO_TEXT.say(): not any(one.text for one in sampled),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


def no_artifacts(reason: str) -> Values:
    """Return what a card says where nothing was measured."""
    return {
        "input_only_accuracy": None,
        "majority_accuracy": None,
        "trained_on": 0,
        "reason": reason,
    }


def describe_artifacts(sampled: Sequence[Sampled], answers: Answers) -> Values:
    """Return how right the inputs alone make a model, beside the most frequent label.

    Both are measured on dev and test together; intervals cluster by context.
    """
    measured = [one for one in sampled if not one.is_train]
    right = [label == one.label for one, label in zip(measured, answers.learned, strict=True)]
    common = [one.label == answers.majority for one in measured]
    return {
        "input_only_accuracy": _accuracy(measured, right),
        "majority_accuracy": _accuracy(measured, common),
        "trained_on": len(sampled) - len(measured),
        "reason": None,
    }


def majority_of(labels: Mapping[str, int]) -> str:
    """Return the most frequent label; of several the first by name.

    Example:
        >>> majority_of(Counter("abba"))
        'a'
    """
    return min(labels, key=lambda label: (-labels[label], label))


def _accuracy(measured: Sequence[Sampled], right: Sequence[bool]) -> Values:
    counts: dict[bytes, Counter[bool]] = defaultdict(Counter)
    for one, is_right in zip(measured, right, strict=True):
        counts[one.context][is_right] += 1
    rates = [Rate(found[True], found.total()) for found in counts.values()]
    return written_rate(total(rates), clustered_interval(rates))
