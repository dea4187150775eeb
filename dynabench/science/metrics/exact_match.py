"""Exact match: the share of items answered in the very words, as SQuAD compares them."""

from collections.abc import Sequence

from dynabench.science.metrics.values import Answer, Gold, Key, MetricResult, pair_up
from dynabench.science.texts.normalise import squad_normalise


def exact_match(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the share of predictions that equal an acceptable answer when normalised.

    Formula: Σ max over acceptable answers of [norm(prediction) = norm(answer)] / n, where
    norm lowers the case and drops punctuation and English articles. Several labels or spans
    are compared as sets, numbers by their value.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null; an item without a prediction is a miss.
    Source: Rajpurkar et al. 2016, "SQuAD: 100,000+ Questions for Machine Comprehension of
    Text".

    Example:
        >>> exact_match(["the bridge", ["1998", "in 1998"]], ["Bridge.", "1999"]).per_item
        (1.0, 0.0)
    """
    pairs = pair_up(gold, predictions)
    return MetricResult.mean_of([_score(acceptable, said) for acceptable, said in pairs])


def _score(acceptable: tuple[Key, ...], said: Key | None) -> float:
    if said is None:
        return 0.0
    return float(_normal(said) in {_normal(one) for one in acceptable})


def _normal(answer: Key) -> Key:
    return squad_normalise(answer) if isinstance(answer, str) else answer
