"""Table of outcomes: derived from examples and votes, in the transaction that changes them."""

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    SmallInteger,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, time_column
from dynabench.kit.db.metadata import metadata
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.values import Verdict

_WAITING = text("verdict = 'pending' AND is_wanted")

outcomes = Table(
    "outcomes",
    metadata,
    Column("example_id", Uuid, ForeignKey("examples.id", ondelete="CASCADE"), primary_key=True),
    Column("round_id", Uuid, ForeignKey("rounds.id"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("users.id"), nullable=False),
    Column("context_id", Uuid, ForeignKey("contexts.id"), nullable=False),
    # Whether ordinary validators are asked: fooling examples and the round's share of others.
    Column("is_wanted", Boolean, nullable=False),
    # 0 for examples that seem to fool, 1 for the others: the order they are handed out in.
    Column("priority", SmallInteger, nullable=False),
    enum_column("verdict", Verdict),
    Column("gold", JSONB(none_as_null=True), nullable=True),
    Column("fooled", Boolean, nullable=True),
    Column("agrees_with_author", Boolean, nullable=True),
    Column("votes", SmallInteger, nullable=False, server_default=text("0")),
    Column("leading", SmallInteger, nullable=False, server_default=text("0")),
    # Copied from the example, so that counts read one table.
    Column("example_created_at", DateTime(timezone=True), nullable=False),
    enum_column("arm", Arm, default=Arm.TARGET),
    Column("is_retracted", Boolean, nullable=False, server_default=text("false")),
    time_column("decided_at", nullable=True),
    time_column("voided_at", nullable=True),
    Column("voided_by", Uuid, ForeignKey("users.id"), nullable=True),
    Column("void_reason", Text, nullable=True),
    # The queue: what is left of it is small, however large the round.
    Index(
        "ix_outcomes_queue",
        "round_id",
        "priority",
        text('"leading" DESC'),
        "example_created_at",
        "example_id",
        postgresql_where=_WAITING,
    ),
    Index("ix_outcomes_round_id_verdict", "round_id", "verdict", "example_created_at"),
    Index("ix_outcomes_annotator_id", "annotator_id", "round_id", "example_created_at"),
    # Counting a context's examples again reads this index alone.
    Index(
        "ix_outcomes_round_id_context_id",
        "round_id",
        "context_id",
        postgresql_include=[
            "annotator_id",
            "fooled",
            "verdict",
            "is_retracted",
            "voided_at",
            "arm",
        ],
    ),
)
