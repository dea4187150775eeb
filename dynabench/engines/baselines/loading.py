"""Reading a trained baseline back; what a worker imports, so nothing here needs scikit-learn."""

from pathlib import Path

from dynabench.engines.baselines.errors import ModelFolderError
from dynabench.engines.baselines.extractive_reader import ExtractiveReader
from dynabench.engines.baselines.majority import MajorityModel
from dynabench.engines.baselines.model_folder import read_model_folder
from dynabench.engines.baselines.span_tagger import SpanTagger
from dynabench.engines.baselines.text_classifier import TextClassifier
from dynabench.engines.baselines.translator import Translator
from dynabench.engines.baselines.values import ConfigSummary, TrainedModel


def load(folder: Path) -> TrainedModel:
    """Read a model that `TrainedModel.save` wrote."""
    description, arrays = read_model_folder(folder)
    config_value = description.get("config")
    if not isinstance(config_value, dict):
        raise ModelFolderError(folder=folder.name, reason="model.json names no task config.")
    config = ConfigSummary.from_json(config_value)
    recipe = description.get("recipe")
    if recipe == MajorityModel.recipe:
        return MajorityModel.from_parts(config, description)
    if recipe == TextClassifier.recipe:
        return TextClassifier.from_parts(config, description, arrays)
    if recipe == ExtractiveReader.recipe:
        return ExtractiveReader.from_parts(config, description, arrays)
    if recipe == SpanTagger.recipe:
        return SpanTagger.from_parts(config, arrays)
    if recipe == Translator.recipe:
        return Translator.from_parts(config, description)
    raise ModelFolderError(folder=folder.name, reason=f"its recipe {recipe!r} is unknown.")
