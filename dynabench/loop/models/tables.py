"""The table of models: one row per version, never changed but in its status."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    false,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.models.values import ModelIsolation, ModelKind, ModelPurpose, ModelStatus

# `source` says how the version is reached or where its files lie, never a secret: an API key
# is named by the environment variable that holds it.
models = Table(
    "models",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("version", Integer, CheckConstraint("version >= 1", name="version"), nullable=False),
    enum_column("kind", ModelKind),
    enum_column("purpose", ModelPurpose, default=ModelPurpose.TARGET),
    enum_column("status", ModelStatus),
    Column("rejection", Text),
    Column("source", JSONB, nullable=False),
    Column("digest", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("submitted_by", Uuid, ForeignKey("users.id")),
    utc_now(),
    Column("is_published", Boolean, nullable=False, server_default=true()),
    Column("is_anonymous", Boolean, nullable=False, server_default=false()),
    enum_column("isolation", ModelIsolation, default=ModelIsolation.BUILT_IN),
    # What a reader must know of it; one that has none is not published.
    Column("card", JSONB),
    # What the checks of a rejected one found: `[{"item", "field", "problem"}]`.
    Column("problems", JSONB),
    # The job that checks it; its log is the submitter's.
    Column("job_id", Uuid, ForeignKey("jobs.id", ondelete="SET NULL")),
    Column("artifact_bytes", BigInteger),
    # When it passed the checks; limits per person and day count these alone.
    time_column("passed_at", nullable=True),
    # Its files and answers are gone; the row stays for what was written against it.
    time_column("deleted_at", nullable=True),
    UniqueConstraint("task_id", "name", "version"),
    Index(None, "submitted_by", "passed_at"),
    Index(None, "job_id"),
)
