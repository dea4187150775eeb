"""Wire shapes of proposals."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from dynabench.kit.wire import WireModel
from dynabench.loop.proposals.values import Decision, ProposalStatus
from dynabench.loop.tasks.schemas import ConfigText, Slug
from dynabench.science.texts.wire_texts import SomeLines

Reason = Annotated[
    SomeLines, Field(min_length=1, max_length=4000, description="What the task is for.")
]
NoteText = Annotated[SomeLines, Field(max_length=4000)]
Revision = Annotated[int, Field(ge=1, le=2**31 - 1, description="The revision that was looked at.")]


class ProposalCreate(WireModel):
    """A task that somebody would like to have here."""

    slug: Slug
    config: ConfigText
    reason: Reason


class ProposalPatch(WireModel):
    """A new revision; what is left out stays as it is.

    Attributes:
        revision: The one that it replaces.
        answer: What has changed, for whoever decides.
    """

    revision: Revision
    slug: Slug | None = None
    config: ConfigText | None = None
    reason: Reason | None = None
    answer: NoteText = ""


class ProposalDecision(WireModel):
    """What an administrator decides; a reason is needed unless it is to accept."""

    status: Decision
    revision: Revision
    text: NoteText = ""


class ProposalNoteRead(WireModel):
    """A decision about a proposal, or its author's answer to one."""

    revision: int
    status: ProposalStatus | None
    text: str
    written_by: str
    created_at: datetime


class ProposalSummaryRead(WireModel):
    """A proposal in the list; `task_slug` is the task that came of it."""

    id: UUID
    slug: str
    revision: int
    reason: str
    status: ProposalStatus
    proposed_by: str
    task_slug: str | None
    created_at: datetime
    updated_at: datetime


class ProposalRead(ProposalSummaryRead):
    """A proposal with its config and all that was said about it, oldest first."""

    config: str
    notes: list[ProposalNoteRead]
