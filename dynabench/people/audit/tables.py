"""The table of the audit trail; triggers of revision 0010 write it, and keep it from changing."""

from sqlalchemy import BigInteger, Column, DateTime, Identity, Index, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.metadata import metadata

audit_entries = Table(
    "audit_entries",
    metadata,
    Column("number", BigInteger, Identity(always=True), primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    # No foreign key: an entry outlives whom it is about.
    Column("actor_id", Uuid),
    Column("actor_name", Text, nullable=False),
    Column("request_id", Text),
    Column("act", Text, nullable=False),
    Column("subject_id", Text),
    Column("subject_name", Text),
    Column("task_id", Uuid),
    Column("reason", Text),
    Column("before", JSONB),
    Column("after", JSONB),
    Index("ix_audit_entries_task_id_number", "task_id", "number"),
    Index("ix_audit_entries_actor_id_number", "actor_id", "number"),
    Index("ix_audit_entries_subject_id_number", "subject_id", "number"),
)
