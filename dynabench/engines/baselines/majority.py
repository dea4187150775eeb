"""The weakest honest baseline: the most frequent label, whatever is asked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from dynabench.engines.baselines.errors import TrainingDataError
from dynabench.engines.baselines.model_folder import write_model_folder
from dynabench.engines.baselines.values import (
    ConfigSummary,
    ModelInput,
    Progress,
    TrainedModel,
    TrainingItem,
)


class MajorityModel:
    """Answers with the labels' shares in the training data; ties go to the task's order."""

    recipe = "majority"

    def __init__(self, config: ConfigSummary, shares: Mapping[str, float]) -> None:
        self.config = config
        self._shares = dict(shares)

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer every input alike."""
        return [self.config.label_answer(self._shares) for _ in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        description = {"config": self.config.to_json(), "shares": self._shares}
        write_model_folder(folder, recipe=self.recipe, description=description, weights={})

    @classmethod
    def from_parts(cls, config: ConfigSummary, description: Mapping[str, object]) -> TrainedModel:
        """Rebuild the model from its description."""
        shares = description["shares"]
        assert isinstance(shares, Mapping)
        return cls(config, {label: float(shares[label]) for label in config.labels})


def train_majority(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Count the labels; the seed changes nothing."""
    del seed
    counts = Counter(str(item.answer[config.answer_name]) for item in items)
    total = sum(counts[label] for label in config.labels)
    if total == 0:
        raise TrainingDataError(reason="no item carries one of the task's labels.")
    progress(1.0, "counted labels")
    return MajorityModel(config, {label: counts[label] / total for label in config.labels})
