"""What rows must hold beside their form: configs that load, digests that are right."""

from collections.abc import Mapping
from typing import cast
from uuid import UUID

from pydantic import BaseModel, JsonValue, ValidationError

from dynabench.kit.canonical_json import digest_of
from dynabench.loop.contexts.rules import content_digest, shuffle_key
from dynabench.loop.datasets.rules import ContentDigest
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.interchange.transfer.errors import TaskFileError
from dynabench.loop.interchange.transfer.importing.shapes import DatasetCard, Evidence
from dynabench.loop.leaderboards.saved.schemas import BoardWeights
from dynabench.loop.leaderboards.schemas import BoardRead
from dynabench.loop.models.cards.schemas import ModelCard
from dynabench.loop.rounds.schemas import ProvenanceRead
from dynabench.loop.tasks.rules import is_slug
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.problems import TaskConfigError
from dynabench.science.task_config.schema import TaskConfig


class Contents:
    """Takes the rows of a file in their order.

    Attributes:
        task: The one row of the task itself.
        configs: The versions of its config.
    """

    def __init__(self) -> None:
        self.task: dict[str, object] = {}
        self.configs: dict[int, TaskConfig] = {}
        self._versions: dict[UUID, tuple[str, UUID | None]] = {}
        self._at: UUID | None = None
        self._sum = ContentDigest()
        self._checked: set[UUID] = set()
        self._takers = {
            "tasks": self._take_task,
            "task_config_versions": self._take_config,
            "contexts": self._take_context,
            "rounds": self._take_round,
            "dataset_versions": self._take_version,
            "dataset_items": self._take_item,
            "boards": self._take_board,
            "models": self._take_model,
            "suspected_errors": self._take_suspicion,
        }

    def take(self, part: str, line: int, row: Mapping[str, object]) -> None:
        """Check a row.

        Raises:
            TaskFileError: If it does not hold what it must.
        """
        taker = self._takers.get(part)
        if taker is None:
            return
        try:
            taker(line, row)
        except ValueError as error:
            # What has no canonical form, such as a number beyond those that JSON keeps.
            raise TaskFileError(f"{error}.", part=part, line=line) from error

    def finish(self, part: str) -> None:
        """Check what shows only once a part is through."""
        if part == "tasks" and not self.task:
            raise TaskFileError("It holds no task.", part=part)
        if part == "task_config_versions":
            active = self.task["active_config_version"]
            if active not in self.configs:
                raise TaskFileError(f"The active version {active} is missing.", part=part)
        if part == "dataset_items":
            self._finish_version()
            for version_id in self._versions.keys() - self._checked:
                self._at = version_id
                self._start_version()
                self._finish_version()

    @property
    def config(self) -> TaskConfig:
        """The active config."""
        return self.configs[cast("int", self.task["active_config_version"])]

    def _take_task(self, line: int, row: Mapping[str, object]) -> None:
        if self.task:
            raise TaskFileError("A file holds one task.", part="tasks", line=line)
        if not is_slug(str(row["slug"])):
            reason = "It is no short name of a task."
            raise TaskFileError(reason, part="tasks", line=line, field="slug")
        self.task = dict(row)

    def _take_config(self, line: int, row: Mapping[str, object]) -> None:
        try:
            config = load_task_config(str(row["config"]))
        except TaskConfigError as error:
            reason = f"The config does not load: {error.problems[0].message}"
            raise TaskFileError(
                reason, part="task_config_versions", line=line, field="config"
            ) from error
        self.configs[cast("int", row["version"])] = config

    def _take_context(self, line: int, row: Mapping[str, object]) -> None:
        content = row["content"]
        if not isinstance(content, dict) or content_digest(content) != row["digest"]:
            reason = "It is not the digest of the content."
            raise TaskFileError(reason, part="contexts", line=line, field="digest")
        if row["shuffle_key"] != shuffle_key(row["digest"]):
            reason = "It does not follow from the digest."
            raise TaskFileError(reason, part="contexts", line=line, field="shuffle_key")

    def _take_round(self, line: int, row: Mapping[str, object]) -> None:
        if row["config_version"] not in self.configs:
            reason = "There is no such version of the config."
            raise TaskFileError(reason, part="rounds", line=line, field="config_version")
        if row["provenance"] is not None:
            _require_shape(ProvenanceRead, row["provenance"], "rounds", line, "provenance")

    def _take_model(self, line: int, row: Mapping[str, object]) -> None:
        if not isinstance(row["source"], dict):
            reason = "It must be a JSON object."
            raise TaskFileError(reason, part="models", line=line, field="source")
        if row["card"] is not None:
            _require_shape(ModelCard, row["card"], "models", line, "card")

    def _take_version(self, line: int, row: Mapping[str, object]) -> None:
        _require_shape(DatasetCard, row["card"], "dataset_versions", line, "card")
        self._versions[cast("UUID", row["id"])] = (
            str(row["digest"]),
            cast("UUID | None", row["perturbs_id"]),
        )

    def _take_suspicion(self, line: int, row: Mapping[str, object]) -> None:
        _require_shape(Evidence, row["evidence"], "suspected_errors", line, "evidence")

    def _take_item(self, line: int, row: Mapping[str, object]) -> None:
        version_id = cast("UUID", row["version_id"])
        if version_id != self._at:
            self._finish_version()
            self._at = version_id
            self._start_version()
        values = {key: value for key, value in row.items() if key != "version_id"}
        values["split"] = Split(str(row["split"]))
        for name in ("context", "inputs", "gold"):
            if not isinstance(row[name], dict):
                reason = "It must be a JSON object."
                raise TaskFileError(reason, part="dataset_items", line=line, field=name)
        # The cells were read as the columns of this row, which are the item's fields.
        self._sum.add([DatasetItem(**cast("dict[str, JsonValue]", values))])  # type: ignore[arg-type]

    def _start_version(self) -> None:
        assert self._at is not None
        perturbs = self._versions[self._at][1]
        perturbed = None if perturbs is None else self._versions.get(perturbs)
        self._sum = ContentDigest(perturbs=None if perturbed is None else perturbed[0])

    def _finish_version(self) -> None:
        if self._at is None:
            return
        if self._sum.hexdigest() != self._versions[self._at][0]:
            reason = f"The items of the version {self._at} do not have its digest."
            raise TaskFileError(reason, part="dataset_items")
        self._checked.add(self._at)
        self._at = None

    def _take_board(self, line: int, row: Mapping[str, object]) -> None:
        content = row["content"]
        _require_shape(BoardWeights, row["weights"], "boards", line, "weights")
        if isinstance(content, dict):
            _require_shape(BoardRead, content.get("board"), "boards", line, "content")
        if content is not None and digest_of(cast("JsonValue", content)) != row["digest"]:
            reason = "It is not the digest of the content."
            raise TaskFileError(reason, part="boards", line=line, field="digest")


def _require_shape(shape: type[BaseModel], value: object, part: str, line: int, field: str) -> None:
    """Refuse what no page could show."""
    try:
        shape.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(one) for one in first["loc"])
        reason = f"{place}: {first['msg']}."
        raise TaskFileError(reason, part=part, line=line, field=field) from error
