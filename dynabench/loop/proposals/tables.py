"""Tables of proposed tasks and of what was said about them."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table, Text, Uuid

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.proposals.values import ProposalStatus

task_proposals = Table(
    "task_proposals",
    metadata,
    id_column(),
    Column("slug", Text, nullable=False),
    Column("config", Text, nullable=False),
    # Counts the texts that were proposed; a decision names the one it is about.
    Column("revision", Integer, nullable=False, server_default="1"),
    # What the task is for, in its author's words.
    Column("reason", Text, nullable=False, server_default=""),
    enum_column("status", ProposalStatus, default=ProposalStatus.OPEN),
    Column("proposed_by", Uuid, ForeignKey("users.id"), nullable=False, index=True),
    # The task that came of it.
    Column("task_id", Uuid, ForeignKey("tasks.id"), index=True),
    utc_now(),
    time_column("updated_at"),
    Index("ix_task_proposals_status_created_at", "status", "created_at"),
)

# Each decision and each answer to it, in order; never changed.
task_proposal_notes = Table(
    "task_proposal_notes",
    metadata,
    id_column(),
    Column(
        "proposal_id",
        Uuid,
        ForeignKey("task_proposals.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("revision", Integer, nullable=False),
    # The status that this note set; null for a remark.
    enum_column("status", ProposalStatus, nullable=True),
    Column("text", Text, nullable=False, server_default=""),
    Column("written_by", Uuid, ForeignKey("users.id"), nullable=False, index=True),
    utc_now(),
)
