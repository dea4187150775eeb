"""SQL of agreement, own progress and credit: reads over votes and outcomes."""

from uuid import UUID

import orjson
from sqlalchemy import ColumnElement, exists, func, select

from dynabench.kit.db.database import Session
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.rounds.values import Arm, RoundStatus
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.tables import validations
from dynabench.science.statistics.agreement import Judged


def _answer_text(answer: dict[str, object]) -> str:
    """Return an answer as one text, equal for equal answers."""
    return orjson.dumps(answer, option=orjson.OPT_SORT_KEYS).decode()


def _is_hidden() -> ColumnElement[bool]:
    """Say which votes are on attempts of which their author may not know that there are votes."""
    return exists().where(
        outcomes.c.example_id == validations.c.example_id,
        outcomes.c.arm == Arm.NO_MODEL,
        rounds.c.id == outcomes.c.round_id,
        rounds.c.status == RoundStatus.OPEN,
    )


def _standing(round_id: UUID) -> list[ColumnElement[bool]]:
    """Say which votes of a round count as judgements that anybody may know of."""
    return [
        validations.c.round_id == round_id,
        validations.c.is_expert.is_(False),
        validations.c.withdrawn_at.is_(None),
        ~_is_hidden(),
    ]


class RateRepository:
    """Reads votes for statistics."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def votes_per_example(self, round_id: UUID) -> list[dict[str, int]]:
        """Return, for each example with a vote, how often each judgement was given.

        Judgements are votes in review mode and answers in blind mode, as text; flags are
        judgements too. Withdrawn and expert votes are left out, and votes on attempts without a
        model until their authors may know what the models answered: that there are any tells.
        """
        statement = (
            select(
                validations.c.example_id,
                validations.c.vote,
                validations.c.answer,
                func.count().label("times"),
            )
            .where(*_standing(round_id))
            .group_by(validations.c.example_id, validations.c.vote, validations.c.answer)
        )
        found: dict[UUID, dict[str, int]] = {}
        for row in await self._session.execute(statement):
            label = row.vote.value if row.answer is None else _answer_text(row.answer)
            counts = found.setdefault(row.example_id, {})
            counts[label] = counts.get(label, 0) + row.times
        return list(found.values())

    async def votes_by_person(self, round_id: UUID) -> list[Judged]:
        """Return the same votes of each example with who wrote it and who cast them."""
        statement = (
            select(
                validations.c.example_id,
                outcomes.c.annotator_id,
                validations.c.validator_id,
                validations.c.vote,
                validations.c.answer,
            )
            .join(outcomes, outcomes.c.example_id == validations.c.example_id)
            .where(*_standing(round_id))
        )
        found: dict[UUID, Judged] = {}
        votes: dict[UUID, list[tuple[UUID, str]]] = {}
        for row in await self._session.execute(statement):
            theirs = votes.setdefault(row.example_id, [])
            found.setdefault(row.example_id, Judged(row.annotator_id, theirs))
            label = row.vote.value if row.answer is None else _answer_text(row.answer)
            theirs.append((row.validator_id, label))
        return list(found.values())

    async def votes_by_round(self, validator_id: UUID, *, is_public: bool) -> dict[UUID, int]:
        """Return how many votes of a person stand, by round.

        Args:
            validator_id: The person.
            is_public: Whether others see it. Votes on attempts without a model are left out
                then until their authors may know what the models answered.
        """
        statement = (
            select(validations.c.round_id, func.count().label("votes"))
            .where(validations.c.validator_id == validator_id, validations.c.withdrawn_at.is_(None))
            .group_by(validations.c.round_id)
        )
        if is_public:
            statement = statement.where(~_is_hidden())
        return {row.round_id: row.votes for row in await self._session.execute(statement)}
