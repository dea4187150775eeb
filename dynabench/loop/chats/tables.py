"""Tables of conversations: what was written, what each candidate replied, what was chosen."""

from sqlalchemy import (
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
    Uuid,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from dynabench.kit.db.columns import id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata

chats = Table(
    "chats",
    metadata,
    id_column(),
    Column("round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE"), nullable=False),
    Column("context_id", Uuid, ForeignKey("contexts.id", ondelete="CASCADE"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    # The chat field of the config that this conversation fills.
    Column("field_name", Text, nullable=False),
    # Who replies, in the order in which candidates are shown; hidden until it is submitted.
    Column("model_ids", ARRAY(Uuid), nullable=False),
    utc_now(),
    # Set once an attempt holds it; from then on it never changes.
    time_column("submitted_at", nullable=True),
    Index("ix_chats_round_id_context_id_annotator_id", "round_id", "context_id", "annotator_id"),
)

chat_turns = Table(
    "chat_turns",
    metadata,
    Column("chat_id", Uuid, ForeignKey("chats.id", ondelete="CASCADE"), nullable=False),
    Column(
        "number",
        Integer,
        CheckConstraint("number >= 1", name="number_is_positive"),
        nullable=False,
    ),
    Column("text", Text, nullable=False),
    # One object a candidate: {"model_id", "text", "rating", "latency_ms"}.
    Column("candidates", JSONB, nullable=False),
    # The replies that a regeneration replaced, oldest first.
    Column("replaced", JSONB, nullable=False),
    # "0", "1" … for a candidate, "tie" or "all_bad"; null until chosen.
    Column("choice", Text),
    Column("regenerated", SmallInteger, nullable=False, server_default="0"),
    utc_now(),
    PrimaryKeyConstraint("chat_id", "number"),
)
