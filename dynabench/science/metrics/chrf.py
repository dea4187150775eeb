"""chrF: how many of the predicted character sequences stand in a reference."""

from collections.abc import Sequence

from dynabench.science.metrics.values import (
    Answer,
    Counts,
    Gold,
    MetricResult,
    pair_up_texts,
    sum_counts,
)

_CHARACTERS = 6
_PERCENT = 100
_PARTS = 3


def chrf(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the chrF of all predictions together.

    Formula: F with beta 2 of the mean precision and recall over sequences of 1 to 6
    characters without white space, counted over all items; of several references each item
    takes its best. sacreBLEU's defaults: case counts, orders that do not occur are left out.
    Range: 0 to 1, shown times 100.
    Direction: higher is better.
    No data: null; no prediction counts as an empty text.
    Each item: its own chrF.
    Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation".

    Example:
        >>> chrf(["the bridge"], ["the bridge"]).value
        1.0
    """
    return score_sequences(gold, predictions, words=0)


def chrf_of(counts: Counts) -> float | None:
    """Return the chrF of counted sequences, None where there are no items."""
    return f_score(counts, words=0)


def score_sequences(
    gold: Sequence[Gold], predictions: Sequence[Answer | None], *, words: int
) -> MetricResult:
    """Return the chrF over characters and, up to so many, words."""
    # Processes that never score translations do without the library.
    from sacrebleu.metrics.chrf import CHRF  # noqa: PLC0415

    scorer = CHRF(char_order=_CHARACTERS, word_order=words)
    counts: list[Counts] = []
    per_item: list[float] = []
    for acceptable, said in pair_up_texts(gold, predictions):
        # sacreBLEU tells these counts only to its own resampling, which knows no clusters.
        (found,) = scorer._extract_corpus_statistics(  # noqa: SLF001
            [said or ""], [[one] for one in acceptable]
        )
        own = {str(place): float(count) for place, count in enumerate(found)}
        counts.append(own)
        per_item.append(f_score(own, words=words) or 0.0)
    value = f_score(sum_counts(counts), words=words)
    return MetricResult(value, len(per_item), tuple(per_item), tuple(counts))


def f_score(counts: Counts, *, words: int) -> float | None:
    """Return the F of counted sequences, None where there are no items."""
    from sacrebleu.metrics.chrf import CHRF  # noqa: PLC0415 - as above

    if not counts:
        return None
    scorer = CHRF(char_order=_CHARACTERS, word_order=words)
    listed = [int(counts[str(place)]) for place in range(_PARTS * (_CHARACTERS + words))]
    # As above; rounding may leave a hair above 100.
    return min(1.0, scorer._compute_f_score(listed) / _PERCENT)  # noqa: SLF001
