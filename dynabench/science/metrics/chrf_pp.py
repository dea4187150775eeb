"""chrF++: chrF with words beside the characters."""

from collections.abc import Sequence

from dynabench.science.metrics.chrf import f_score, score_sequences
from dynabench.science.metrics.values import Answer, Counts, Gold, MetricResult

_WORDS = 2


def chrf_pp(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the chrF++ of all predictions together.

    Formula: as chrF, with sequences of 1 and 2 words beside those of 1 to 6 characters;
    punctuation stands alone.
    Range: 0 to 1, shown times 100.
    Direction: higher is better.
    No data: null; no prediction counts as an empty text.
    Each item: its own chrF++.
    Source: Popović 2017, "chrF++: words helping character n-grams".

    Example:
        >>> chrf_pp(["the bridge"], ["the bridge"]).value
        1.0
    """
    return score_sequences(gold, predictions, words=_WORDS)


def chrf_pp_of(counts: Counts) -> float | None:
    """Return the chrF++ of counted sequences, None where there are no items."""
    return f_score(counts, words=_WORDS)
