"""The tables of evaluations: one per model and dataset version, its predictions and scores."""

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column
from dynabench.kit.db.metadata import metadata
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.values import EvaluationState

evaluations = Table(
    "evaluations",
    metadata,
    id_column(),
    Column("model_id", Uuid, ForeignKey("models.id"), nullable=False),
    Column("dataset_version_id", Uuid, ForeignKey("dataset_versions.id"), nullable=False),
    enum_column("state", EvaluationState, default=EvaluationState.PENDING),
    # Finished jobs may be swept away; what they found stays.
    Column("job_id", Uuid, ForeignKey("jobs.id", ondelete="SET NULL")),
    Column("reason", Text),
    Column("failed_items", Integer),
    Column("seconds", Double),
    time_column("evaluated_at", nullable=True),
    UniqueConstraint("model_id", "dataset_version_id"),
    Index(None, "dataset_version_id"),
    Index(None, "job_id"),
    CheckConstraint(
        "state <> 'done' OR num_nulls(failed_items, seconds, evaluated_at) = 0",
        name="done_says_all",
    ),
)

# Written shard by shard; a shard that is done again writes the same rows.
predictions = Table(
    "predictions",
    metadata,
    Column(
        "evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("uid", Text, primary_key=True),
    Column("outputs", JSONB, nullable=False),
    Column("probabilities", JSONB),
    Column("error", Text),
    Column("score", Double),
)

scores = Table(
    "scores",
    metadata,
    Column("evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), nullable=False),
    enum_column("split", Split),
    Column("metric", Text, nullable=False),
    Column("is_principal", Boolean, nullable=False),
    # Mostly from 0 to 1, as pages never see it: they get 0 to 100. Correlations go down to -1,
    # error rates above 1. Null is no data.
    Column("value", Double, CheckConstraint("value >= -1", name="value")),
    Column("low", Double),
    Column("high", Double),
    Column("items", Integer, nullable=False),
    PrimaryKeyConstraint("evaluation_id", "split", "metric"),
)
