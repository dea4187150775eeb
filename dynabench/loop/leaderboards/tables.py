"""The tables of boards: forks and snapshots, and figures that are computed once per change."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.leaderboards.suspicions.values import Finding
from dynabench.loop.leaderboards.values import BoardKind

boards = Table(
    "boards",
    metadata,
    id_column(),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    enum_column("kind", BoardKind),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    # Weights of metrics and datasets, the memory budget, whose exchange rates are used.
    Column("weights", JSONB, nullable=False),
    # A snapshot's rows, exchange rates and date; never changed, and covered by its digest.
    Column("content", JSONB),
    Column("digest", Text),
    Column("created_by", Uuid, ForeignKey("users.id")),
    utc_now(),
    time_column("deleted_at", nullable=True),
    UniqueConstraint("task_id", "name"),
    Index(None, "created_by"),
)

# What a board needs besides scores: intervals and paired tests. One row per task,
# made anew by a job when its stamp is no longer that of the data.
board_figures = Table(
    "board_figures",
    metadata,
    Column("task_id", Uuid, ForeignKey("tasks.id"), primary_key=True),
    Column("stamp", Text, nullable=False),
    Column("payload", LargeBinary, nullable=False),
    utc_now("computed_at"),
)

# A task's models and rounds on one scale, as fitted last; fitted anew when its inputs change.
task_scales = Table(
    "task_scales",
    metadata,
    Column("task_id", Uuid, ForeignKey("tasks.id", ondelete="CASCADE"), primary_key=True),
    Column("inputs_digest", Text, nullable=False),
    Column("result", JSONB, nullable=False),
    utc_now("computed_at"),
)

# Items that strong models get wrong and weak ones right: their gold answer may be wrong.
suspected_errors = Table(
    "suspected_errors",
    metadata,
    Column("example_id", Uuid, ForeignKey("examples.id", ondelete="CASCADE"), primary_key=True),
    Column("task_id", Uuid, ForeignKey("tasks.id"), nullable=False),
    Column("version_id", Uuid, ForeignKey("dataset_versions.id"), nullable=False),
    Column("evidence", JSONB, nullable=False),
    utc_now("raised_at"),
    # When an expert looked at it, and what they found.
    time_column("settled_at", nullable=True),
    Column("settled_by", Uuid, ForeignKey("users.id")),
    enum_column("finding", Finding, nullable=True),
    Index(None, "task_id", "settled_at"),
)
