"""The span tagger as it answers: a label for each word, the best sequence, runs as spans.

Imports numpy and nothing larger; it is trained by `span_tagger_training`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.token_features import token_features
from dynabench.engines.baselines.tokens import Token, tokens_of
from dynabench.engines.baselines.values import ConfigSummary, ModelInput, TrainedModel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

OUTSIDE = 0
IMPOSSIBLE = -1e9


def tag_count(config: ConfigSummary) -> int:
    """Return how many tags there are: outside, and two for each label."""
    return 1 + 2 * max(1, len(config.labels))


def begin_tag(label: int) -> int:
    """Return the tag of a span's first word."""
    return 1 + 2 * label


def inside_tag(label: int) -> int:
    """Return the tag of a span's further words."""
    return 2 + 2 * label


class SpanTagger:
    """A tag's odds for each word, and the likeliest sequence of tags that makes sense."""

    recipe = "span-tagger"

    def __init__(
        self,
        config: ConfigSummary,
        *,
        hashes: Integers,
        weights: NDArray[np.float32],
        bias: Floats,
        moves: Floats,
    ) -> None:
        self.config = config
        self._hashes = hashes
        self._weights = weights
        self._bias = bias
        self._moves = moves

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with the spans of each text, in their order."""
        return [self._answer(one) for one in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        arrays: dict[str, NDArray[np.generic]] = {
            "hashes": self._hashes,
            "weights": self._weights,
            "bias": self._bias,
            "moves": self._moves,
        }
        description = {"config": self.config.to_json()}
        write_model_folder(folder, recipe=self.recipe, description=description, weights=arrays)

    @classmethod
    def from_parts(
        cls, config: ConfigSummary, arrays: Mapping[str, NDArray[np.float64]]
    ) -> TrainedModel:
        """Rebuild the model from what `save` wrote."""
        return cls(
            config,
            hashes=arrays["hashes"].astype(np.int64),
            weights=arrays["weights"].astype(np.float32),
            bias=arrays["bias"],
            moves=arrays["moves"],
        )

    def _answer(self, model_input: ModelInput) -> dict[str, object]:
        assert self.config.reference_name is not None, "a task with spans says of which text"
        text = str(model_input.get(self.config.reference_name) or "")
        tokens = tokens_of(text)
        scores = self._scores(tokens)
        tags = _best_sequence(scores, self._moves)
        answer: dict[str, object] = {
            self.config.answer_name: self._spans(text, tokens, tags),
        }
        if self.config.probability_name is not None:
            answer[self.config.probability_name] = _certainty(scores, tags)
        return answer

    def _scores(self, tokens: Sequence[Token]) -> Floats:
        """Return the logarithm of each tag's probability for each word."""
        logits = np.zeros((len(tokens), len(self._bias)))
        for place, features in enumerate(token_features(tokens)):
            asked = np.array(features, dtype=np.int64)
            found = np.minimum(np.searchsorted(self._hashes, asked), len(self._hashes) - 1)
            known = found[self._hashes[found] == asked]
            logits[place] = self._bias + self._weights[known].sum(axis=0)
        if not len(tokens):
            return logits
        top = logits.max(axis=1, keepdims=True)
        shifted = logits - top
        scores: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return scores

    def _spans(
        self, text: str, tokens: Sequence[Token], tags: Sequence[int]
    ) -> list[dict[str, object]]:
        spans: list[dict[str, object]] = []
        for place, tag in enumerate(tags):
            if tag == OUTSIDE or tag % 2 == 0:
                continue
            last = place
            while last + 1 < len(tags) and tags[last + 1] == tag + 1:
                last += 1
            start, end = tokens[place].start, tokens[last].end
            span: dict[str, object] = {"text": text[start:end], "start": start, "end": end}
            if self.config.labels:
                span["label"] = self.config.labels[(tag - 1) // 2]
            spans.append(span)
        return spans


def possible_moves(moves: Floats) -> Floats:
    """Return what a step from one tag to the next is worth: a span goes on as it began."""
    made = np.full(moves.shape, IMPOSSIBLE)
    for tag in range(len(moves)):
        origins = [tag - 1, tag] if tag != OUTSIDE and tag % 2 == 0 else slice(None)
        made[origins, tag] = moves[origins, tag]
    return made


def _best_sequence(scores: Floats, moves: Floats) -> list[int]:
    if not len(scores):
        return []
    # Before the first word stands what is outside.
    best = scores[0] + moves[OUTSIDE]
    origins: list[Integers] = []
    for row in scores[1:]:
        ways = best[:, None] + moves
        origins.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    tags = [int(best.argmax())]
    for origin in reversed(origins):
        tags.append(int(origin[tags[-1]]))
    return tags[::-1]


def _certainty(scores: Floats, tags: Sequence[int]) -> float:
    """Return the probability of the least certain of the chosen tags."""
    if not tags:
        return 1.0
    return float(np.exp(scores[np.arange(len(tags)), list(tags)].min()))
