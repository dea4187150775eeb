"""Training the text classifier: scikit-learn's logistic regression over hashed TF-IDF rows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from dynabench.engines.baselines.doing import (
    CALIBRATING_THE_PROBABILITIES,
    FITTING_THE_WEIGHTS,
    READING_THE_TEXTS,
    TRAINED,
)
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.options import OptionValues
from dynabench.engines.baselines.text_classifier import (
    BLOCKS,
    Floats,
    Integers,
    TextClassifier,
    Vocabulary,
    blocks_of,
)
from dynabench.engines.baselines.text_features import PAIR_FIGURES
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
)

_MIN_LABELS = 2
_MIN_DOCUMENTS = 2
_MAX_ITERATIONS = 200
_FOLDS = 3
_TEMPERATURES = (0.3, 8.0)
# A label that no item carries: improbable, yet not impossible.
_UNSEEN_LOGIT = -10.0
# Weights are kept to this many decimals: digests must not hang on the last bit of a sum.
_DECIMALS = 5

_Row = tuple[tuple[Counter[int], ...], Sequence[float]]


@dataclass(frozen=True, slots=True)
class _Settings:
    """What can be set of this recipe; see `options`."""

    inverse_regularisation: float
    word_ngrams: int
    character_ngrams: int
    max_features: int | None

    @classmethod
    def of(cls, options: OptionValues) -> "_Settings":
        """Read complete options."""
        most = options["max_features"]
        return cls(
            inverse_regularisation=float(str(options["inverse_regularisation"])),
            word_ngrams=int(str(options["word_ngrams"])),
            character_ngrams=int(str(options["character_ngrams"])),
            max_features=None if most is None else int(most),
        )


def train_text_classifier(
    items: Sequence[TrainingItem],
    *,
    config: ConfigSummary,
    seed: int,
    progress: Progress,
    options: OptionValues,
) -> TrainedModel:
    """Learn a label from texts; pair tasks learn from overlap and crossed words as well.

    An item of weight k pulls the weights like k items. What words tell is counted over
    different items, and the probabilities are calibrated on items that were not learned from,
    which copies in the training data would spoil.
    """
    settings = _Settings.of(options)
    labelled = [item for item in items if item.answer.get(config.answer_name) in config.labels]
    answers = np.array(
        [config.labels.index(str(item.answer[config.answer_name])) for item in labelled]
    )
    if len(set(answers.tolist())) < _MIN_LABELS:
        raise TrainingDataError(reason="the items must carry at least two of the task's labels.")
    progress(0.05, READING_THE_TEXTS)
    rows = [_row(item, config, settings) for item in labelled]
    vocabularies = [
        _vocabulary([blocks[k] for blocks, _ in rows], most=settings.max_features)
        for k in range(len(BLOCKS))
    ]
    lesson = _Lesson(
        _matrix(rows, vocabularies),
        answers,
        np.array([item.weight for item in labelled], dtype=np.float64),
        labels=len(config.labels),
        inverse_regularisation=settings.inverse_regularisation,
    )
    with threadpool_limits(limits=1):
        progress(0.2, CALIBRATING_THE_PROBABILITIES)
        temperature = _temperature(lesson, seed=seed)
        progress(0.8, FITTING_THE_WEIGHTS)
        weights, bias = _fit(lesson)
    progress(1.0, TRAINED)
    return TextClassifier(
        config,
        vocabularies=vocabularies,
        weights=weights,
        bias=bias,
        temperature=round(temperature, 3),
    )


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What the weights are fitted to: a row per item, its label's place and how much it counts."""

    matrix: csr_array
    answers: Integers
    item_weights: Floats
    labels: int
    inverse_regularisation: float

    def part(self, places: Integers) -> "_Lesson":
        """Return the items of these places."""
        return replace(
            self,
            matrix=self.matrix[places],
            answers=self.answers[places],
            item_weights=self.item_weights[places],
        )


def _row(item: TrainingItem, config: ConfigSummary, settings: _Settings) -> _Row:
    return blocks_of(
        item.model_input(),
        config,
        longest_words=settings.word_ngrams,
        longest_characters=settings.character_ngrams,
    )


def _vocabulary(documents: Sequence[Counter[int]], *, most: int | None) -> Vocabulary:
    frequencies: Counter[int] = Counter()
    for document in documents:
        frequencies.update(document.keys())
    least = _MIN_DOCUMENTS if len(documents) > _MIN_DOCUMENTS * 10 else 1
    kept = [h for h, n in frequencies.items() if n >= least]
    if most is not None and len(kept) > most:
        kept = sorted(kept, key=lambda h: (-frequencies[h], h))[:most]
    hashes = np.array(sorted(kept), dtype=np.int64)
    counts = np.array([frequencies[h] for h in hashes.tolist()], dtype=np.float64)
    idf = np.log((1 + len(documents)) / (1 + counts)) + 1
    # Serving reads them back as float32: learn from what will be served.
    return Vocabulary(hashes, idf.astype(np.float32).astype(np.float64))


def _matrix(rows: Sequence[_Row], vocabularies: Sequence[Vocabulary]) -> csr_array:
    columns: list[Integers] = []
    values: list[Floats] = []
    lengths: list[int] = []
    for blocks, figures in rows:
        row_columns: list[Integers] = [np.arange(PAIR_FIGURES, dtype=np.int64)]
        row_values: list[Floats] = [np.asarray(figures, dtype=np.float64)]
        offset = PAIR_FIGURES
        for counts, vocabulary in zip(blocks, vocabularies, strict=True):
            positions, weights = vocabulary.row(counts)
            row_columns.append(positions + offset)
            row_values.append(weights)
            offset += len(vocabulary.hashes)
        columns.append(np.concatenate(row_columns))
        values.append(np.concatenate(row_values))
        lengths.append(len(columns[-1]))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    width = PAIR_FIGURES + sum(len(vocabulary.hashes) for vocabulary in vocabularies)
    return csr_array(
        (np.concatenate(values), np.concatenate(columns), starts), shape=(len(rows), width)
    )


def _fit(lesson: _Lesson) -> tuple[NDArray[np.float32], Floats]:
    learner = LogisticRegression(
        C=lesson.inverse_regularisation, max_iter=_MAX_ITERATIONS, tol=1e-3
    )
    learner.fit(lesson.matrix, lesson.answers, sample_weight=lesson.item_weights)
    coefficients, intercept = learner.coef_, learner.intercept_
    if len(coefficients) == 1:
        coefficients = np.vstack([-coefficients / 2, coefficients / 2])
        intercept = np.array([-intercept[0] / 2, intercept[0] / 2])
    weights = np.zeros((lesson.matrix.shape[1], lesson.labels), dtype=np.float32)
    bias = np.full(lesson.labels, _UNSEEN_LOGIT)
    for row, label in enumerate(learner.classes_.tolist()):
        weights[:, label] = np.round(coefficients[row], _DECIMALS)
        bias[label] = round(float(intercept[row]), _DECIMALS)
    return weights, bias


def _temperature(lesson: _Lesson, *, seed: int) -> float:
    """Return the divisor of the logits under which held-out items are most likely."""
    answers = lesson.answers
    smallest = min(Counter(answers.tolist()).values())
    if smallest < _FOLDS:
        return 1.0
    folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=seed)
    logits = np.zeros((len(answers), lesson.labels))
    for inside, outside in folds.split(np.zeros(len(answers)), answers):
        weights, bias = _fit(lesson.part(inside))
        logits[outside] = lesson.matrix[outside] @ weights + bias

    def loss(temperature: float) -> float:
        scaled = logits / temperature
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        shares = scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))
        told = shares[np.arange(len(answers)), answers]
        return -float(np.average(told, weights=lesson.item_weights))

    return float(minimize_scalar(loss, bounds=_TEMPERATURES, method="bounded").x)
