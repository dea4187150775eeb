"""Training the transcriber of sounds, with scikit-learn."""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

# threadpoolctl, which scikit-learn brings along, ships no types.
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from dynabench.engines.baselines.doing import (
    FINDING_THE_PAUSES,
    FITTING_THE_WEIGHTS,
    LISTENING,
    TRAINED,
)
from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.sound_features import Cut, Heard, hear, samples_of, words_in
from dynabench.engines.baselines.sound_transcriber import SoundTranscriber, sound_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    Progress,
    TrainedModel,
    TrainingItem,
)

Floats = NDArray[np.float64]

_LOUDNESSES = (0.08, 0.15, 0.25, 0.4)
_PAUSES = (4, 7, 10, 14, 20, 30)
_LEAST_WORDS = 2
_INVERSE_REGULARISATION = 0.05
_MAX_ITERATIONS = 200
# Weights are kept to this many decimals: digests must not hang on the last bit of a sum.
_DECIMALS = 4
_LISTENING = 0.5


def train_sound_transcriber(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Learn where words end and which they are, from sounds and what they say in all.

    Nobody says where in a sound a word lies: the cut is chosen under which most sounds have
    as many parts as words, and those sounds teach the words. The seed changes nothing.
    """
    del seed
    heard: list[Heard] = []
    for number, item in enumerate(items):
        if number % 20 == 0:
            progress(_LISTENING * number / len(items), LISTENING)
        heard.append(hear(samples_of(sound_of(item.model_input(), config))))
    said = [str(item.answer[config.answer_name]).lower().split() for item in items]
    progress(_LISTENING, FINDING_THE_PAUSES)
    cut = _best_cut(heard, said)
    figures: list[Floats] = []
    names: list[str] = []
    for one, words in zip(heard, said, strict=True):
        parts = words_in(one, cut)
        if len(parts) == len(words):
            figures += parts
            names += words
    known = sorted(set(names))
    if len(known) < _LEAST_WORDS:
        raise TrainingDataError(
            reason="it takes sounds with at least two different words and pauses between them."
        )
    progress(0.7, FITTING_THE_WEIGHTS)
    with threadpool_limits(limits=1):
        weights, bias = _fit(np.array(figures), [known.index(one) for one in names])
    progress(1.0, TRAINED)
    return SoundTranscriber(config, words=known, cut=cut, weights=weights, bias=bias)


def _best_cut(heard: Sequence[Heard], said: Sequence[Sequence[str]]) -> Cut:
    """Return the cut under which the most sounds have as many parts as words."""
    cuts = [Cut(loudness, pause) for loudness, pause in product(_LOUDNESSES, _PAUSES)]
    fits = [
        sum(len(words_in(one, cut)) == len(words) for one, words in zip(heard, said, strict=True))
        for cut in cuts
    ]
    return cuts[int(np.argmax(fits))]


def _fit(figures: Floats, words: Sequence[int]) -> tuple[NDArray[np.float32], Floats]:
    learner = LogisticRegression(C=_INVERSE_REGULARISATION, max_iter=_MAX_ITERATIONS, tol=1e-3)
    learner.fit(figures, np.array(words))
    coefficients, intercept = learner.coef_, learner.intercept_
    if len(coefficients) == 1:
        coefficients = np.vstack([-coefficients / 2, coefficients / 2])
        intercept = np.array([-intercept[0] / 2, intercept[0] / 2])
    weights = np.round(coefficients.T, _DECIMALS).astype(np.float32)
    return weights, np.round(intercept, _DECIMALS)
