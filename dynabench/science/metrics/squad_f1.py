"""SQuAD F1: how many words predictions and answers share."""

from collections.abc import Sequence

from dynabench.science.metrics.values import Answer, Gold, MetricResult, pair_up_texts
from dynabench.science.texts.normalise import token_f1


def squad_f1(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the mean token F1 of predictions with their best acceptable answer.

    Formula: Σ max over acceptable answers of F1(prediction, answer) / n, over the bags of
    words of the normalised texts.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null; an item without a prediction scores 0.
    Source: Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of
    Text".

    Example:
        >>> squad_f1([["the bridge", "an old bridge"]], ["old bridge"]).value
        1.0
    """
    pairs = pair_up_texts(gold, predictions)
    return MetricResult.mean_of(
        [
            0.0 if said is None else max(token_f1(said, one) for one in acceptable)
            for acceptable, said in pairs
        ]
    )
