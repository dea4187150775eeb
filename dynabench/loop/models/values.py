"""Ids, kinds and states of models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

MODEL_SUBMITTED = "models.submitted"
"""The job that whoever scores models registers a handler for: `{"model_id": …}`.

It is enqueued in the transaction that takes a model by its address, so that none is overlooked.
Who registers a handler's files has that model scored as well.
"""

MODEL_FILES_LEFT = "models.files_left"
"""The job that whoever knows every stored file registers a handler for: `{"digests": […]}`.

The files that a model has left behind; those that nothing else is made of are forgotten.
"""

ModelId = NewType("ModelId", UUID)


class ModelKind(StrEnum):
    """What was handed in, and so how the model is reached.

    `predictions` are files of answers to datasets, `recorded` a name in replayed rounds:
    neither can be asked.
    """

    HANDLER = "handler"
    HUGGINGFACE = "huggingface"
    ONNX = "onnx"
    CONTAINER = "container"
    ENDPOINT = "endpoint"
    OPENAI = "openai"
    PREDICTIONS = "predictions"
    RECORDED = "recorded"


CODE_KINDS = frozenset({ModelKind.HANDLER, ModelKind.HUGGINGFACE, ModelKind.ONNX})
"""What ends as a folder of code that runs on the platform's machines."""

REMOTE_KINDS = frozenset({ModelKind.ENDPOINT, ModelKind.OPENAI})
"""What is reached at an address: its code, its memory and its logs are somebody else's."""


class ModelIsolation(StrEnum):
    """What stands between a model's code and the server, as every row of a board tells."""

    BUILT_IN = "built_in"
    SANDBOX = "sandbox"
    CONTAINER = "container"
    REMOTE = "remote"
    NO_CODE = "no_code"
    TRUSTED = "trusted"


class ModelPurpose(StrEnum):
    """What a model is there for: to be fooled and scored, or to judge answers by a rubric."""

    TARGET = "target"
    JUDGE = "judge"


class ModelStatus(StrEnum):
    """Where a submitted model stands."""

    SUBMITTED = "submitted"
    CHECKING = "checking"
    READY = "ready"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One version of a submitted model; all but its status never changes.

    `source` says how it is reached or where its files lie. It is shown to nobody but the
    task's owners, and holds no secret.
    """

    id: UUID
    task_id: UUID
    name: str
    version: int
    kind: ModelKind
    status: ModelStatus
    rejection: str | None
    source: dict[str, object]
    digest: str
    description: str
    submitted_by: UUID | None
    created_at: datetime
    is_published: bool
    is_anonymous: bool
    purpose: ModelPurpose = ModelPurpose.TARGET
    isolation: ModelIsolation = ModelIsolation.BUILT_IN
    card: dict[str, object] | None = None
    problems: list[dict[str, object]] | None = None
    job_id: UUID | None = None
    artifact_bytes: int | None = None
    passed_at: datetime | None = None
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLabel:
    """How a model version is called on pages, in rounds and in files."""

    model_id: UUID
    name: str
    version: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What comes with a model version beside the way to ask it.

    `digest` covers everything that its answers depend on; `source` says where it comes from
    (a recipe, the digests of its training data) and holds no secret. Nobody submits what the
    installation brings. `options` and `isolation` say how files of another kind than a handler
    are run.
    """

    name: str
    digest: str
    description: str = ""
    source: Mapping[str, object] = field(default_factory=dict)
    submitted_by: UUID | None = None
    purpose: ModelPurpose = ModelPurpose.TARGET
    kind: ModelKind = ModelKind.HANDLER
    options: Mapping[str, object] = field(default_factory=dict)
    isolation: ModelIsolation | None = None
    card: dict[str, object] | None = None
