"""Training the extractive reader: the gold span must outscore the passage's other spans."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from dynabench.engines.baselines.doing import (
    CALIBRATING_THE_PROBABILITY,
    FITTING_THE_WEIGHTS,
    READING_THE_PASSAGES,
    TRAINED,
)
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.extractive_reader import (
    ExtractiveReader,
    best_span,
    candidates_in,
    log_odds,
    texts_of,
)
from dynabench.engines.baselines.options import OptionValues
from dynabench.engines.baselines.passages import QUESTION_TYPES, Token
from dynabench.engines.baselines.span_features import Candidates, Floats, Integers
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
    repeated,
)

# Weights by type are pulled harder to 0 than what all types share.
_RIDGE_BY_TYPE = 5.0
_MAX_ITERATIONS = 120
_DECIMALS = 4
_EXTRACTING_SHARE = 0.3
_FITTED_SHARE = 0.6
_LEAST_TO_CALIBRATE = 40


@dataclass(frozen=True, slots=True)
class _Reading:
    """One item: its candidates, their token F1 with the gold answer, and those learned from."""

    candidates: Candidates
    scores: Floats
    kept: Integers
    targets: Floats
    kind: int


def train_extractive_reader(
    items: Sequence[TrainingItem],
    *,
    config: ConfigSummary,
    seed: int,
    progress: Progress,
    options: OptionValues,
) -> TrainedModel:
    """Learn span weights by maximising the gold spans' share among all candidates.

    A candidate that overlaps the gold answer counts in proportion to the square of its token
    F1, so that "the lamp" beside a gold "lamp" is a near miss and not a plain error. An item
    whose answer is not in its passage is left out.
    """
    random = np.random.default_rng(seed)
    rivals, ridge = int(str(options["rivals"])), float(str(options["ridge"]))
    items = repeated(items)
    readings: list[_Reading] = []
    for number, item in enumerate(items):
        reading = _read(item, config, random, rivals=rivals)
        if reading is not None:
            readings.append(reading)
        if number % 50 == 0:
            progress(_EXTRACTING_SHARE * number / len(items), READING_THE_PASSAGES)
    if not readings:
        raise TrainingDataError(reason="no item's answer is a short span of its passage.")
    progress(_EXTRACTING_SHARE, FITTING_THE_WEIGHTS)
    with threadpool_limits(limits=1):
        weights = _fit(readings, ridge=ridge)
        progress(_FITTED_SHARE, CALIBRATING_THE_PROBABILITY)
        calibration = _calibration(readings, ridge=ridge)
    progress(1.0, TRAINED)
    rounded = np.round(weights, _DECIMALS).astype(np.float32)
    return ExtractiveReader(config, rounded, calibration=calibration)


def _read(
    item: TrainingItem, config: ConfigSummary, random: np.random.Generator, *, rivals: int
) -> _Reading | None:
    passage, question = texts_of(item.model_input(), config)
    found = _gold_span(item.answer.get(config.answer_name), passage)
    if found is None:
        return None
    tokens, candidates, kind = candidates_in(passage, question)
    if not len(candidates.first):
        return None
    scores = _token_f1(tokens, candidates, found)
    if scores.max() == 0:
        return None
    targets = np.where(scores == scores.max(), 1.0, 0.3 * scores**2)
    is_near = scores > 0
    far = np.flatnonzero(~is_near)
    chosen = random.choice(far, size=min(rivals, len(far)), replace=False)
    kept = np.sort(np.concatenate([np.flatnonzero(is_near), chosen]))
    return _Reading(candidates, scores, kept, targets[kept] / targets[kept].sum(), kind)


def _gold_span(answer: object, passage: str) -> tuple[int, int] | None:
    """Return the answer's offsets; plain text is looked for in the passage."""
    if isinstance(answer, Mapping):
        start, end = answer.get("start"), answer.get("end")
        if isinstance(start, int) and isinstance(end, int) and passage[start:end]:
            return start, end
        answer = answer.get("text")
    if not isinstance(answer, str) or not answer.strip():
        return None
    match = re.search(re.escape(answer.strip()), passage, flags=re.IGNORECASE)
    return (match.start(), match.end()) if match else None


def _token_f1(tokens: Sequence[Token], candidates: Candidates, span: tuple[int, int]) -> Floats:
    inside: Integers = np.array(
        [int(t.start < span[1] and t.end > span[0] and t.text[0].isalnum()) for t in tokens]
    )
    totals = np.concatenate([[0], np.cumsum(inside)])
    shared = totals[candidates.last + 1] - totals[candidates.first]
    lengths = candidates.last - candidates.first + 1
    result: Floats = 2 * shared / (lengths + max(1, int(inside.sum())))
    return result


def _fit(readings: Sequence[_Reading], *, ridge: float) -> Floats:
    """Minimise the listwise cross-entropy with L-BFGS; weights by type are pulled harder to 0."""
    # Items of one type stand together, so that a type's rows are a view and never a copy.
    readings = sorted(readings, key=lambda reading: reading.kind)
    figures = np.concatenate([reading.candidates.figures[reading.kept] for reading in readings])
    shape = (1 + len(QUESTION_TYPES), figures.shape[1])
    targets = np.concatenate([reading.targets for reading in readings])
    sizes = np.array([len(reading.targets) for reading in readings])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    row_kinds = np.repeat([reading.kind for reading in readings], sizes)
    bounds = np.searchsorted(row_kinds, np.arange(len(QUESTION_TYPES) + 1)).tolist()
    by_type = [slice(*pair) for pair in pairwise(bounds)]
    pull = np.full(shape, _RIDGE_BY_TYPE * ridge)
    pull[0] = ridge

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = np.empty(len(targets))
        for kind, rows in enumerate(by_type):
            scores[rows] = figures[rows] @ (weights[0] + weights[1 + kind])
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        exponents = np.exp(scores)
        sums = np.add.reduceat(exponents, starts)
        value = float(np.log(sums).sum() - targets @ scores)
        error = exponents / np.repeat(sums, sizes) - targets
        gradient = np.zeros(shape)
        for kind, rows in enumerate(by_type):
            gradient[1 + kind] = error[rows] @ figures[rows]
        gradient[0] = gradient[1:].sum(axis=0)
        value += 0.5 * float((pull * weights**2).sum())
        return value, (gradient + pull * weights).ravel()

    start = np.zeros(shape[0] * shape[1])
    result = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": _MAX_ITERATIONS}
    )
    weights: Floats = np.asarray(result.x).reshape(shape)
    return weights


def _calibration(readings: Sequence[_Reading], *, ridge: float) -> tuple[float, float]:
    """Fit intercept and slope of the log-odds on halves that the weights did not see."""
    if len(readings) < _LEAST_TO_CALIBRATE:
        return 0.0, 1.0
    # Items of one passage stand together: halves of the list keep passages apart.
    middle = len(readings) // 2
    halves = (readings[:middle], readings[middle:])
    odds: list[float] = []
    right: list[float] = []
    for seen, unseen in (halves, halves[::-1]):
        weights = _fit(seen, ridge=ridge)
        for reading in unseen:
            best, share = best_span(reading.candidates, weights, kind=reading.kind)
            odds.append(log_odds(share))
            right.append(float(reading.scores[best]))
    sure, truth = np.array(odds), np.array(right)

    def loss(line: Floats) -> float:
        logits = line[0] + line[1] * sure
        return float((np.logaddexp(0, logits) - truth * logits).mean())

    line = minimize(loss, np.array([0.0, 1.0]), method="Nelder-Mead").x
    return round(float(line[0]), 3), round(max(float(line[1]), 0.0), 3)
