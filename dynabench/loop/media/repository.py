"""All SQL of stored pictures and sounds."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Row, func, or_, select
from sqlalchemy.dialects.postgresql import insert

from dynabench.kit.db.database import Session
from dynabench.loop.media.tables import media_files
from dynabench.loop.media.values import MediaFile

_ASKED_AT_ONCE = 1_000
_NOT_READ = frozenset(("source_url", "created_by", "created_at"))
# More columns than SQLAlchemy's typed `select` knows.
_COLUMNS: tuple[Column[Any], ...] = tuple(
    column for column in media_files.columns if column.name not in _NOT_READ
)


class MediaRepository:
    """Reads and writes what is known of stored files."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get_many(self, digests: Collection[str]) -> dict[str, MediaFile]:
        """Return the files that are there, by digest."""
        wanted = sorted(digests)
        found: dict[str, MediaFile] = {}
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            rows = await self._session.execute(
                select(*_COLUMNS).where(
                    media_files.c.digest.in_(wanted[start : start + _ASKED_AT_ONCE])
                )
            )
            found |= {row.digest: _file_of(row) for row in rows}
        return found

    async def by_urls(self, urls: Collection[str], *, since: datetime) -> dict[str, MediaFile]:
        """Return the latest file fetched from each address since a time."""
        wanted = sorted(urls)
        found: dict[str, MediaFile] = {}
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            rows = await self._session.execute(
                select(media_files.c.source_url, *_COLUMNS)
                .where(
                    media_files.c.source_url.in_(wanted[start : start + _ASKED_AT_ONCE]),
                    media_files.c.created_at >= since,
                )
                .order_by(media_files.c.created_at)
            )
            found |= {row.source_url: _file_of(row) for row in rows}
        return found

    async def digests(self, *, after: str, limit: int) -> list[tuple[str, str | None]]:
        """Return the next files' digests with those of their thumbnails, in order."""
        rows = await self._session.execute(
            select(media_files.c.digest, media_files.c.thumbnail_digest)
            .where(media_files.c.digest > after)
            .order_by(media_files.c.digest)
            .limit(limit)
        )
        return [(row.digest, row.thumbnail_digest) for row in rows]

    async def named(self, digests: Collection[str]) -> set[str]:
        """Return those of the digests that files or their thumbnails are stored under."""
        digest, thumbnail = media_files.c.digest, media_files.c.thumbnail_digest
        wanted = sorted(digests)
        found: set[str | None] = set()
        for start in range(0, len(wanted), _ASKED_AT_ONCE):
            some = wanted[start : start + _ASKED_AT_ONCE]
            rows = await self._session.execute(
                select(digest, thumbnail).where(or_(digest.in_(some), thumbnail.in_(some)))
            )
            found.update(name for row in rows for name in row)
        return {one for one in wanted if one in found}

    async def add(
        self, file: MediaFile, *, source_url: str | None, created_by: UUID | None, now: datetime
    ) -> None:
        """Write a file; one that is known already stays as it is."""
        await self._session.execute(
            insert(media_files)
            .values(**asdict(file), source_url=source_url, created_by=created_by, created_at=now)
            .on_conflict_do_nothing()
        )

    async def bytes_since(self, user_id: UUID, time: datetime) -> int:
        """Return how many bytes a person has brought since a time."""
        found = await self._session.execute(
            select(func.coalesce(func.sum(media_files.c.size_bytes), 0)).where(
                media_files.c.created_by == user_id, media_files.c.created_at >= time
            )
        )
        return int(found.scalar_one())


def _file_of(row: Row[Any]) -> MediaFile:
    return MediaFile(
        digest=row.digest,
        kind=row.kind,
        media_type=row.media_type,
        size_bytes=row.size_bytes,
        width=row.width,
        height=row.height,
        duration_seconds=row.duration_seconds,
        thumbnail_digest=row.thumbnail_digest,
    )
