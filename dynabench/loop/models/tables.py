"""The table of models: one row per version, never changed but in its status."""

from sqlalchemy import (
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

from dynabench.kit.db.columns import enum_column, id_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.models.values import ModelKind, ModelPurpose, ModelStatus

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
    UniqueConstraint("task_id", "name", "version"),
    Index(None, "submitted_by"),
)
