"""BLEU: how many of the predicted word sequences stand in a reference."""

from collections.abc import Callable, Sequence

from dynabench.science.metrics.values import (
    Answer,
    Counts,
    Gold,
    MetricResult,
    pair_up_texts,
    sum_counts,
)

ORDERS = 4

_PERCENT = 100


def bleu(gold: Sequence[Gold], predictions: Sequence[Answer | None]) -> MetricResult:
    """Return the BLEU of all predictions together.

    Formula: BP · exp(Σ ln p_k / 4), k = 1 to 4: p_k is the share of predicted sequences of k
    words that stand in a reference, BP = exp(1 - r/c) where the predictions' length c is
    under the references' r. sacreBLEU's defaults: tokens of mteval-v13a, case counts,
    exponential smoothing; stored from 0 to 1. Its signature is
    case:mixed|eff:no|tok:13a|smooth:exp. For languages without spaces take chrf or sp_bleu.
    Range: 0 to 1, shown times 100.
    Direction: higher is better.
    No data: null; no prediction counts as an empty text.
    Each item: its sentence BLEU over the orders that it has (effective order).
    Source: Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine
    Translation"; Post 2018, "A Call for Clarity in Reporting BLEU Scores" (sacreBLEU).

    Example:
        >>> bleu(["The old bridge was closed."], ["The old bridge was closed."]).value
        1.0
    """
    return score_tokens(gold, predictions, tokenizer="13a")


def score_tokens(
    gold: Sequence[Gold],
    predictions: Sequence[Answer | None],
    *,
    tokenizer: str,
    prepare: Callable[[str], str] = str,
) -> MetricResult:
    """Return the BLEU over the tokens of one of sacreBLEU's tokenizers.

    Args:
        gold: The references.
        predictions: What was said.
        tokenizer: Its name with sacreBLEU.
        prepare: What is done to each text before.
    """
    # Processes that never score translations do without the library.
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415

    # Its own warning about texts that look tokenised is off: here they may be.
    scorer = BLEU(tokenize=tokenizer, effective_order=True, force=True)
    counts: list[Counts] = []
    per_item: list[float] = []
    for acceptable, said in pair_up_texts(gold, predictions):
        found = scorer.sentence_score(prepare(said or ""), [prepare(one) for one in acceptable])
        counts.append(
            {
                "length": found.sys_len,
                "reference": found.ref_len,
                **{f"right {order}": count for order, count in enumerate(found.counts)},
                **{f"said {order}": count for order, count in enumerate(found.totals)},
            }
        )
        per_item.append(min(1.0, found.score / _PERCENT))
    value = bleu_of(sum_counts(counts))
    return MetricResult(value, len(per_item), tuple(per_item), tuple(counts))


def bleu_of(counts: Counts) -> float | None:
    """Return the BLEU of counted sequences, None where there are no items."""
    from sacrebleu.metrics.bleu import BLEU  # noqa: PLC0415 - as above

    if not counts:
        return None
    found = BLEU.compute_bleu(
        correct=[int(counts[f"right {order}"]) for order in range(ORDERS)],
        total=[int(counts[f"said {order}"]) for order in range(ORDERS)],
        sys_len=int(counts["length"]),
        ref_len=int(counts["reference"]),
        smooth_method="exp",
    )
    # Rounding may leave a hair above 100.
    return min(1.0, found.score / _PERCENT)
