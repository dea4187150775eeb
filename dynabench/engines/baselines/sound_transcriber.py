"""The transcriber of sounds as it answers; it is trained elsewhere.

Imports numpy and soundfile and nothing larger; see `sound_transcriber_training`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.sound_features import Cut, hear, samples_of, words_in
from dynabench.engines.baselines.values import ConfigSummary, ModelInput, TrainedModel

Floats = NDArray[np.float64]


def sound_of(model_input: ModelInput, config: ConfigSummary) -> object:
    """Return the sound that is transcribed: a person's own, else the context's."""
    return next((model_input[one] for one in config.media_names if one in model_input), None)


class SoundTranscriber:
    """Cuts a sound at its pauses and says of each part which known word it is."""

    recipe = "sound-transcriber"

    def __init__(
        self,
        config: ConfigSummary,
        *,
        words: Sequence[str],
        cut: Cut,
        weights: NDArray[np.float32],
        bias: Floats,
    ) -> None:
        self.config = config
        self._words = tuple(words)
        self._cut = cut
        self._weights = weights
        self._bias = bias

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with the words heard, and how likely all of them are right."""
        return [self._answer(item) for item in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        description = {
            "config": self.config.to_json(),
            "words": list(self._words),
            "loudness": self._cut.loudness,
            "pause": self._cut.pause,
        }
        weights: dict[str, NDArray[np.generic]] = {"weights": self._weights, "bias": self._bias}
        write_model_folder(folder, recipe=self.recipe, description=description, weights=weights)

    @classmethod
    def from_parts(
        cls,
        config: ConfigSummary,
        description: Mapping[str, object],
        arrays: Mapping[str, NDArray[np.float64]],
    ) -> TrainedModel:
        """Rebuild the model from what `save` wrote."""
        words = description["words"]
        assert isinstance(words, list)
        return cls(
            config,
            words=[str(one) for one in words],
            cut=Cut(float(str(description["loudness"])), int(str(description["pause"]))),
            weights=arrays["weights"].astype(np.float32),
            bias=arrays["bias"],
        )

    def _answer(self, model_input: ModelInput) -> dict[str, object]:
        parts = words_in(hear(samples_of(sound_of(model_input, self.config))), self._cut)
        said: list[str] = []
        probability = 1.0
        for part in parts:
            logits = self._bias + part @ self._weights
            shares = np.exp(logits - logits.max())
            best = int(shares.argmax())
            said.append(self._words[best])
            probability *= float(shares[best] / shares.sum())
        outputs: dict[str, object] = {self.config.answer_name: " ".join(said)}
        if self.config.probability_name is not None:
            # Where nothing was heard there is nothing to be sure of.
            outputs[self.config.probability_name] = probability if said else 0.0
        return outputs
