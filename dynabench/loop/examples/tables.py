"""Tables of examples: every attempt, and what each target model answered to it."""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column
from dynabench.kit.db.metadata import metadata
from dynabench.loop.examples.values import Origin
from dynabench.loop.rounds.values import Arm

examples = Table(
    "examples",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("round_id", Uuid, ForeignKey("rounds.id"), nullable=False),
    Column("context_id", Uuid, ForeignKey("contexts.id"), nullable=False),
    Column("annotator_id", Uuid, ForeignKey("users.id"), nullable=False),
    # Counts an annotator's tries on a context; its uniqueness is what holds `max_tries`
    # and what turns two clicks at once into one stored attempt.
    Column("attempt_number", Integer, nullable=False),
    Column("inputs", JSONB, nullable=False),
    Column("answer", JSONB, nullable=False),
    Column("explanations", JSONB, nullable=False, server_default=text("'{}'::jsonb")),
    Column("fooled_by_author_answer", Boolean, nullable=True),
    enum_column("origin", Origin),
    enum_column("arm", Arm, default=Arm.TARGET),
    Column("suggestion_kept", Float, nullable=True),
    Column("time_spent_seconds", Float, nullable=True),
    Column("contrast_of", Uuid, ForeignKey("examples.id"), nullable=True),
    time_column("created_at"),
    time_column("retracted_at", nullable=True),
    time_column("flagged_at", nullable=True),
    Column("flag_reason", Text, nullable=True),
    # Null where a replay keeps a duplicate that the platform would have refused.
    Column("duplicate_key", LargeBinary, nullable=True),
    Column("similarity_bands", ARRAY(Integer), nullable=False),
    UniqueConstraint("round_id", "annotator_id", "context_id", "attempt_number"),
    UniqueConstraint("duplicate_key"),
    Index("ix_examples_round_id_context_id", "round_id", "context_id"),
    Index("ix_examples_round_id_created_at", "round_id", "created_at", "id"),
    Index("ix_examples_annotator_id", "annotator_id", "round_id", "created_at"),
    Index(
        "ix_examples_similarity_bands",
        "similarity_bands",
        postgresql_using="gin",
        # A pending list would make some submissions wait for its clean-up.
        postgresql_with={"fastupdate": "off"},
    ),
)

example_predictions = Table(
    "example_predictions",
    metadata,
    Column("example_id", Uuid, ForeignKey("examples.id", ondelete="CASCADE"), primary_key=True),
    Column("position", SmallInteger, primary_key=True),
    Column("model_id", Uuid, ForeignKey("models.id"), nullable=False),
    Column("outputs", JSONB, nullable=False),
    Column("probabilities", JSONB(none_as_null=True), nullable=True),
    Column("is_wrong", Boolean, nullable=True),
    Column("latency_ms", Float, nullable=True),
    # What the judge of a rubric says of this answer; null under every other rule.
    Column("judgement", JSONB(none_as_null=True), nullable=True),
)
