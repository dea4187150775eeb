"""The table of what people are told about."""

from sqlalchemy import Column, ForeignKey, Index, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata

notifications = Table(
    "notifications",
    metadata,
    id_column(),
    Column("user_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    # A word that pages turn into a sentence, such as `proposal.accepted`, and what it needs.
    Column("kind", Text, nullable=False),
    Column("details", JSONB, nullable=False),
    # The page it is about.
    Column("path", Text, nullable=False, server_default=""),
    utc_now(),
    time_column("read_at", nullable=True),
    Index("ix_notifications_user_id_created_at", "user_id", "created_at"),
)
