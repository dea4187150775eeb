"""Word error rate: how many words must be changed to get from what was said to what is right."""

from collections.abc import Sequence

from dynabench.science.metrics.values import (
    Answer,
    Counts,
    Gold,
    MetricResult,
    pair_up_texts,
    sum_counts,
)

_ERRORS = "errors"
_WORDS = "words"


def wer(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the word errors of all items over the words of all right answers.

    Formula: Σ (substitutions + deletions + insertions) / Σ words of the right answer, by the
    alignment with the fewest errors. Words are what white space separates, compared as
    written: case and punctuation count. Of several right answers the nearest is taken. It is
    of no use for languages without spaces.
    Range: 0 upwards; above 1 where more was said than is right.
    Direction: lower is better. Where metrics are put together, the board takes the word
    accuracy max(0, 1 - WER) in its place.
    No data: null, also where the right answers have no words; an item without a prediction
    lacks all its words.
    Each item: its word accuracy max(0, 1 - WER).
    Source: Morris, Maier & Green 2004, "From WER and RIL to MER and WIL: improved evaluation
    measures for connected speech recognition"; computed by jiwer.

    Example:
        >>> wer(["the cat sat down"], ["the cat sat"]).value
        0.25
    """
    counts: list[Counts] = []
    per_item: list[float] = []
    for acceptable, said in pair_up_texts(gold, predictions):
        rates = [_count(right, said or "") for right in acceptable]
        nearest = min(rates, key=_rate)
        counts.append(nearest)
        per_item.append(max(0.0, 1.0 - _rate(nearest)))
    value = wer_of(sum_counts(counts))
    return MetricResult(value, len(per_item), tuple(per_item), tuple(counts))


def wer_of(counts: Counts) -> float | None:
    """Return the rate of counted errors, None where there are no words."""
    words = counts.get(_WORDS, 0.0)
    return counts[_ERRORS] / words if words else None


def _count(right: str, said: str) -> Counts:
    # Processes that never score speech do without the library.
    import jiwer  # noqa: PLC0415

    found = jiwer.process_words(right, said)
    errors = found.substitutions + found.deletions + found.insertions
    return {_ERRORS: errors, _WORDS: found.hits + found.substitutions + found.deletions}


def _rate(counts: Counts) -> float:
    """Return an item's own rate; of an answer without words each word is an error."""
    return counts[_ERRORS] / max(counts[_WORDS], 1)
