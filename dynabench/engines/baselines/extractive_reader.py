"""The extractive reader as it answers: a linear score for every candidate span.

Imports numpy and nothing larger; it is trained by `extractive_reader_training`.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.passages import QUESTION_TYPES, Token, question_of, tokens_of
from dynabench.engines.baselines.span_features import Candidates, candidates_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    ModelInput,
    TrainedModel,
    joined_text,
)

_SAME_ANSWER_F1 = 0.5
_LEAST_SHARE = 1e-6


class ExtractiveReader:
    """Scores spans by weights that all questions share plus those of the question's type."""

    recipe = "extractive-reader"

    def __init__(
        self,
        config: ConfigSummary,
        weights: NDArray[np.float32],
        *,
        calibration: tuple[float, float] = (0.0, 1.0),
    ) -> None:
        self.config = config
        # Intercept and slope from the log-odds of a span's share to those of being right.
        self._calibration = calibration
        # Row 0 is shared; row 1 + k belongs to QUESTION_TYPES[k].
        self._weights = weights

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with a span of the passage, its exact offsets, and how probable it is.

        The probability is calibrated on held-out items: how much of the answer is right there
        (mean token F1) where the reader was this sure.
        """
        return [self._answer(item) for item in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        calibration = list(self._calibration)
        description = {"config": self.config.to_json(), "calibration": calibration}
        weights: dict[str, NDArray[np.generic]] = {"weights": self._weights}
        write_model_folder(folder, recipe=self.recipe, description=description, weights=weights)

    @classmethod
    def from_parts(
        cls,
        config: ConfigSummary,
        description: Mapping[str, object],
        arrays: Mapping[str, NDArray[np.float64]],
    ) -> TrainedModel:
        """Rebuild the model from what `save` wrote."""
        calibration = description["calibration"]
        assert isinstance(calibration, list)
        intercept, slope = calibration
        return cls(
            config,
            arrays["weights"].astype(np.float32),
            calibration=(float(intercept), float(slope)),
        )

    def _answer(self, model_input: ModelInput) -> dict[str, object]:
        passage, question = texts_of(model_input, self.config)
        tokens, candidates, kind = candidates_in(passage, question)
        if not len(candidates.first):
            return self._outputs(passage, 0, len(passage), 0.0)
        best, share = best_span(candidates, self._weights, kind=kind)
        start = tokens[int(candidates.first[best])].start
        end = tokens[int(candidates.last[best])].end
        intercept, slope = self._calibration
        probability = 1 / (1 + math.exp(-(intercept + slope * log_odds(share))))
        return self._outputs(passage, start, end, probability)

    def _outputs(self, passage: str, start: int, end: int, probability: float) -> dict[str, object]:
        answer = {"text": passage[start:end], "start": start, "end": end}
        outputs: dict[str, object] = {self.config.answer_name: answer}
        if self.config.probability_name:
            outputs[self.config.probability_name] = round(probability, 6)
        return outputs


def best_span(
    candidates: Candidates, weights: NDArray[np.floating], *, kind: int
) -> tuple[int, float]:
    """Return the best candidate and its share of the probability.

    Near twins ("lamp" and "the lamp": token F1 of at least one half) share theirs.
    """
    scores = candidates.figures @ (weights[0] + weights[1 + kind])
    best = int(scores.argmax())
    exponents = np.exp(scores - scores[best])
    similar = _token_f1(candidates, best) >= _SAME_ANSWER_F1
    return best, float(exponents[similar].sum() / exponents.sum())


def log_odds(share: float) -> float:
    """Return log(p / (1 - p)), within what a float can tell from 0 and 1."""
    share = min(max(share, _LEAST_SHARE), 1 - _LEAST_SHARE)
    return math.log(share / (1 - share))


def _token_f1(candidates: Candidates, best: int) -> NDArray[np.float64]:
    first, last = candidates.first, candidates.last
    shared = np.minimum(last, last[best]) - np.maximum(first, first[best]) + 1
    lengths = (last - first + 1) + (last[best] - first[best] + 1)
    result: NDArray[np.float64] = 2 * np.maximum(shared, 0) / lengths
    return result


def texts_of(model_input: ModelInput, config: ConfigSummary) -> tuple[str, str]:
    """Return the passage that the answer is taken from, and the question."""
    passage_name = config.reference_name or config.context_names[0]
    question = joined_text(model_input, [n for n in config.input_names if n != passage_name])
    return str(model_input.get(passage_name) or ""), question


def candidates_in(passage: str, question: str) -> tuple[list[Token], Candidates, int]:
    """Return the passage's tokens, its candidate spans and the number of the question's type."""
    tokens = tokens_of(passage)
    read = question_of(question)
    return tokens, candidates_of(tokens, read), QUESTION_TYPES.index(read.kind)
