"""Accuracy: the share of items with an acceptable label."""

from collections.abc import Sequence

from dynabench.science.metrics.values import Answer, Gold, MetricResult, pair_up


def accuracy(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the share of predictions that are one of the acceptable answers.

    Formula: Σ [prediction ∈ acceptable] / n, compared as written; several labels or spans
    are compared as sets, numbers by their value.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null; an item without a prediction is a miss.
    Source: Metz 1978, "Basic principles of ROC analysis", for its limits where labels are
    unbalanced.

    Example:
        >>> accuracy(["yes", "no", ["yes", "no"]], ["yes", "yes", "no"]).per_item
        (1.0, 0.0, 1.0)
    """
    pairs = pair_up(gold, predictions)
    return MetricResult.mean_of([float(said in acceptable) for acceptable, said in pairs])
