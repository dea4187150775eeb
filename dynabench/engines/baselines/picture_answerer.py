"""The answerer of questions about pictures as it answers; it is trained elsewhere.

Imports numpy and Pillow and nothing larger; see `picture_answerer_training`.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.picture_features import Eye, features_of, read_question
from dynabench.engines.baselines.picture_regions import areas_of, pixels_of
from dynabench.engines.baselines.values import (
    ConfigSummary,
    ModelInput,
    TrainedModel,
    joined_text,
)

Floats = NDArray[np.float64]


def question_of(model_input: ModelInput, config: ConfigSummary) -> str:
    """Return what is asked: what a person wrote, else what the context says."""
    return joined_text(model_input, config.input_names) or joined_text(
        model_input, config.context_names
    )


def picture_of(model_input: ModelInput, config: ConfigSummary) -> object:
    """Return the picture that is asked about: a person's own, else the context's."""
    return next((model_input[one] for one in config.media_names if one in model_input), None)


def columns_of(features: Iterable[str], places: Mapping[str, int]) -> NDArray[np.int64]:
    """Return where the known ones among features stand, in order and once."""
    return np.array(sorted({places[one] for one in features if one in places}), dtype=np.int64)


class PictureAnswerer:
    """Multinomial logistic regression over a question's words and what is seen."""

    recipe = "picture-answerer"

    def __init__(
        self,
        config: ConfigSummary,
        *,
        answers: Sequence[str],
        eye: Eye,
        features: Sequence[str],
        weights: NDArray[np.float32],
        bias: Floats,
    ) -> None:
        self.config = config
        self._answers = tuple(answers)
        self._eye = eye
        self._places = {one: place for place, one in enumerate(features)}
        self._weights = weights
        self._bias = bias

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer with the likeliest of the answers that it has learnt, and how likely it is."""
        return [self._answer(item) for item in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        description = {
            "config": self.config.to_json(),
            "answers": list(self._answers),
            "features": list(self._places),
            "colour_names": list(self._eye.colour_names),
            "form_names": list(self._eye.form_names),
        }
        weights: dict[str, NDArray[np.generic]] = {
            "weights": self._weights,
            "bias": self._bias,
            "colours": self._eye.colours,
            "forms": self._eye.forms,
            "form_scale": self._eye.form_scale,
        }
        write_model_folder(folder, recipe=self.recipe, description=description, weights=weights)

    @classmethod
    def from_parts(
        cls,
        config: ConfigSummary,
        description: Mapping[str, object],
        arrays: Mapping[str, NDArray[np.float64]],
    ) -> TrainedModel:
        """Rebuild the model from what `save` wrote."""
        return cls(
            config,
            answers=_texts(description["answers"]),
            eye=Eye(
                colours=arrays["colours"],
                forms=arrays["forms"],
                form_scale=arrays["form_scale"],
                colour_names=_texts(description["colour_names"]),
                form_names=_texts(description["form_names"]),
            ),
            features=_texts(description["features"]),
            weights=arrays["weights"].astype(np.float32),
            bias=arrays["bias"],
        )

    def _answer(self, model_input: ModelInput) -> dict[str, object]:
        seen = self._eye.look(areas_of(pixels_of(picture_of(model_input, self.config))))
        question = read_question(question_of(model_input, self.config), self._eye)
        known = columns_of(features_of(question, seen), self._places)
        logits = self._bias + self._weights[known].sum(axis=0)
        shares = np.exp(logits - logits.max())
        best = int(shares.argmax())
        outputs: dict[str, object] = {self.config.answer_name: self._answers[best]}
        if self.config.probability_name is not None:
            outputs[self.config.probability_name] = float(shares[best] / shares.sum())
        return outputs


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, list)
    return tuple(str(one) for one in value)
