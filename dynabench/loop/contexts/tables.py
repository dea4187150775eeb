"""The tables of contexts and of who writes about which one at the moment."""

from sqlalchemy import (
    Column,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata

# `digest` is the SHA-256 of the content as canonical JSON; `shuffle_key` is made from it and
# gives contexts an order that nobody chose and that never changes.
contexts = Table(
    "contexts",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("content", JSONB, nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("tag", Text, nullable=False, server_default=""),
    Column("metadata", JSONB, nullable=False),
    Column("shuffle_key", Double, nullable=False),
    utc_now(),
    Column("uploaded_by", Uuid, ForeignKey("users.id")),
    time_column("retired_at", nullable=True),
    UniqueConstraint("task_id", "digest"),
    Index("ix_contexts_task_id_tag_shuffle_key", "task_id", "tag", "shuffle_key"),
    Index("ix_contexts_task_id_shuffle_key", "task_id", "shuffle_key"),
    Index("ix_contexts_task_id_id", "task_id", "id"),
)

# One annotator writes about one context of a round; the row runs out unless it is renewed.
context_leases = Table(
    "context_leases",
    metadata,
    Column("round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE"), nullable=False),
    Column("context_id", Uuid, ForeignKey("contexts.id", ondelete="CASCADE"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    time_column("expires_at"),
    PrimaryKeyConstraint("round_id", "context_id", "annotator_id"),
    Index("ix_context_leases_round_id_annotator_id", "round_id", "annotator_id"),
    Index("ix_context_leases_round_id_expires_at", "round_id", "expires_at"),
)
