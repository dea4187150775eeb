"""DataPerf F1: how well a model does that is trained on the submitted examples.

Imports scikit-learn; only who scores submitted examples loads this.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import SGDClassifier

DEFAULT_SEEDS = 5
"""How many models are trained where the config does not say."""

_PASSES = 200
_WORD = r"(?u)\b\w+\b|[^\w\s]"


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text with the labels that it has; there may be none."""

    text: str
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What models trained on submitted examples score, from 0 to 1.

    `value` is the mean over seeds and labels, `by_label` each label's mean over seeds and
    `by_seed` each seed's mean over labels. All are None or empty where nothing can be scored.
    """

    value: float | None
    by_label: dict[str, float]
    by_seed: tuple[float, ...]
    n: int


def dataperf_f1(
    train: Sequence[LabelledText],
    test: Sequence[LabelledText],
    *,
    seeds: Sequence[int] = tuple(range(DEFAULT_SEEDS)),
    labels: Iterable[str] | None = None,
) -> TrainingResult:
    """Return the F1 per label of models trained on the submitted examples, averaged.

    Formula: for each seed and label 2·tp / (2·tp + fp + fn) on the test items, then the mean
    over labels and seeds. Each label has its own classifier for "has it or not": logistic
    regression by stochastic gradient descent over words and word pairs (tf-idf), the order
    of whose steps the seed draws. A label that no or every submitted example has is
    predicted for none or every item.
    Range: 0 to 1.
    Direction: higher is better.
    No data: null, where nothing was submitted, or the test items have none of the labels.
    Source: Mazumder et al. 2023, "DataPerf: Benchmarks for Data-Centric AI Development",
    whose selection task this follows with texts in place of images.

    Args:
        train: The submitted examples.
        test: The items to score on.
        seeds: One model is trained for each.
        labels: The labels to score, None for all; those that no test item has are left out.

    Example:
        >>> texts = [LabelledText("good", frozenset("p")), LabelledText("bad", frozenset())]
        >>> dataperf_f1(texts * 4, texts, seeds=[1, 2]).value
        1.0
    """
    occurring = {label for item in test for label in item.labels}
    scored = sorted(occurring if labels is None else occurring.intersection(labels))
    if not train or not scored or not seeds:
        return TrainingResult(None, {}, (), len(test))
    table = _score_table(train, test, scored, seeds)
    return TrainingResult(
        value=float(table.mean()),
        by_label={label: float(table[:, place].mean()) for place, label in enumerate(scored)},
        by_seed=tuple(float(one) for one in table.mean(axis=1)),
        n=len(test),
    )


def _score_table(
    train: Sequence[LabelledText],
    test: Sequence[LabelledText],
    labels: Sequence[str],
    seeds: Sequence[int],
) -> NDArray[np.float64]:
    """Return each label's F1 with each seed, seed by seed."""
    table = np.zeros((len(seeds), len(labels)))
    words = TfidfVectorizer(ngram_range=(1, 2), token_pattern=_WORD)
    try:
        known = words.fit_transform([item.text for item in train])
    except ValueError:
        # The submitted examples have no words at all: nothing can be learned from them.
        return table
    asked = words.transform([item.text for item in test])
    for column, label in enumerate(labels):
        has, right = _having(train, label), _having(test, label)
        for row, seed in enumerate(seeds):
            said = _predict(known, has, asked, seed=seed)
            table[row, column] = 2 * (said & right).sum() / (said.sum() + right.sum())
    return table


def _having(items: Sequence[LabelledText], label: str) -> NDArray[np.bool_]:
    return np.array([label in item.labels for item in items])


def _predict(
    known: csr_matrix, has: NDArray[np.bool_], asked: csr_matrix, *, seed: int
) -> NDArray[np.bool_]:
    if has.all() or not has.any():
        return np.full(asked.shape[0], bool(has[0]))
    model = SGDClassifier(loss="log_loss", max_iter=_PASSES, tol=1e-4, random_state=seed)
    model.fit(known, has)
    return np.asarray(model.predict(asked), dtype=np.bool_)
