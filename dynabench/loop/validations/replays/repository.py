"""SQL of votes that were cast elsewhere."""

from collections.abc import Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.validations.replays.values import ReplayedVote
from dynabench.loop.validations.tables import validations


class ReplayedVoteRepository:
    """Writes votes whose ids were made from their source."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add_missing(self, votes: Sequence[ReplayedVote]) -> list[UUID]:
        """Store the votes whose ids are not here; returns the example of each new one."""
        statement = (
            upsert(validations)
            .values([asdict(vote) for vote in votes])
            .on_conflict_do_nothing(index_elements=["id"])
            .returning(validations.c.example_id)
        )
        return list((await self._session.execute(statement)).scalars())

    async def answers(self, vote_ids: Sequence[UUID]) -> dict[UUID, dict[str, object] | None]:
        """Return the answers of votes that are here, by id."""
        wanted = select(validations.c.id, validations.c.answer).where(
            validations.c.id.in_(vote_ids)
        )
        return {row.id: row.answer for row in await self._session.execute(wanted)}
