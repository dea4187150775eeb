"""Wire shapes of models."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.models.cards.schemas import ModelCard
from dynabench.loop.models.values import ModelIsolation, ModelKind, ModelPurpose, ModelStatus
from dynabench.science.texts.wire_texts import OneLine, SomeLines

ModelName = Annotated[OneLine, Field(min_length=1, max_length=80)]


class ModelCreate(WireModel):
    """A model that answers somewhere else: an Open Inference or a chat completions server.

    `options` for `endpoint`: `url` (up to and including the model's name, or the server's
    root with `model_name`), optional `version`, and `input_tensors` and `output_tensors`,
    maps from the task's fields to the server's names. For `openai`: `base_url`, `model`,
    `prompt` with `{field}` placeholders, and optionally `answer` (`label`, `json`, `text`,
    `span`), `system`, `max_tokens` and `api_key_env`, the name of an environment variable of
    the server. Where the task holds a conversation, `prompt` may be left out: the messages are
    sent as they are. A judge has a prompt of its own unless it is given one. A change of the
    options under a name makes its next version.
    """

    name: ModelName
    kind: ModelKind
    purpose: Annotated[
        ModelPurpose,
        Field(description="`judge`: it says whether answers break the task's rubric."),
    ] = ModelPurpose.TARGET
    description: Annotated[SomeLines, Field(max_length=2000)] = ""
    options: Values
    allow_private_address: Annotated[
        bool, Field(description="Administrators only: the address may be on a private network.")
    ] = False


class ModelProblemRead(WireModel):
    """What the checks found: at which input and field, where it is about one."""

    item: str | None = None
    field: str | None = None
    problem: str


class ModelRead(WireModel):
    """A model as one person sees it.

    Who submitted an anonymous one, and `problems`, `job_id`, `queue_position` and
    `artifact_bytes`, are shown to its submitter, the task's owners and administrators alone.
    """

    id: UUID
    task_slug: str
    name: str
    version: int
    kind: ModelKind
    purpose: ModelPurpose = ModelPurpose.TARGET
    status: ModelStatus
    rejection: str | None
    digest: str
    description: str
    submitted_by: str | None
    created_at: datetime
    isolation: Annotated[
        ModelIsolation, Field(description="What stands between its code and the server.")
    ] = ModelIsolation.BUILT_IN
    is_published: bool = True
    is_anonymous: bool = False
    is_mine: Annotated[bool, Field(description="Whether the one who asks submitted it.")] = False
    card: ModelCard | None = None
    problems: Annotated[
        list[ModelProblemRead] | None, Field(description="What the checks found.")
    ] = None
    job_id: Annotated[UUID | None, Field(description="The job that checks it.")] = None
    queue_position: Annotated[
        int | None, Field(description="Its place among the jobs that wait, from 1.")
    ] = None
    artifact_bytes: Annotated[int | None, Field(description="The size of its files.")] = None


class ModelHealthRead(WireModel):
    """How a target model is doing on this server, for the task's owners."""

    model_id: UUID
    state: str
    queue_length: int
    restarts: int
    answered: int
    failed: int
    median_latency_ms: float | None
    last_error: str | None


class ModelCheckRead(WireModel):
    """What a model answered to one trial input."""

    outputs: Values
    probabilities: dict[str, float] | None
    latency_ms: float
    error: str | None
