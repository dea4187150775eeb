"""The text classifier as it answers: hashed TF-IDF rows times learned weights.

Imports numpy and nothing larger, so that a warm worker stays small; it is trained by
`text_classifier_training`.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.text_features import (
    LONGEST_CHARACTERS,
    LONGEST_WORDS,
    PAIR_FIGURES,
    character_features,
    pair_features,
    word_features,
)
from dynabench.engines.baselines.values import (
    ConfigSummary,
    ModelInput,
    TrainedModel,
    joined_text,
)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Blocks are normalised apart, so that many character n-grams do not drown a few words.
BLOCKS = ("words", "characters", "pair")
_NO_FIGURES = (0.0,) * PAIR_FIGURES


def blocks_of(
    model_input: ModelInput,
    config: ConfigSummary,
    *,
    longest_words: int = LONGEST_WORDS,
    longest_characters: int = LONGEST_CHARACTERS,
) -> tuple[tuple[Counter[int], ...], Sequence[float]]:
    """Return the feature counts of each block and the pair's figures.

    A model that was trained on fewer kinds knows nothing of the others, so that whoever
    serves it may count them all.
    """
    text = joined_text(model_input, config.input_names)
    context = joined_text(model_input, config.context_names)
    if not text:
        text, context = context, ""
    words = word_features(text, longest=longest_words)
    characters = character_features(text, longest=longest_characters)
    if not context:
        return (words, characters, Counter()), _NO_FIGURES
    pair, figures = pair_features(context, text)
    return (words, characters, pair), figures


class Vocabulary:
    """Sorted feature hashes of one block with their inverse document frequencies."""

    def __init__(self, hashes: Integers, idf: Floats) -> None:
        self.hashes = hashes
        self.idf = idf

    def row(self, counts: Counter[int]) -> tuple[Integers, Floats]:
        """Return positions and unit-length TF-IDF values of the known features."""
        if not counts or not len(self.hashes):
            return np.empty(0, dtype=np.int64), np.empty(0)
        asked = np.fromiter(counts.keys(), dtype=np.int64, count=len(counts))
        found = np.minimum(np.searchsorted(self.hashes, asked), len(self.hashes) - 1)
        is_known = self.hashes[found] == asked
        positions = found[is_known]
        times = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))[is_known]
        values = (1 + np.log(times)) * self.idf[positions]
        norm = math.sqrt(float(values @ values))
        return positions, values / norm if norm else values


class TextClassifier:
    """Multinomial logistic regression with a calibrated temperature."""

    recipe = "text-classifier"

    def __init__(
        self,
        config: ConfigSummary,
        *,
        vocabularies: Sequence[Vocabulary],
        weights: NDArray[np.float32],
        bias: Floats,
        temperature: float,
    ) -> None:
        self.config = config
        self._vocabularies = tuple(vocabularies)
        self._weights = weights
        self._bias = bias
        self._temperature = temperature

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with the most probable label and every label's probability."""
        return [self.config.label_answer(self._probabilities(item)) for item in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        arrays: dict[str, NDArray[np.generic]] = {"weights": self._weights, "bias": self._bias}
        for block, vocabulary in zip(BLOCKS, self._vocabularies, strict=True):
            arrays[f"{block}_hashes"] = vocabulary.hashes
            arrays[f"{block}_idf"] = vocabulary.idf.astype(np.float32)
        description = {"config": self.config.to_json(), "temperature": self._temperature}
        write_model_folder(folder, recipe=self.recipe, description=description, weights=arrays)

    @classmethod
    def from_parts(
        cls,
        config: ConfigSummary,
        description: Mapping[str, object],
        arrays: Mapping[str, NDArray[np.float64]],
    ) -> TrainedModel:
        """Rebuild the model from what `save` wrote."""
        temperature = description["temperature"]
        assert isinstance(temperature, int | float)
        return cls(
            config,
            vocabularies=[
                Vocabulary(arrays[f"{block}_hashes"].astype(np.int64), arrays[f"{block}_idf"])
                for block in BLOCKS
            ],
            weights=arrays["weights"].astype(np.float32),
            bias=arrays["bias"],
            temperature=float(temperature),
        )

    def _probabilities(self, model_input: ModelInput) -> dict[str, float]:
        blocks, figures = blocks_of(model_input, self.config)
        offset = len(figures)
        logits = self._bias + np.asarray(figures) @ self._weights[:offset]
        for counts, vocabulary in zip(blocks, self._vocabularies, strict=True):
            positions, values = vocabulary.row(counts)
            logits = logits + values @ self._weights[offset + positions]
            offset += len(vocabulary.hashes)
        exponents = np.exp((logits - logits.max()) / self._temperature)
        shares = exponents / exponents.sum()
        return dict(zip(self.config.labels, shares.tolist(), strict=True))
