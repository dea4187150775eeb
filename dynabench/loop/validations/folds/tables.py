"""Tables of counts; every row is recomputed from outcomes, never added to."""

from sqlalchemy import Column, Date, ForeignKey, Integer, Table, Uuid

from dynabench.kit.db.columns import enum_column, time_column
from dynabench.kit.db.metadata import metadata
from dynabench.loop.rounds.values import Arm

annotator_days = Table(
    "annotator_days",
    metadata,
    Column("round_id", Uuid, ForeignKey("rounds.id"), primary_key=True),
    Column("annotator_id", Uuid, ForeignKey("users.id"), primary_key=True),
    Column("day", Date, primary_key=True),
    # What its author was shown of the models: control arms are counted apart.
    enum_column("arm", Arm, default=Arm.TARGET, primary_key=True),
    Column("collected", Integer, nullable=False),
    Column("fooled", Integer, nullable=False),
    Column("verified_fooled", Integer, nullable=False),
    Column("undecided", Integer, nullable=False),
    Column("pending", Integer, nullable=False),
    Column("disputed", Integer, nullable=False),
    Column("retracted", Integer, nullable=False),
    Column("flagged", Integer, nullable=False),
    time_column("as_of"),
)

context_counts = Table(
    "context_counts",
    metadata,
    Column("round_id", Uuid, ForeignKey("rounds.id"), primary_key=True),
    Column("context_id", Uuid, ForeignKey("contexts.id"), primary_key=True),
    Column("annotators", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("fooled", Integer, nullable=False),
    Column("failed_validation", Integer, nullable=False),
    time_column("as_of"),
)
