"""All SQL of what is shown of evaluations beside their scores."""

from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar
from uuid import UUID

from sqlalchemy import Table, select

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.tables import deltas, evaluations, measurements, tag_scores
from dynabench.loop.evaluations.values import Delta, Evaluation, Measurement, TagScore

FoundT = TypeVar("FoundT")


class ViewRepository:
    """Reads what a page shows of evaluations."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, evaluation_id: UUID) -> Evaluation | None:
        """Return an evaluation."""
        query = select(evaluations).where(evaluations.c.id == evaluation_id)
        row = (await self._session.execute(query)).mappings().one_or_none()
        return None if row is None else Evaluation(**row)

    async def of_model(self, model_id: UUID) -> list[Evaluation]:
        """Return every evaluation of a model."""
        query = select(evaluations).where(evaluations.c.model_id == model_id)
        return [Evaluation(**row) for row in (await self._session.execute(query)).mappings()]

    async def measurements(self, ids: Collection[UUID]) -> Mapping[UUID, Measurement]:
        """Return what was measured, by evaluation."""
        found = await self._by_evaluation(measurements, Measurement, ids)
        return {evaluation_id: one for evaluation_id, (one,) in found.items()}

    async def tag_scores(self, ids: Collection[UUID]) -> Mapping[UUID, Sequence[TagScore]]:
        """Return the scores per tag, by evaluation: test before dev, then by tag and metric."""
        found = await self._by_evaluation(tag_scores, TagScore, ids)
        for kept in found.values():
            kept.sort(key=lambda one: (one.split == "dev", one.tag, one.metric))
        return found

    async def deltas(self, ids: Collection[UUID]) -> Mapping[UUID, Sequence[Delta]]:
        """Return the deltas by the original's evaluation: all transforms together first."""
        found = await self._by_evaluation(deltas, Delta, ids)
        for kept in found.values():
            kept.sort(key=lambda one: (one.kind, one.split == "dev", one.transform))
        return found

    async def _by_evaluation(
        self, table: Table, kind: type[FoundT], ids: Collection[UUID]
    ) -> dict[UUID, list[FoundT]]:
        query = select(table).where(table.c.evaluation_id.in_(ids))
        found: dict[UUID, list[FoundT]] = {}
        for row in (await self._session.execute(query)).mappings():
            values = dict(row)
            found.setdefault(values.pop("evaluation_id"), []).append(kind(**values))
        return found
