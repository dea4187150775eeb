"""The table of rates."""

from sqlalchemy import Column, Double, Index, Integer, Table, Text

from dynabench.kit.db.metadata import metadata

# Not logged: it is written often, says nothing after an hour, and may be lost in a crash.
rate_limits = Table(
    "rate_limits",
    metadata,
    Column("name", Text, primary_key=True),
    # Whose rate it is: a person, an address, a round.
    Column("subject", Text, primary_key=True),
    # From when on nothing has been taken, in seconds since 1970.
    Column("free_at", Double, nullable=False),
    # How many the last statement got of what it asked for.
    Column("granted", Integer, nullable=False),
    Index(None, "free_at"),
    prefixes=["UNLOGGED"],
)
