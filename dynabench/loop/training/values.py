"""Recipes, and what a training is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.baselines.options import OptionValue, RecipeOption
from dynabench.engines.practice.values import Variant
from dynabench.kit.wire import Values
from dynabench.loop.datasets.selections.values import ItemSelection
from dynabench.loop.models.values import ModelPurpose

TRAIN_MODEL = "training.train"
"""The job that trains a model; its payload is a `TrainingOrder`."""

TRAINING_EVENT = "training"
"""What the events of a training's stream are called."""

STARTER_FILE = "train.jsonl"
"""The training set of a task's folder in the catalogue."""

MOST_WEIGHT = 100
"""How many times an item can count; published work goes up to twenty."""

MOST_ITEMS = 2_000_000
"""How many different items one training takes: they have to fit into memory."""


class TrainingLack(StrEnum):
    """Why a choice of data cannot be learned from; pages say it in their reader's language."""

    NOTHING_CHOSEN = "nothing_chosen"
    EVERYTHING_LEFT_OUT = "everything_left_out"
    EMPTY_TRAIN_SPLITS = "empty_train_splits"
    TOO_LARGE = "too_large"


class RecipeName(StrEnum):
    """The learners that ship with the package."""

    TEXT_CLASSIFIER = "text-classifier"
    EXTRACTIVE_READER = "extractive-reader"
    MAJORITY = "majority"
    SPAN_TAGGER = "span-tagger"
    TRANSLATOR = "translator"
    PICTURE_ANSWERER = "picture-answerer"
    SOUND_TRANSCRIBER = "sound-transcriber"
    TRANSFORMERS = "transformers"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to train, as people choose it."""

    name: RecipeName
    title: str
    description: str
    options: tuple[RecipeOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledItem:
    """One example to learn from; it counts `weight` times."""

    context: Values
    inputs: Values
    answer: Values
    weight: int = 1


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
class Ingredient:
    """One part of what a model was trained on, as its source and its card name it.

    Attributes:
        name: The dataset's name, or what the starter data is called.
        version: Its version; None for starter data.
        digest: The digest of the whole version, or of the starter file.
        licence: Under which licence it stands.
        weight: How many times each of its items counts.
        items: How many of its train items were taken.
        left_out: How many train items the filters left out.
        version_id: The dataset version; None for starter data.
        is_hidden: Whether nobody but the task's owners knows that it exists.
    """

    name: str
    digest: str
    licence: str
    weight: int
    items: int
    left_out: int = 0
    version: int | None = None
    version_id: UUID | None = None
    is_hidden: bool = False

    def to_json(self) -> dict[str, JsonValue]:
        """Return the part as JSON."""
        return {
            "name": self.name,
            "version": self.version,
            "version_id": None if self.version_id is None else str(self.version_id),
            "digest": self.digest,
            "licence": self.licence,
            "weight": self.weight,
            "items": self.items,
            "left_out": self.left_out,
            "is_hidden": self.is_hidden,
        }

    @classmethod
    def of_json(cls, told: Mapping[str, object]) -> "Ingredient":
        """Read what `to_json` wrote."""
        version, version_id = told["version"], told["version_id"]
        return cls(
            name=str(told["name"]),
            version=None if version is None else int(str(version)),
            version_id=None if version_id is None else UUID(str(version_id)),
            digest=str(told["digest"]),
            licence=str(told["licence"]),
            weight=int(str(told["weight"])),
            items=int(str(told["items"])),
            left_out=int(str(told["left_out"])),
            is_hidden=told.get("is_hidden") is True,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where the examples of a training come from; a model keeps it as its source.

    Attributes:
        starter_digest: The digest of the task's starter data, if it is among them.
        dataset_digests: The digests of the dataset versions, in the order chosen.
        ingredients: Each part with its weight and what it holds.
        selection: What was left out of the releases.
    """

    starter_digest: str | None = None
    dataset_digests: tuple[str, ...] = ()
    ingredients: tuple[Ingredient, ...] = ()
    selection: ItemSelection = field(default_factory=ItemSelection)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A dataset version to learn from; each of its train items counts `weight` times."""

    dataset_version_id: UUID
    weight: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingOrder:
    """What somebody asked to be trained, as a job's payload says it.

    Attributes:
        work_id: The folder in which it is worked on; who resumes a training works on there.
    """

    task_id: UUID
    work_id: UUID
    name: str
    recipe: RecipeName
    with_starter_data: bool
    sources: tuple[Source, ...]
    seed: int
    description: str
    starter_weight: int = 1
    selection: ItemSelection = field(default_factory=ItemSelection)
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    @property
    def version_ids(self) -> tuple[UUID, ...]:
        """The dataset versions to learn from."""
        return tuple(one.dataset_version_id for one in self.sources)

    def payload(self) -> dict[str, JsonValue]:
        """Return the order as JSON; a seed may be larger than JSON's numbers."""
        return {
            "task_id": str(self.task_id),
            "work_id": str(self.work_id),
            "name": self.name,
            "recipe": self.recipe.value,
            "with_starter_data": self.with_starter_data,
            "starter_weight": self.starter_weight,
            "sources": [
                {"dataset_version_id": str(one.dataset_version_id), "weight": one.weight}
                for one in self.sources
            ],
            "only_verified": self.selection.only_verified,
            "only_fooling": self.selection.only_fooling,
            "without_controls": self.selection.without_controls,
            "options": dict(self.options),
            "seed": str(self.seed),
            "description": self.description,
        }

    @classmethod
    def of_payload(cls, payload: Mapping[str, object]) -> "TrainingOrder":
        """Read what `payload` wrote, today or before trainings had weights and options."""
        options = payload.get("options", {})
        assert isinstance(options, dict)
        return cls(
            task_id=UUID(str(payload["task_id"])),
            work_id=UUID(str(payload.get("work_id", payload["task_id"]))),
            name=str(payload["name"]),
            recipe=RecipeName(str(payload["recipe"])),
            with_starter_data=payload["with_starter_data"] is True,
            starter_weight=int(str(payload.get("starter_weight", 1))),
            sources=tuple(_sources(payload)),
            selection=ItemSelection(
                only_verified=payload.get("only_verified") is True,
                only_fooling=payload.get("only_fooling") is True,
                without_controls=payload.get("without_controls") is True,
            ),
            options=options,
            seed=int(str(payload["seed"])),
            description=str(payload["description"]),
        )


def _sources(payload: Mapping[str, object]) -> list[Source]:
    told, plain = payload.get("sources"), payload.get("dataset_version_ids")
    if isinstance(plain, list):
        return [Source(dataset_version_id=UUID(str(one))) for one in plain]
    assert isinstance(told, list)
    return [
        Source(dataset_version_id=UUID(str(one["dataset_version_id"])), weight=int(one["weight"]))
        for one in told
    ]
