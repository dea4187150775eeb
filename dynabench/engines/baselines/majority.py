"""The weakest honest baseline: the most frequent answer, whatever is asked."""

import json
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
    """Answers with the labels' shares in the training data; ties go to the task's order.

    Where the answer is no single label (several labels, a number, a rating) it answers with
    the most frequent value, which the shares name by its JSON text; ties go to the first in
    the order of these texts.
    """

    recipe = "majority"

    def __init__(self, config: ConfigSummary, shares: Mapping[str, float]) -> None:
        self.config = config
        self._shares = dict(shares)

    def predict(self, batch: Sequence[ModelInput]) -> list[dict[str, object]]:
        """Answer every input alike."""
        if self.config.labels:
            return [self.config.label_answer(self._shares) for _ in batch]
        best = max(self._shares, key=lambda text: self._shares[text])
        return [{self.config.answer_name: json.loads(best)} for _ in batch]

    def save(self, folder: Path) -> None:
        """Write a handler folder."""
        description = {"config": self.config.to_json(), "shares": self._shares}
        write_model_folder(folder, recipe=self.recipe, description=description, weights={})

    @classmethod
    def from_parts(cls, config: ConfigSummary, description: Mapping[str, object]) -> TrainedModel:
        """Rebuild the model from its description."""
        shares = description["shares"]
        assert isinstance(shares, Mapping)
        names = config.labels or sorted(shares)
        return cls(config, {name: float(shares[name]) for name in names})


def train_majority(
    items: Sequence[TrainingItem], *, config: ConfigSummary, seed: int, progress: Progress
) -> TrainedModel:
    """Count the answers; the seed changes nothing."""
    del seed
    answers = [item.answer[config.answer_name] for item in items]
    if config.labels:
        counts = Counter(str(answer) for answer in answers)
    else:
        counts = Counter(json.dumps(answer, sort_keys=True) for answer in answers)
    names = config.labels or sorted(counts)
    total = sum(counts[name] for name in names)
    if total == 0:
        wanted = "one of the task's labels" if config.labels else "an answer"
        raise TrainingDataError(reason=f"no item carries {wanted}.")
    progress(1.0, "counted answers")
    return MajorityModel(config, {name: counts[name] / total for name in names})
