"""All SQL of deltas."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from uuid import UUID

from sqlalchemy import delete, func, insert, select

from dynabench.kit.db.database import Session
from dynabench.kit.wire import Values
from dynabench.loop.evaluations.tables import deltas, evaluations, predictions
from dynabench.loop.evaluations.values import Delta, EvaluationState


class DeltaRepository:
    """Reads answers to originals and variants, and writes what they say."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def done(self, model_id: UUID, version_ids: Sequence[UUID]) -> dict[UUID, UUID]:
        """Return a model's finished evaluations by their version."""
        query = select(evaluations.c.dataset_version_id, evaluations.c.id).where(
            evaluations.c.model_id == model_id,
            evaluations.c.dataset_version_id.in_(version_ids),
            evaluations.c.state == EvaluationState.DONE,
        )
        return {row.dataset_version_id: row.id for row in await self._session.execute(query)}

    async def answers(
        self, evaluation_id: UUID, uids: Sequence[str]
    ) -> Mapping[str, tuple[Values, float | None]]:
        """Return what was answered to items and what that scored, by uid."""
        query = select(predictions.c.uid, predictions.c.outputs, predictions.c.score).where(
            predictions.c.evaluation_id == evaluation_id, predictions.c.uid.in_(uids)
        )
        return {row.uid: (row.outputs, row.score) for row in await self._session.execute(query)}

    async def replace(
        self, evaluation_id: UUID, perturbed_version_id: UUID, found: Sequence[Delta]
    ) -> None:
        """Write what a perturbed set says of a model, in the place of what was there."""
        key = func.hashtextextended(f"deltas of {evaluation_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))
        await self._session.execute(
            delete(deltas).where(
                deltas.c.evaluation_id == evaluation_id,
                deltas.c.perturbed_version_id == perturbed_version_id,
            )
        )
        if found:
            rows = [asdict(one) | {"evaluation_id": evaluation_id} for one in found]
            await self._session.execute(insert(deltas), rows)
