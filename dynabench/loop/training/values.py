"""Recipes, and what a training is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.practice.values import Variant
from dynabench.kit.wire import Values
from dynabench.loop.models.values import ModelPurpose

TRAIN_MODEL = "training.train"
"""The job that trains a model; its payload is a `TrainingOrder`."""

STARTER_FILE = "train.jsonl"
"""The training set of a task's folder in the catalogue."""


class RecipeName(StrEnum):
    """The learners that ship with the package."""

    TEXT_CLASSIFIER = "text-classifier"
    EXTRACTIVE_READER = "extractive-reader"
    MAJORITY = "majority"
    SPAN_TAGGER = "span-tagger"
    TRANSLATOR = "translator"
    PICTURE_ANSWERER = "picture-answerer"
    SOUND_TRANSCRIBER = "sound-transcriber"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to train, as people choose it."""

    name: RecipeName
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledItem:
    """One example to learn from."""

    context: Values
    inputs: Values
    answer: Values


@dataclass(frozen=True, slots=True, kw_only=True)
class StarterModel:
    """One of the models that a task from the catalogue starts with.

    Attributes:
        recipe: How it is trained; None for the task's default.
        file: The training set in the task's folder.
        practice: Which practice model it is, for tasks in which people talk: it answers from
            a table and is not trained, so that recipe and file say nothing.
    """

    name: str = "starter"
    recipe: str | None = None
    file: str = STARTER_FILE
    practice: Variant | None = None
    purpose: ModelPurpose = ModelPurpose.TARGET
    description: str = "Trained on the starter data that comes with the task."


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the examples of a training come from; a model keeps it as its source.

    Attributes:
        starter_digest: The digest of the task's starter data, if it is among them.
        dataset_digests: The digests of the dataset versions, in the order chosen.
    """

    starter_digest: str | None = None
    dataset_digests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOrder:
    """What somebody asked to be trained, as a job's payload says it."""

    task_id: UUID
    name: str
    recipe: RecipeName
    with_starter_data: bool
    dataset_version_ids: tuple[UUID, ...]
    seed: int
    description: str

    def payload(self) -> dict[str, JsonValue]:
        """Return the order as JSON; a seed may be larger than JSON's numbers."""
        return {
            "task_id": str(self.task_id),
            "name": self.name,
            "recipe": self.recipe.value,
            "with_starter_data": self.with_starter_data,
            "dataset_version_ids": [str(one) for one in self.dataset_version_ids],
            "seed": str(self.seed),
            "description": self.description,
        }

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "TrainingOrder":
        """Read what `payload` wrote."""
        version_ids = payload["dataset_version_ids"]
        assert isinstance(version_ids, list)
        return cls(
            task_id=UUID(str(payload["task_id"])),
            name=str(payload["name"]),
            recipe=RecipeName(str(payload["recipe"])),
            with_starter_data=payload["with_starter_data"] is True,
            dataset_version_ids=tuple(UUID(str(one)) for one in version_ids),
            seed=int(str(payload["seed"])),
            description=str(payload["description"]),
        )
