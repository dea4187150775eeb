"""Jobs, their finished steps and log lines, and the outbox."""

from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    Table,
    Text,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.engines.jobs.values import JobState
from dynabench.kit.db.columns import enum_column, id_column, time_column, utc_now
from dynabench.kit.db.metadata import metadata

jobs = Table(
    "jobs",
    metadata,
    id_column(),
    Column("name", Text, nullable=False),
    Column("payload", JSONB, nullable=False),
    enum_column("state", JobState, default=JobState.QUEUED),
    Column("progress", Float, nullable=False, server_default="0"),
    Column("message", Text, nullable=False, server_default=""),
    Column("result", JSONB),
    Column("error", Text),
    # What the error says, or else the message, for pages in another language.
    Column("told", JSONB(none_as_null=True)),
    Column("attempts", Integer, nullable=False, server_default="0"),
    # Which worker process runs it; what another one writes is refused.
    Column("executor_id", Text),
    # Which of the waiting ones starts first: the lowest number, then the oldest.
    Column("priority", Integer, nullable=False, server_default="0"),
    # The people's tables are above this package, so this is no foreign key.
    Column("created_by", Uuid),
    # What its time counts for besides its author, such as a task; null is not counted.
    Column("subject_id", Uuid),
    utc_now("created_at"),
    time_column("started_at", nullable=True),
    time_column("finished_at", nullable=True),
    Index("ix_jobs_created_at", "created_at"),
    Index("ix_jobs_name_state", "name", "state"),
    Index(
        "ix_jobs_subject_id_started_at",
        "subject_id",
        "started_at",
        postgresql_where=text("subject_id IS NOT NULL"),
    ),
)

job_steps = Table(
    "job_steps",
    metadata,
    Column("job_id", Uuid, ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("result", JSONB),
    utc_now("finished_at"),
)

job_log_lines = Table(
    "job_log_lines",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("job_id", Uuid, ForeignKey("jobs.id", ondelete="CASCADE"), nullable=False),
    Column("line", Text, nullable=False),
    utc_now("created_at"),
    Index("ix_job_log_lines_job_id_id", "job_id", "id"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("consumer", Text, nullable=False),
    Column("payload", JSONB, nullable=False),
    utc_now("created_at"),
    Index("ix_outbox_consumer_id", "consumer", "id"),
)
