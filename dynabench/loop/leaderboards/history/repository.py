"""SQL of a task's history."""

from collections.abc import Collection
from uuid import UUID

from sqlalchemy import and_, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import evaluations, scores
from dynabench.loop.leaderboards.history.values import Past, Standing
from dynabench.loop.models.tables import models


class HistoryRepository:
    """Reads how models did on dataset versions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def past(
        self, model_ids: Collection[UUID], version_ids: Collection[UUID], *, metric: str
    ) -> Past:
        """Return one metric of every model on every version's test split."""
        statement = (
            select(
                evaluations.c.model_id,
                evaluations.c.dataset_version_id,
                evaluations.c.state,
                evaluations.c.evaluated_at,
                scores.c.value,
                scores.c.low,
                scores.c.high,
                scores.c["items"].label("scored"),
            )
            .outerjoin(
                scores,
                and_(
                    scores.c.evaluation_id == evaluations.c.id,
                    scores.c.split == Split.TEST,
                    scores.c.metric == metric,
                ),
            )
            .where(
                evaluations.c.model_id.in_(model_ids),
                evaluations.c.dataset_version_id.in_(version_ids),
            )
        )
        standings = {
            (row.model_id, row.dataset_version_id): Standing(
                state=row.state,
                evaluated_at=row.evaluated_at,
                value=row.value,
                low=row.low,
                high=row.high,
                items=row.scored,
            )
            for row in await self._session.execute(statement)
        }
        dates = await self._session.execute(
            select(models.c.id, models.c.created_at).where(models.c.id.in_(model_ids))
        )
        return Past(standings, {row.id: row.created_at for row in dates})
