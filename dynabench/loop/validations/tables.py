"""Tables of votes: the votes one by one, and the leases under which they are cast."""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Table,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column
from dynabench.kit.db.metadata import metadata
from dynabench.loop.validations.values import Vote

validations = Table(
    "validations",
    metadata,
    id_column(),
    Column("example_id", Uuid, ForeignKey("examples.id"), nullable=False),
    Column("round_id", Uuid, ForeignKey("rounds.id"), nullable=False),
    Column("validator_id", Uuid, ForeignKey("users.id"), nullable=False),
    enum_column("vote", Vote),
    # What a blind validator answered; null in review mode and where they flagged.
    Column("answer", JSONB(none_as_null=True), nullable=True),
    Column("metadata", JSONB, nullable=False, server_default=text("'{}'::jsonb")),
    Column("is_expert", Boolean, nullable=False, server_default=text("false")),
    Column("time_spent_seconds", Float, nullable=True),
    time_column("created_at"),
    time_column("withdrawn_at", nullable=True),
    Index("ix_validations_example_id", "example_id", "created_at"),
    Index("ix_validations_validator_id", "validator_id", "round_id"),
    Index("ix_validations_round_id_created_at", "round_id", "created_at"),
    Index(
        "uq_validations_one_ordinary_vote",
        "example_id",
        "validator_id",
        unique=True,
        postgresql_where=text("NOT is_expert AND withdrawn_at IS NULL"),
    ),
)

validation_leases = Table(
    "validation_leases",
    metadata,
    Column("example_id", Uuid, ForeignKey("examples.id", ondelete="CASCADE"), primary_key=True),
    Column("validator_id", Uuid, ForeignKey("users.id"), primary_key=True),
    Column("expires_at", DateTime(timezone=True), nullable=False),
    # A validator who passed over an item is not offered it again.
    Column("is_skipped", Boolean, nullable=False, server_default=text("false")),
    Index("ix_validation_leases_validator_id", "validator_id", "expires_at"),
)
