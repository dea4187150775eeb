"""Wire shapes of examples."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import Values, WireModel
from dynabench.loop.chats.schemas import CandidateRead, Message
from dynabench.loop.examples.values import Origin
from dynabench.loop.rounds.values import Arm
from dynabench.science.task_config.conversations import Role
from dynabench.science.texts.wire_texts import SomeLines


class ExampleCreate(WireModel):
    """An attempt: what was written about a context, and the annotator's own answer.

    Whether it fooled the model is decided by the server and cannot be sent.
    """

    context_id: UUID
    inputs: Values
    answer: Values
    time_spent_seconds: Annotated[float, Field(ge=0, le=86_400)] | None = None
    origin: Origin = Origin.HUMAN
    suggestion_kept: (
        Annotated[float, Field(ge=0, le=1, description="Share of a suggestion that was kept.")]
        | None
    ) = None
    contrast_of: UUID | None = None


class JudgementRead(WireModel):
    """What the judge of a rubric says of an answer, and what the author says to that."""

    broken: Annotated[
        list[str] | None,
        Field(description="The criteria that the answer breaks; null: no usable word."),
    ]
    reason: str | None
    error: str | None
    author_says_wrong: bool | None


class PredictionRead(WireModel):
    """What one target model answered to an example.

    Its author is not told which model it was while a round collects in which an earlier target
    answers for some.
    """

    model_id: UUID | None
    model_name: str | None
    model_version: int | None
    outputs: Values
    probabilities: dict[str, float] | None
    is_wrong: bool | None
    latency_ms: float | None
    judgement: JudgementRead | None = None


class ExampleRead(WireModel):
    """A stored attempt.

    Where no model is shown (`is_model_shown`), its author learns neither what the models
    answered nor whether they were fooled while the round is open.
    """

    id: UUID
    round_id: UUID
    context_id: UUID
    annotator: str
    inputs: Values
    answer: Values
    predictions: list[PredictionRead]
    is_model_shown: bool = True
    fooled: bool | None
    arm: Annotated[
        Arm | None,
        Field(description="What its author was shown of the models; null: not to be known yet."),
    ] = None
    explanations: Values
    origin: Origin
    contrast_of: UUID | None
    time_spent_seconds: float | None
    created_at: datetime
    retracted_at: datetime | None
    flagged_at: datetime | None
    flag_reason: str | None
    tries_left: int | None = None


class ExamplePatch(WireModel):
    """What its author adds once the model has answered."""

    explanations: Values | None = None
    user_says_fooled: bool | None = None


class FlagCreate(WireModel):
    """Why an example should be looked at."""

    reason: Annotated[SomeLines, Field(min_length=1, max_length=500)]


class TryCreate(WireModel):
    """A sandbox attempt: nothing of it is stored."""

    context_id: UUID | None = None
    context: Values | None = None
    inputs: Values
    answer: Values
    model_id: UUID | None = None


class TryRead(WireModel):
    """What the models answered to a sandbox attempt."""

    predictions: list[PredictionRead]
    fooled: bool | None


class TryMessage(WireModel):
    """Something that was said in a sandbox conversation."""

    role: Role
    text: Message


class TryRepliesCreate(WireModel):
    """A sandbox conversation so far, with the message to reply to at its end."""

    context_id: UUID | None = None
    context: Values | None = None
    messages: Annotated[list[TryMessage], Field(min_length=1, max_length=200)]
    model_id: UUID | None = None


class TryRepliesRead(WireModel):
    """What the candidates reply to a sandbox conversation."""

    candidates: list[CandidateRead]
