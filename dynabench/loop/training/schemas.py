"""Wire shapes of training."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.engines.baselines.options import OptionKind
from dynabench.engines.jobs.values import JobState
from dynabench.kit.sentences import Told
from dynabench.kit.wire import Values, WireModel
from dynabench.loop.training.values import TrainingLack
from dynabench.science.texts.wire_texts import OneLine, SomeLines


class TrainingSource(WireModel):
    """A release or an uploaded set to learn from; each of its train items counts `weight` times."""

    dataset_version_id: UUID
    weight: int = 1


class TrainingRequest(WireModel):
    """Which recipe to train on which data; the result is a new model of the task.

    `dataset_version_ids` is the short form of `sources` with weight 1 each. What
    `only_verified`, `only_fooling` and `without_controls` leave out, they leave out of releases.
    """

    name: Annotated[OneLine, Field(min_length=1, max_length=80)]
    recipe: OneLine | None = None
    options: Annotated[dict[str, int | float | str | None], Field(max_length=20)] = {}
    with_starter_data: bool = True
    starter_weight: int = 1
    sources: Annotated[list[TrainingSource], Field(max_length=50)] = []
    dataset_version_ids: Annotated[list[UUID], Field(max_length=50)] = []
    only_verified: bool = False
    only_fooling: bool = False
    without_controls: bool = False
    seed: int = 0
    description: Annotated[SomeLines, Field(max_length=2000)] = ""


class RecipeOptionRead(WireModel):
    """Something that can be set of a recipe; `choices` are suggestions, not a limit."""

    name: str
    title: str
    description: str
    kind: OptionKind
    default: int | float | str | None
    lowest: float | None
    highest: float | None
    is_needed: bool
    choices: list[str]


class RecipeRead(WireModel):
    """A way to train; `unavailable` says why it cannot be used here, with what would help.

    `missing_extra` is the extra of this package whose installation would help.
    """

    name: str
    title: str
    description: str
    is_default: bool
    options: list[RecipeOptionRead]
    unavailable: str | None
    missing_extra: str | None


class TrainingPartRead(WireModel):
    """One part of the data of a training: `examples` = `items` x `weight`.

    `dataset_version_id` is null for the task's starter data; `left_out` counts the train items
    that are not learned from because of what was asked to be left out.
    """

    dataset_version_id: UUID | None
    name: str
    version: int | None
    round_number: int | None
    weight: int
    items: int
    examples: int
    left_out: int


class TrainingPlanRead(WireModel):
    """What a training would learn from, before it is asked for.

    `problem` says why it would be refused: there is nothing to learn from, or too much;
    `problem_code` is the same for programs, and `most_items` the most that one training takes.
    `has_starter_data` tells whether the task brings any, chosen or not.
    """

    examples: int
    items: int
    parts: list[TrainingPartRead]
    problem: str | None
    problem_code: TrainingLack | None
    most_items: int
    has_starter_data: bool


class TrainingRead(WireModel):
    """A training: its job, what was asked for, and the model that came of it.

    `told` says what `error` says, or else `message`. `model_id` is there once it is done.
    """

    id: UUID
    state: JobState
    progress: float
    message: str
    error: str | None
    told: Told | None = None
    name: str
    recipe: str
    options: Values
    seed: str
    with_starter_data: bool
    starter_weight: int
    sources: list[TrainingSource]
    only_verified: bool
    only_fooling: bool
    without_controls: bool
    model_id: UUID | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class TrainingNewsRead(WireModel):
    """A training as it goes on: where it is, and what it has logged, the oldest line first."""

    training: TrainingRead
    log: list[str]
