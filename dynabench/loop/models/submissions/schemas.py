"""Wire shapes of submissions."""

from typing import Annotated

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.models.cards.schemas import ModelCard
from dynabench.loop.models.schemas import ModelName
from dynabench.loop.models.values import ModelKind
from dynabench.science.texts.wire_texts import SomeLines

Description = Annotated[SomeLines, Field(max_length=2000)]


class SubmissionCreate(WireModel):
    """A model that somebody hands in; the files of those that have some follow.

    `handler`, `huggingface` and `onnx` have files (`PUT /models/{id}/artifact`) unless a
    `huggingface` names a `hub_id`; `predictions` has one file for each dataset version
    (`PUT /models/{id}/predictions/{dataset_version_id}`). `options` say how the model is
    reached or read: those of `endpoint` and `openai` are told at `ModelCreate`, `container` has
    `image`, `huggingface` and `onnx` those of the guide to submitting. The same name again is
    the next version.
    """

    name: ModelName
    kind: ModelKind
    description: Description = ""
    options: Values = Field(default_factory=dict)
    is_anonymous: Annotated[
        bool, Field(description="Whether nobody but the task's owners is told who submitted it.")
    ] = False
    card: ModelCard | None = None


class ModelPatch(WireModel):
    """What to change of a model; what is left out stays."""

    description: Description | None = None
    card: ModelCard | None = None
    is_published: Annotated[
        bool | None, Field(description="True publishes it, which needs a card; false withdraws.")
    ] = None
    is_anonymous: bool | None = None
