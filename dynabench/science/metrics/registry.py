"""The performance metrics of a model's predictions, by the name that a task config writes."""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType

from dynabench.science.metrics.accuracy import accuracy
from dynabench.science.metrics.bleu import bleu, bleu_of
from dynabench.science.metrics.chrf import chrf, chrf_of
from dynabench.science.metrics.chrf_pp import chrf_pp, chrf_pp_of
from dynabench.science.metrics.exact_match import exact_match
from dynabench.science.metrics.macro_f1 import macro_f1, macro_f1_of
from dynabench.science.metrics.matthews import matthews, matthews_of
from dynabench.science.metrics.sp_bleu import sp_bleu_over
from dynabench.science.metrics.squad_f1 import squad_f1
from dynabench.science.metrics.values import Counts, Metric
from dynabench.science.metrics.vqa_accuracy import vqa_accuracy
from dynabench.science.metrics.wer import wer, wer_of

METRICS: MappingProxyType[str, Metric] = MappingProxyType(
    {
        "accuracy": accuracy,
        "bleu": bleu,
        "chrf": chrf,
        "chrf_pp": chrf_pp,
        "exact_match": exact_match,
        "macro_f1": macro_f1,
        "matthews": matthews,
        "squad_f1": squad_f1,
        "vqa_accuracy": vqa_accuracy,
        "wer": wer,
    }
)
"""The metrics that need nothing but gold answers and predictions."""

NEEDS_SENTENCEPIECE = "sp_bleu"
"""The metric that needs a SentencePiece model beside them."""

VALUE_OF: MappingProxyType[str, Callable[[Counts], float | None]] = MappingProxyType(
    {
        "bleu": bleu_of,
        "chrf": chrf_of,
        "chrf_pp": chrf_pp_of,
        "macro_f1": macro_f1_of,
        "matthews": matthews_of,
        "sp_bleu": bleu_of,
        "wer": wer_of,
    }
)
"""Of metrics that are no mean of their items: the value of summed counts."""

BY_LABEL = frozenset({"macro_f1", "matthews"})
"""Those of them that rare labels may set; they count right labels under `GOLD`."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What an operator has to provide for some metrics; None where it is not there."""

    sentencepiece: bytes | None = None


def metric(name: str, resources: Resources | None = None) -> Metric:
    """Return the metric of a name.

    Raises:
        SentencePieceMissingError: If it needs what `resources` lack.
        ValueError: If there is no such metric of predictions.

    Example:
        >>> metric("accuracy")(["a"], ["a"]).value
        1.0
    """
    if name == NEEDS_SENTENCEPIECE:
        return sp_bleu_over(None if resources is None else resources.sentencepiece)
    if name not in METRICS:
        message = f"There is no metric {name} of predictions."
        raise ValueError(message)
    return METRICS[name]
