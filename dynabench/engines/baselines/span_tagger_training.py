"""Training the span tagger: scikit-learn's logistic regression over each word's features."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from dynabench.engines.baselines.doing import FITTING_THE_WEIGHTS, READING_THE_TEXTS, TRAINED
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.span_tagger import (
    OUTSIDE,
    Floats,
    Integers,
    SpanTagger,
    begin_tag,
    inside_tag,
    possible_moves,
    tag_count,
)
from dynabench.engines.baselines.token_features import token_features
from dynabench.engines.baselines.tokens import Token, tokens_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
)

_INVERSE_REGULARISATION = 3.0
_MAX_ITERATIONS = 300
_LEAST_SEEN = 2
# Steps that were never seen count as seen this often.
_SMOOTHING = 0.5
# Weights are kept to this many decimals: digests must not hang on the last bit of a sum.
_DECIMALS = 4
# Most words are in no span; without this a tagger that learned from little finds few.
_HEAD_START_OF_SPANS = 1.0
# A tag that no word carries: improbable, yet not impossible.
_UNSEEN_LOGIT = -10.0


def train_span_tagger(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Learn which words of a text belong to a span; nothing in it is random.

    Spans that overlap are learned up to the first: a word has one tag.
    """
    del seed
    assert config.reference_name is not None, "a task with spans says of which text"
    progress(0.05, READING_THE_TEXTS)
    rows: list[list[int]] = []
    sequences: list[list[int]] = []
    for item in items:
        tokens = tokens_of(str(item.model_input().get(config.reference_name) or ""))
        rows += token_features(tokens)
        sequences.append(_tags(tokens, item.answer.get(config.answer_name), config))
    tags = [tag for sequence in sequences for tag in sequence]
    if len(set(tags)) < _LEAST_SEEN:
        raise TrainingDataError(reason="the items must mark some words and leave others.")
    hashes = _known(rows)
    matrix = _matrix(rows, hashes)
    progress(0.3, FITTING_THE_WEIGHTS)
    learner = LogisticRegression(C=_INVERSE_REGULARISATION, max_iter=_MAX_ITERATIONS, tol=1e-4)
    with threadpool_limits(limits=1):
        learner.fit(matrix, np.array(tags))
    progress(1.0, TRAINED)
    return _tagger(config, hashes, learner, _moves(sequences, tag_count(config)))


def _tags(tokens: Sequence[Token], answer: object, config: ConfigSummary) -> list[int]:
    tags = [OUTSIDE] * len(tokens)
    for span in answer if isinstance(answer, list) else []:
        inside = [
            place
            for place, token in enumerate(tokens)
            if token.start < int(span["end"]) and token.end > int(span["start"])
        ]
        label = _label(span, config)
        if label is None or not inside or any(tags[place] != OUTSIDE for place in inside):
            continue
        tags[inside[0]] = begin_tag(label)
        for place in inside[1:]:
            tags[place] = inside_tag(label)
    return tags


def _label(span: Mapping[str, object], config: ConfigSummary) -> int | None:
    if not config.labels:
        return 0
    label = span.get("label")
    return config.labels.index(str(label)) if label in config.labels else None


def _known(rows: Sequence[Sequence[int]]) -> Integers:
    counts = Counter(feature for row in rows for feature in set(row))
    return np.array(
        sorted(feature for feature, count in counts.items() if count >= _LEAST_SEEN),
        dtype=np.int64,
    )


def _matrix(rows: Sequence[Sequence[int]], hashes: Integers) -> csr_array:
    places = {feature: place for place, feature in enumerate(hashes.tolist())}
    columns: list[int] = []
    starts = [0]
    for row in rows:
        columns += sorted(places[feature] for feature in row if feature in places)
        starts.append(len(columns))
    values = np.ones(len(columns))
    return csr_array((values, columns, starts), shape=(len(rows), len(hashes)))


def _moves(sequences: Sequence[Sequence[int]], count: int) -> Floats:
    """Return how much likelier a tag is after another than anywhere, as a logarithm."""
    pairs = np.full((count, count), _SMOOTHING)
    for sequence in sequences:
        for first, second in pairwise([OUTSIDE, *sequence]):
            pairs[first, second] += 1
    shares = pairs / pairs.sum(axis=1, keepdims=True)
    anywhere = pairs.sum(axis=0) / pairs.sum()
    return np.round(possible_moves(np.log(shares / anywhere)), _DECIMALS)


def _tagger(
    config: ConfigSummary, hashes: Integers, learner: LogisticRegression, moves: Floats
) -> SpanTagger:
    count = tag_count(config)
    coefficients, intercept = learner.coef_, learner.intercept_
    if len(coefficients) == 1:
        coefficients = np.vstack([-coefficients / 2, coefficients / 2])
        intercept = np.array([-intercept[0] / 2, intercept[0] / 2])
    weights = np.zeros((len(hashes), count), dtype=np.float32)
    bias = np.full(count, _UNSEEN_LOGIT)
    for row, tag in enumerate(learner.classes_.tolist()):
        weights[:, tag] = np.round(coefficients[row], _DECIMALS)
        bias[tag] = round(float(intercept[row]), _DECIMALS)
    bias[OUTSIDE] -= _HEAD_START_OF_SPANS
    return SpanTagger(config, hashes=hashes, weights=weights, bias=bias, moves=moves)
