"""Wire shapes of assignments."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.contexts.schemas import ContextRead
from dynabench.science.texts.wire_texts import OneLine


class NextContextRequest(WireModel):
    """Which contexts the annotator wants to pass over this time, and tags to stay with."""

    skip: Annotated[list[UUID], Field(max_length=200)] = []
    tags: Annotated[list[OneLine], Field(max_length=100)] = []


class AssignmentRead(WireModel):
    """A context lent to an annotator.

    `goals` maps each `as_goal_message` field to the label assigned; the annotator may
    change it. Where no model is shown, they write without an answer to what they wrote.
    """

    round_id: UUID
    context: ContextRead
    lease_expires_at: datetime
    tries: int
    tries_left: int
    goals: dict[str, str]
    is_model_shown: bool = True
