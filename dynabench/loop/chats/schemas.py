"""Wire shapes of conversations."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.chats.values import Choice
from dynabench.science.texts.wire_texts import OneLine, SomeLines

Message = Annotated[SomeLines, Field(min_length=1, max_length=20_000, pattern=r"\S")]


class ChatCreate(WireModel):
    """Begin to talk with the round's models about a context, or take up what was begun."""

    context_id: UUID
    field_name: Annotated[OneLine, Field(min_length=1, max_length=64)]


class TurnCreate(WireModel):
    """What is said to the models."""

    text: Message


class TurnPut(WireModel):
    """Which reply is the best, and how good each is; both as they are from now on."""

    choice: Annotated[
        Choice | None,
        Field(description="A reply by its place from 0, `tie` or `all_bad`; null: none yet."),
    ] = None
    ratings: Annotated[
        list[Annotated[int, Field(ge=1, le=5)] | None] | None,
        Field(max_length=4, description="One a reply, in order, where the task rates replies."),
    ] = None


class CandidateRead(WireModel):
    """One reply; `model` is a letter, for which model it is stays hidden."""

    model: str
    text: str
    rating: int | None


class TurnRead(WireModel):
    """A message and the replies to it."""

    number: int
    text: str
    candidates: list[CandidateRead]
    choice: Choice | None
    regenerations_left: int


class ChatRead(WireModel):
    """A conversation as whoever holds it sees it."""

    id: UUID
    round_id: UUID
    context_id: UUID
    field_name: str
    turns: list[TurnRead]
    created_at: datetime
    submitted_at: datetime | None
