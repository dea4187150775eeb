"""Reading a trained baseline back; what a worker imports, so nothing here needs scikit-learn."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dynabench.engines.baselines.errors import ModelFolderError
from dynabench.engines.baselines.extractive_reader import ExtractiveReader
from dynabench.engines.baselines.majority import MajorityModel
from dynabench.engines.baselines.model_folder import read_model_folder
from dynabench.engines.baselines.span_tagger import SpanTagger
from dynabench.engines.baselines.text_classifier import TextClassifier
from dynabench.engines.baselines.translator import Translator
from dynabench.engines.baselines.values import ConfigSummary, TrainedModel

Read: TypeAlias = Callable[
    [ConfigSummary, Mapping[str, object], Mapping[str, NDArray[np.float64]]], TrainedModel
]


def load(folder: Path) -> TrainedModel:
    """Read a model that `TrainedModel.save` wrote."""
    description, arrays = read_model_folder(folder)
    config_value = description.get("config")
    if not isinstance(config_value, dict):
        raise ModelFolderError(folder=folder.name, reason="model.json names no task config.")
    config = ConfigSummary.from_json(config_value)
    recipe = description.get("recipe")
    read = _reader(recipe)
    if read is None:
        raise ModelFolderError(folder=folder.name, reason=f"its recipe {recipe!r} is unknown.")
    return read(config, description, arrays)


def _reader(recipe: object) -> Read | None:
    # Decoders of pictures and sounds: a worker that serves a text model does without them.
    if recipe == "picture-answerer":
        from dynabench.engines.baselines.picture_answerer import PictureAnswerer  # noqa: PLC0415

        return PictureAnswerer.from_parts
    if recipe == "sound-transcriber":
        from dynabench.engines.baselines.sound_transcriber import SoundTranscriber  # noqa: PLC0415

        return SoundTranscriber.from_parts
    return _TEXT_MODELS.get(str(recipe))


_TEXT_MODELS: Mapping[str, Read] = MappingProxyType(
    {
        MajorityModel.recipe: lambda config, said, _: MajorityModel.from_parts(config, said),
        TextClassifier.recipe: TextClassifier.from_parts,
        ExtractiveReader.recipe: ExtractiveReader.from_parts,
        SpanTagger.recipe: lambda config, _, arrays: SpanTagger.from_parts(config, arrays),
        Translator.recipe: lambda config, said, _: Translator.from_parts(config, said),
    }
)
