"""The tables of rounds: what an owner decided, the fixed targets, the parents."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    false,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.rounds.values import (
    ContextPolicy,
    GoldFrom,
    RoundStatus,
    TargetPolicy,
    ValidationMode,
)

rounds = Table(
    "rounds",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("number", Integer, CheckConstraint("number >= 0", name="number"), nullable=False),
    enum_column("status", RoundStatus),
    Column("config_version", Integer, nullable=False),
    enum_column("target_policy", TargetPolicy),
    enum_column("context_policy", ContextPolicy),
    Column("context_tags", ARRAY(Text), nullable=False),
    enum_column("validation_mode", ValidationMode),
    Column("quorum", Integer, nullable=False),
    Column("maximum", Integer, nullable=False),
    enum_column("gold_from", GoldFrom),
    Column("share_of_others", Float, nullable=False),
    Column("max_tries", Integer, nullable=False),
    Column("budget_examples", Integer),
    Column("budget_days", Integer),
    Column("budget_validated_fooling", Integer),
    # Outside of these moments an open round takes no examples.
    time_column("opens_at", nullable=True),
    time_column("closes_at", nullable=True),
    Column("seed", BigInteger, nullable=False),
    # A round whose examples were collected elsewhere; nobody can add to it here.
    Column("is_replay", Boolean, nullable=False, server_default=false()),
    # False where the authors are pseudonyms of records, not of people.
    Column("people_are_known", Boolean, nullable=False, server_default=true()),
    Column("created_by", Uuid, ForeignKey("users.id")),
    utc_now(),
    time_column("opened_at", nullable=True),
    time_column("closed_at", nullable=True),
    time_column("released_at", nullable=True),
    Column("close_reason", Text),
    # The parts of the contexts on which an annotator sees no model, or the control model.
    Column("control_no_model_share", Float, nullable=False, server_default=text("0")),
    Column("control_earlier_share", Float, nullable=False, server_default=text("0")),
    Column("control_model_id", Uuid, ForeignKey("models.id")),
    # What the arms are drawn from; it is in no answer, log or file, so nobody can draw ahead.
    Column("arm_secret", Uuid, nullable=False, server_default=text("gen_random_uuid()")),
    # Where a round that was collected elsewhere comes from; null for one of this installation.
    Column("provenance", JSONB(none_as_null=True)),
    UniqueConstraint("task_id", "number"),
    CheckConstraint("quorum >= 1 AND quorum <= maximum", name="quorum"),
    CheckConstraint("opens_at < closes_at", name="schedule"),
    # A task collects in one round at a time.
    Index(
        "uq_rounds_one_open_per_task",
        "task_id",
        unique=True,
        postgresql_where=text("status = 'open'"),
    ),
)

round_targets = Table(
    "round_targets",
    metadata,
    Column("round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("model_id", Uuid, ForeignKey("models.id"), primary_key=True),
    Column("position", Integer, nullable=False),
    Index(None, "model_id"),
)

# What a round grew out of: each row names one earlier round or one model.
round_parents = Table(
    "round_parents",
    metadata,
    id_column(),
    Column("round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE"), nullable=False),
    Column("parent_round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE")),
    Column("parent_model_id", Uuid, ForeignKey("models.id")),
    Column("position", Integer, nullable=False),
    CheckConstraint("num_nonnulls(parent_round_id, parent_model_id) = 1", name="one_parent"),
    UniqueConstraint("round_id", "parent_round_id"),
    UniqueConstraint("round_id", "parent_model_id"),
    Index(None, "parent_round_id"),
    Index(None, "parent_model_id"),
)
