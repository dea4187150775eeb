"""The tables of datasets: a name, its frozen versions, their items."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.datasets.values import DatasetAccess, DatasetOrigin, Split

datasets = Table(
    "datasets",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("name", Text, nullable=False),
    # The round whose release this is; a round is released once.
    Column("round_id", Uuid, ForeignKey("rounds.id"), unique=True),
    enum_column("access", DatasetAccess, default=DatasetAccess.SCORING),
    enum_column("origin", DatasetOrigin, default=DatasetOrigin.RELEASE),
    # Datasets with one name here are averaged into one column of the board.
    Column("subtask_of", Text),
    Column("tags", ARRAY(Text), nullable=False, server_default="{}"),
    UniqueConstraint("task_id", "name"),
)

# A version is written once, with its items, in one transaction; nothing changes it.
dataset_versions = Table(
    "dataset_versions",
    metadata,
    id_column(),
    Column("dataset_id", Uuid, ForeignKey("datasets.id"), nullable=False),
    Column("version", Integer, CheckConstraint("version >= 1", name="version"), nullable=False),
    Column("digest", Text, nullable=False),
    Column("licence", Text, nullable=False),
    Column("card", JSONB, nullable=False),
    utc_now(),
    Column("created_by", Uuid, ForeignKey("users.id")),
    # A perturbed set names what it varies, and how: transforms, seed, shares of changed items.
    Column("perturbs_id", Uuid, ForeignKey("dataset_versions.id")),
    Column("perturbation", JSONB),
    # When an owner gave out the gold answers of a release's test split, for good.
    time_column("test_opened_at", nullable=True),
    Column("test_opened_by", Uuid, ForeignKey("users.id")),
    # The job that makes its archive, or made it; None for one that nobody asked for.
    Column("archive_job_id", Uuid),
    Index(None, "perturbs_id"),
    UniqueConstraint("dataset_id", "version"),
    UniqueConstraint("dataset_id", "digest"),
)

dataset_items = Table(
    "dataset_items",
    metadata,
    Column("version_id", Uuid, ForeignKey("dataset_versions.id"), primary_key=True),
    Column("uid", Text, primary_key=True),
    enum_column("split", Split),
    Column("position", Integer, nullable=False),
    Column("context", JSONB, nullable=False),
    Column("inputs", JSONB, nullable=False),
    Column("gold", JSONB, nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    # A pseudonym within this dataset, never an id or a name.
    Column("annotator", Text, nullable=False),
    Column("is_fooling", Boolean),
    Column("is_verified", Boolean, nullable=False),
    Column("context_digest", LargeBinary, nullable=False),
    Column("original_uid", Text),
    Column("transform", Text),
    Index("ix_dataset_items_version_id_split_position", "version_id", "split", "position"),
)

# What an owner asked to be released as soon as the last open verdict of the round is there.
release_orders = Table(
    "release_orders",
    metadata,
    Column("round_id", Uuid, ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True),
    # The payload of the job that will be asked for.
    Column("payload", JSONB, nullable=False),
    Column("created_by", Uuid, ForeignKey("users.id")),
    utc_now(),
)

# Which files owners sent for which tasks: a digest alone names no file to anybody.
dataset_files = Table(
    "dataset_files",
    metadata,
    Column("task_id", Uuid, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    # The blob that holds it; other tasks may have sent the same bytes.
    Column("digest", Text, primary_key=True),
    Column("created_by", Uuid, ForeignKey("users.id")),
    # When it was last sent: a file that no dataset names is forgotten after a while.
    utc_now(),
    # It counts for the task's quota; 0 where an earlier version did not note it.
    Column("size_bytes", BigInteger, nullable=False, server_default="0"),
)

# A version as one file. The row is written when the file is stored, and is of use as long as
# the version is what it was made from.
dataset_archives = Table(
    "dataset_archives",
    metadata,
    Column("version_id", Uuid, ForeignKey("dataset_versions.id"), primary_key=True),
    # A digest of all that is written into the file: gold or none, licence, description.
    Column("made_from", Text, nullable=False),
    # The blob that holds it.
    Column("digest", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    # What is in it: `[{"name", "sha256", "bytes", "items"}]`.
    Column("files", JSONB, nullable=False),
    utc_now(),
)
