"""The table of stored pictures and sounds; their bytes lie in the blob store."""

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Index, Integer, Table, Text, Uuid

from dynabench.kit.db.columns import enum_column, utc_now
from dynabench.kit.db.metadata import metadata
from dynabench.loop.media.values import MediaKind

media_files = Table(
    "media_files",
    metadata,
    # SHA-256 of the bytes: the same file is stored once, whoever brings it.
    Column("digest", Text, primary_key=True),
    enum_column("kind", MediaKind),
    Column("media_type", Text, nullable=False),
    Column("size_bytes", BigInteger, nullable=False),
    Column("width", Integer),
    Column("height", Integer),
    Column("duration_seconds", Double),
    Column("thumbnail_digest", Text),
    # Where it was fetched from; empty for an upload.
    Column("source_url", Text),
    Column("created_by", Uuid, ForeignKey("users.id"), index=True),
    utc_now(),
    # An address may be longer than what a B-tree holds.
    Index("ix_media_files_source_url", "source_url", postgresql_using="hash"),
)
