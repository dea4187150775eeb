"""What a folder of the catalogue holds."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from dynabench.catalog.lines import count_contexts, read_lines
from dynabench.engines.practice.values import Variant
from dynabench.loop.models.values import ModelPurpose
from dynabench.loop.training.values import StarterModel

_CONFIG = "task.yaml"
_CONTEXTS = "contexts.jsonl"
_MODELS = "models.json"
_ROUND = "round.json"


@dataclass(frozen=True)
class CatalogFolder:
    """A task as the package brings it, such as `tasks/nli`.

    `task.yaml` is its config, `contexts.jsonl` its first contexts, `train.jsonl` what its
    models learn from. `models.json`, where there is one, names several models, each an
    object with any of `name`, `recipe`, `file`, `practice`, `purpose` and `description`; without
    it there is one model of the task's default recipe. `round.json`, where there is one, says
    how the first round differs from the usual, as a `RoundCreate` without its targets.
    `generated.json` says of data files that are not kept how they are drawn.
    """

    name: str

    @cached_property
    def place(self) -> Traversable:
        """Where its files lie."""
        return files("dynabench.catalog").joinpath(*self.name.split("/"))

    def exists(self) -> bool:
        """Tell whether there is such a task."""
        return self.place.joinpath(_CONFIG).is_file()

    def config(self) -> str:
        """Return the config as YAML."""
        return self.place.joinpath(_CONFIG).read_text(encoding="utf-8")

    def context_lines(self) -> list[bytes]:
        """Return the contexts, a line each; a task need not have any."""
        return read_lines(self.name, _CONTEXTS) or []

    def context_count(self) -> int:
        """Return how many contexts there are, without drawing them."""
        return count_contexts(self.name, _CONTEXTS)

    def round_settings(self) -> dict[str, object]:
        """Return how the first round differs from the usual."""
        file = self.place.joinpath(_ROUND)
        said = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        assert isinstance(said, dict)
        return said

    def models(self) -> list[StarterModel]:
        """Return the models that the task starts with."""
        file = self.place.joinpath(_MODELS)
        if not file.is_file():
            return [StarterModel()]
        return [_model(one) for one in json.loads(file.read_text(encoding="utf-8"))]


def _model(said: Mapping[str, str]) -> StarterModel:
    given = {name: value for name, value in said.items() if name not in {"purpose", "practice"}}
    purpose = ModelPurpose(said.get("purpose", ModelPurpose.TARGET))
    practice = Variant(said["practice"]) if "practice" in said else None
    return StarterModel(**given, purpose=purpose, practice=practice)
