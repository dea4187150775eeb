"""SQL of the per-tag view."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import func, select

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import evaluations, tag_scores
from dynabench.loop.evaluations.values import EvaluationState


@dataclass(frozen=True, slots=True)
class TagFigure:
    """A model's principal metric on the items of one tag, 0 to 1."""

    model_id: UUID
    tag: str
    value: float | None
    low: float | None
    high: float | None
    items: int


class TagRepository:
    """Reads scores per tag."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def tags(self, version_id: UUID, *, metric: str) -> list[tuple[str, int]]:
        """Return the tags of a version's test split with their items, most items first."""
        most = func.max(tag_scores.c["items"])
        statement = (
            select(tag_scores.c.tag, most)
            .join(evaluations, evaluations.c.id == tag_scores.c.evaluation_id)
            .where(
                evaluations.c.dataset_version_id == version_id,
                tag_scores.c.split == Split.TEST.value,
                tag_scores.c.metric == metric,
            )
            .group_by(tag_scores.c.tag)
            .order_by(most.desc(), tag_scores.c.tag)
        )
        return [(tag, items) for tag, items in await self._session.execute(statement)]

    async def figures(
        self, version_id: UUID, *, metric: str, tags: Collection[str], model_ids: Collection[UUID]
    ) -> list[TagFigure]:
        """Return models' figures per tag."""
        statement = (
            select(
                evaluations.c.model_id,
                tag_scores.c.tag,
                tag_scores.c.value,
                tag_scores.c.low,
                tag_scores.c.high,
                tag_scores.c["items"],
            )
            .join(evaluations, evaluations.c.id == tag_scores.c.evaluation_id)
            .where(
                evaluations.c.dataset_version_id == version_id,
                evaluations.c.state == EvaluationState.DONE,
                evaluations.c.model_id.in_(model_ids),
                tag_scores.c.split == Split.TEST.value,
                tag_scores.c.metric == metric,
                tag_scores.c.tag.in_(tags),
            )
        )
        return [TagFigure(*row) for row in await self._session.execute(statement)]
