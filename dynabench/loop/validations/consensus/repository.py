"""SQL of consensus: the votes of a round, each with who cast it."""

from uuid import UUID

from sqlalchemy import exists, select

from dynabench.kit.db.database import Session
from dynabench.loop.rounds.values import Arm
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.loop.validations.values import Vote
from dynabench.science.statistics.dawid_skene import VoteOf


class ConsensusRepository:
    """Reads ordinary votes that stand."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def votes(
        self, round_id: UUID, *, field_name: str | None, without: UUID | None, limit: int
    ) -> list[VoteOf]:
        """Return at most so many votes of a round.

        Args:
            round_id: The round.
            field_name: The label that blind validators gave; None reads their votes. A flag
                is a label of its own.
            without: Whose attempts without a model are left out, if anybody's.
            limit: So many are enough to know that there are too many.
        """
        statement = (
            select(
                validations.c.example_id,
                validations.c.validator_id,
                validations.c.vote,
                validations.c.answer,
            )
            .where(
                validations.c.round_id == round_id,
                validations.c.is_expert.is_(False),
                validations.c.withdrawn_at.is_(None),
            )
            .order_by(validations.c.created_at, validations.c.id)
            .limit(limit)
        )
        if without is not None:
            is_theirs = exists().where(
                outcomes.c.example_id == validations.c.example_id,
                outcomes.c.annotator_id == without,
                outcomes.c.arm == Arm.NO_MODEL,
            )
            statement = statement.where(~is_theirs)
        found = []
        for row in await self._session.execute(statement):
            label: str = row.vote.value
            if field_name is not None and row.vote is not Vote.FLAGGED:
                if row.answer is None or field_name not in row.answer:
                    continue
                label = str(row.answer[field_name])
            found.append(VoteOf(row.example_id, row.validator_id, label))
        return found
