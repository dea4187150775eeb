"""Robustness and fairness: whether a model keeps its answer when the text changes.

The gold answers play no part: each answer to a variant is compared with the model's own answer to
the original.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from dynabench.science.metrics.accuracy import accuracy
from dynabench.science.metrics.answers import as_answer
from dynabench.science.metrics.chrf import chrf
from dynabench.science.metrics.squad_f1 import squad_f1
from dynabench.science.metrics.values import Answer, Metric
from dynabench.science.statistics.means import mean_with_interval
from dynabench.science.statistics.rates import Interval


class Agreement(StrEnum):
    """How two answers of one model to one item are compared."""

    EXACT = "exact"
    """1 for the same label, set or number, else 0."""

    WORDS = "words"
    """Token F1, for spans and short texts."""

    CHARACTERS = "characters"
    """chrF of the one sentence, for translation and speech."""


_SCORES: MappingProxyType[Agreement, Metric] = MappingProxyType(
    {
        Agreement.EXACT: accuracy,
        Agreement.WORDS: squad_f1,
        # Of chrF the items' own scores are taken, never that of the corpus.
        Agreement.CHARACTERS: chrf,
    }
)
_LONG_TEXT_METRICS = frozenset(["bleu", "chrf", "chrf_pp", "sp_bleu", "wer"])
_TEXT_TYPES = frozenset(["context_string_selection", "spans", "string"])


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantAnswers:
    """What a model answered to an original and to one variant of it.

    Attributes:
        original_uid: The original item.
        transform: How the variant was made.
        cluster: What the original has in common with others, such as its context.
        original: The model's answer to the original, None if it gave none.
        variant: Its answer to the variant, None if it gave none.
        gold_score: The variant's score against the gold answer, None where it has none.
    """

    original_uid: str
    transform: str
    cluster: Hashable
    original: Answer | None
    variant: Answer | None
    gold_score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeltaEstimate:
    """How far a model keeps its answers, 0 to 1.

    Attributes:
        value: The mean agreement over originals; None where nothing changed.
        interval: Its 95 % interval, clustered; None where that cannot be told.
        n: Originals with a variant.
        variants: Their variants.
        gold_value: The mean gold score of the variants, averaged per original first.
    """

    value: float | None
    interval: Interval | None
    n: int
    variants: int
    gold_value: float | None


@dataclass(frozen=True, slots=True)
class DeltaResult:
    """The agreement over all transforms, and of each by its name."""

    overall: DeltaEstimate
    by_transform: Mapping[str, DeltaEstimate]


def agreement_of(type_name: str, metric: str) -> Agreement:
    """Return how answers are compared, from the output field's type and the principal metric.

    Example:
        >>> agreement_of("multiclass", "accuracy"), agreement_of("string", "chrf")
        (<Agreement.EXACT: 'exact'>, <Agreement.CHARACTERS: 'characters'>)
    """
    if type_name not in _TEXT_TYPES:
        return Agreement.EXACT
    return Agreement.CHARACTERS if metric in _LONG_TEXT_METRICS else Agreement.WORDS


def delta_answer(type_name: str, value: object) -> Answer:
    """Return a stored answer as it is compared here: of marked places the words, not where.

    A place moves when the text before it changes; its words with their label stay what they are.

    Example:
        >>> delta_answer("spans", [{"text": "old tree", "start": 4, "end": 12, "label": "plant"}])
        'plantold planttree'
        >>> delta_answer("multiclass", "neutral")
        'neutral'
    """
    if type_name != "spans" or not isinstance(value, list):
        return as_answer(type_name, value)
    return " ".join(
        f"{span.get('label', '')}{word}" for span in value for word in str(span["text"]).split()
    )


def delta(answers: Sequence[VariantAnswers], *, agreement: Agreement) -> DeltaResult:
    """Return how far a model keeps its own answers under change.

    Formula: mean over originals of the mean over an original's variants of the agreement
    between the answer to the variant and the answer to the original.
    Range: 0 to 1, shown times 100.
    Direction: higher is better.
    No data: null; where the model gave no answer to the original or the variant the agreement
    is 0, so that failing is never robust.
    Source: Ma et al. 2021, "Dynaboard: An Evaluation-As-A-Service Platform for Holistic
    Next-Generation Benchmarking".
    """
    scores = _agreements(answers, agreement)
    transforms: dict[str, list[int]] = {}
    for place, one in enumerate(answers):
        transforms.setdefault(one.transform, []).append(place)
    return DeltaResult(
        overall=_estimate(answers, scores, range(len(answers))),
        by_transform={
            name: _estimate(answers, scores, places) for name, places in sorted(transforms.items())
        },
    )


def _agreements(answers: Sequence[VariantAnswers], agreement: Agreement) -> list[float]:
    answered = [place for place, one in enumerate(answers) if one.original is not None]
    originals = [one.original for one in answers if one.original is not None]
    found = _SCORES[agreement](originals, [answers[place].variant for place in answered])
    scores = [0.0] * len(answers)
    for place, score in zip(answered, found.per_item, strict=True):
        scores[place] = score if answers[place].variant is not None else 0.0
    return scores


def _estimate(
    answers: Sequence[VariantAnswers], scores: Sequence[float], places: Sequence[int]
) -> DeltaEstimate:
    kept: dict[str, list[float]] = {}
    right: dict[str, list[float]] = {}
    clusters: dict[str, Hashable] = {}
    for place in places:
        one = answers[place]
        kept.setdefault(one.original_uid, []).append(scores[place])
        clusters[one.original_uid] = one.cluster
        if one.gold_score is not None:
            right.setdefault(one.original_uid, []).append(one.gold_score)
    estimate = mean_with_interval(
        [_mean(found) for found in kept.values()], [clusters[uid] for uid in kept]
    )
    return DeltaEstimate(
        value=None if estimate is None else estimate.mean,
        interval=None if estimate is None else estimate.interval,
        n=len(kept),
        variants=len(places),
        gold_value=_mean([_mean(found) for found in right.values()]) if right else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
