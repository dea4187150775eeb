"""SQL of the preference board: the choices in conversations that were handed in."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import String, case, column, func, literal, select
from sqlalchemy.dialects.postgresql import JSONB

from dynabench.kit.db.database import Session
from dynabench.loop.examples.tables import examples
from dynabench.loop.leaderboards.preferences.values import JudgedMessage
from dynabench.loop.rounds.tables import rounds
from dynabench.loop.validations.outcomes.tables import outcomes
from dynabench.loop.validations.values import Verdict


class PreferenceRepository:
    """Reads the turns that examples hold."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def judged_messages(
        self, round_ids: Collection[UUID], *, field_name: str
    ) -> list[JudgedMessage]:
        """Return the messages of a chat field for which people chose among replies.

        Examples that were retracted, flagged by author or validators, or taken out of every
        count do not count, and neither do turns that do not say which of our models replied.
        """
        value = examples.c.inputs[field_name]
        # PostgreSQL may look into a value before it has looked at its type.
        turns = case((func.jsonb_typeof(value) == "array", value), else_=literal([], JSONB))
        turn = func.jsonb_array_elements(turns).table_valued(column("value", JSONB)).alias("turn")
        choice = turn.c.value["choice"].astext
        model_ids = turn.c.value["model_ids"]
        statement = (
            select(
                examples.c.id,
                examples.c.annotator_id,
                rounds.c.people_are_known,
                choice.cast(String).label("choice"),
                model_ids.label("model_ids"),
            )
            .select_from(
                examples.join(rounds, rounds.c.id == examples.c.round_id)
                .outerjoin(outcomes, outcomes.c.example_id == examples.c.id)
                .join(turn, literal(value=True))
            )
            .where(
                examples.c.round_id.in_(round_ids),
                examples.c.retracted_at.is_(None),
                examples.c.flagged_at.is_(None),
                outcomes.c.voided_at.is_(None),
                # Of an example that was just handed in there is no outcome yet.
                outcomes.c.verdict.is_distinct_from(Verdict.FLAGGED),
                choice.is_not(None),
                func.jsonb_typeof(model_ids) == "array",
            )
            .order_by(examples.c.created_at, examples.c.id)
        )
        return [
            JudgedMessage(
                row.id,
                tuple(row.model_ids),
                row.choice,
                row.annotator_id if row.people_are_known else None,
            )
            for row in await self._session.execute(statement)
            if all(map(_is_id, row.model_ids))
        ]


def _is_id(written: object) -> bool:
    """Tell an id from what a conversation held elsewhere may say in its place."""
    try:
        return str(UUID(str(written))) == written
    except ValueError:
        return False
