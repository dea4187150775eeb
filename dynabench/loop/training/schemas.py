"""Wire shapes of training."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.science.texts.wire_texts import OneLine, SomeLines


class TrainingRequest(WireModel):
    """Which recipe to train on which data; the result is a new model of the task."""

    name: Annotated[OneLine, Field(min_length=1, max_length=80)]
    recipe: OneLine | None = None
    with_starter_data: bool = True
    dataset_version_ids: Annotated[list[UUID], Field(max_length=50)] = []
    seed: int = 0
    description: Annotated[SomeLines, Field(max_length=2000)] = ""


class RecipeRead(WireModel):
    """A way to train."""

    name: str
    title: str
    description: str
    is_default: bool
