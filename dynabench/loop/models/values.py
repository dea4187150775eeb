"""Ids, kinds and states of models."""

from enum import StrEnum
from typing import NewType
from uuid import UUID

ModelId = NewType("ModelId", UUID)


class ModelKind(StrEnum):
    """How a model is reached."""

    HANDLER = "handler"
    ENDPOINT = "endpoint"
    OPENAI = "openai"
    RECORDED = "recorded"


class ModelStatus(StrEnum):
    """Where a submitted model stands."""

    SUBMITTED = "submitted"
    CHECKING = "checking"
    READY = "ready"
    REJECTED = "rejected"
