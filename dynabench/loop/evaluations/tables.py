"""The tables of evaluations: one per model and dataset version, its predictions and scores."""

from sqlalchemy import (
    BigInteger,
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

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.values import DeltaKind, EvaluationState

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
    # What a remote model answered to fixed inputs before the first item, as a digest.
    Column("probes", Text),
    # How often its submitter had it tried again; an owner's retries are not counted.
    Column("retries", Integer, nullable=False, server_default="0"),
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

# A shard whose row is here is finished: it is written with its predictions, in one transaction.
evaluation_shards = Table(
    "evaluation_shards",
    metadata,
    Column(
        "evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("split", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("items", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("seconds", Double, nullable=False),
    Column("cpu_seconds", Double),
    Column("memory_peak_bytes", BigInteger),
    utc_now("finished_at"),
)

# How fast and how large a model was in an evaluation, and on which machine.
measurements = Table(
    "measurements",
    metadata,
    Column(
        "evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    ),
    # Items per second one at a time: the median of the repeats, and the least and most of them.
    Column("throughput", Double),
    Column("throughput_low", Double),
    Column("throughput_high", Double),
    # Why it has none, as a sentence, where it was timed.
    Column("throughput_reason", Text),
    Column("batched_throughput", Double),
    Column("is_measured_at_client", Boolean, nullable=False),
    Column("memory_mean_bytes", BigInteger),
    Column("memory_peak_bytes", BigInteger),
    Column("cpu_seconds", Double),
    Column("machine", JSONB, nullable=False),
    # The time of a fixed piece of work there, so that two machines can be related.
    Column("reference_seconds", Double),
    utc_now("measured_at"),
)

tag_scores = Table(
    "tag_scores",
    metadata,
    Column(
        "evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("split", Text, primary_key=True),
    Column("tag", Text, primary_key=True),
    Column("metric", Text, primary_key=True),
    Column("value", Double),
    Column("low", Double),
    Column("high", Double),
    Column("items", Integer, nullable=False),
)

# What a model's answers on a perturbed set say of it, beside the original's evaluation. The
# empty transform is all of them together.
deltas = Table(
    "deltas",
    metadata,
    Column(
        "evaluation_id", Uuid, ForeignKey("evaluations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("perturbed_version_id", Uuid, ForeignKey("dataset_versions.id"), primary_key=True),
    Column("split", Text, primary_key=True),
    Column("transform", Text, primary_key=True),
    enum_column("kind", DeltaKind),
    Column("value", Double),
    Column("low", Double),
    Column("high", Double),
    # Originals that changed, and the model's gold performance on the perturbed items.
    Column("items", Integer, nullable=False),
    Column("gold_value", Double),
    Index(None, "perturbed_version_id"),
)

# The files of a model of predictions: one per dataset version.
prediction_files = Table(
    "prediction_files",
    metadata,
    Column("model_id", Uuid, ForeignKey("models.id"), primary_key=True),
    Column("dataset_version_id", Uuid, ForeignKey("dataset_versions.id"), primary_key=True),
    Column("digest", Text, nullable=False),
    Column("items", Integer, nullable=False),
    utc_now(),
    Index(None, "dataset_version_id"),
)

# How people do on a set, from the votes of its validators.
human_scores = Table(
    "human_scores",
    metadata,
    Column(
        "dataset_version_id",
        Uuid,
        ForeignKey("dataset_versions.id"),
        primary_key=True,
    ),
    Column("split", Text, primary_key=True),
    Column("metric", Text, primary_key=True),
    Column("value", Double),
    Column("low", Double),
    Column("high", Double),
    Column("items", Integer, nullable=False),
    Column("votes", Integer, nullable=False),
    # How it was counted: `blind` answers or the `review` of authors' answers; and why not.
    Column("method", Text, nullable=False),
    Column("reason", Text),
    utc_now("computed_at"),
)
