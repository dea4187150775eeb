"""All SQL of evaluations."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import evaluations, predictions, scores
from dynabench.loop.evaluations.values import (
    Evaluation,
    EvaluationState,
    ItemPrediction,
    MetricScore,
)


class EvaluationRepository:
    """Reads and writes evaluations, predictions and scores."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def lock_task(self, task_id: UUID) -> None:
        """Let one transaction at a time match a task's models with its datasets."""
        key = func.hashtextextended(f"evaluations of {task_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def hold(self, evaluation_id: UUID, *, model_id: UUID, version_id: UUID) -> Evaluation:
        """Return a model's evaluation on a version, made if needed, and hold its row."""
        await self._session.execute(
            upsert(evaluations)
            .values(id=evaluation_id, model_id=model_id, dataset_version_id=version_id)
            .on_conflict_do_nothing()
        )
        found = await self._find(model_id=model_id, version_id=version_id, is_held=True)
        assert found is not None, "it was just made"
        return found

    async def find(self, *, model_id: UUID, version_id: UUID) -> Evaluation | None:
        """Return a model's evaluation on a version."""
        return await self._find(model_id=model_id, version_id=version_id, is_held=False)

    async def start(self, evaluation_id: UUID, *, job_id: UUID) -> None:
        """Give an evaluation to a job; one that is done stays done."""
        await self._session.execute(
            update(evaluations).where(evaluations.c.id == evaluation_id).values(job_id=job_id)
        )
        await self._session.execute(
            update(evaluations)
            .where(
                evaluations.c.id == evaluation_id,
                evaluations.c.state == EvaluationState.FAILED,
            )
            .values(state=EvaluationState.PENDING, reason=None)
        )

    async def fail(self, evaluation_id: UUID, *, reason: str) -> None:
        """Write why an evaluation could not be done."""
        await self._session.execute(
            update(evaluations)
            .where(evaluations.c.id == evaluation_id)
            .values(state=EvaluationState.FAILED, reason=reason)
        )

    async def finish(
        self,
        evaluation_id: UUID,
        found: Sequence[MetricScore],
        *,
        failed_items: int,
        seconds: float,
        now: datetime,
    ) -> None:
        """Write the scores of an evaluation; doing it again writes the same."""
        await self._session.execute(delete(scores).where(scores.c.evaluation_id == evaluation_id))
        if found:
            rows = [asdict(score) | {"evaluation_id": evaluation_id} for score in found]
            await self._session.execute(insert(scores), rows)
        await self._session.execute(
            update(evaluations)
            .where(evaluations.c.id == evaluation_id)
            .values(
                state=EvaluationState.DONE,
                reason=None,
                failed_items=failed_items,
                seconds=seconds,
                evaluated_at=now,
            )
        )

    async def add_predictions(self, evaluation_id: UUID, found: Sequence[ItemPrediction]) -> None:
        """Write what a model answered; what is there of these items is replaced."""
        if not found:
            return
        statement = upsert(predictions)
        columns = ("outputs", "probabilities", "error", "score")
        await self._session.execute(
            statement.on_conflict_do_update(
                index_elements=["evaluation_id", "uid"],
                set_={name: statement.excluded[name] for name in columns},
            ),
            [asdict(one) | {"evaluation_id": evaluation_id} for one in found],
        )

    async def predictions(
        self, evaluation_id: UUID, uids: Collection[str]
    ) -> Mapping[str, ItemPrediction]:
        """Return the predictions of items, by uid."""
        statement = select(
            predictions.c.uid,
            predictions.c.outputs,
            predictions.c.probabilities,
            predictions.c.error,
            predictions.c.score,
        ).where(predictions.c.evaluation_id == evaluation_id, predictions.c.uid.in_(uids))
        return {
            row.uid: ItemPrediction(**row._mapping)  # noqa: SLF001
            for row in await self._session.execute(statement)
        }

    async def done_of(
        self, *, model_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> list[Evaluation]:
        """Return the finished evaluations of models on versions."""
        statement = select(evaluations).where(
            evaluations.c.state == EvaluationState.DONE,
            evaluations.c.model_id.in_(model_ids),
            evaluations.c.dataset_version_id.in_(version_ids),
        )
        return [_evaluation_of(row) for row in await self._session.execute(statement)]

    async def scores(
        self, evaluation_ids: Collection[UUID]
    ) -> Mapping[UUID, Sequence[MetricScore]]:
        """Return the scores of evaluations: test before dev, the principal metric first."""
        statement = select(scores).where(scores.c.evaluation_id.in_(evaluation_ids))
        found: dict[UUID, list[MetricScore]] = {}
        for row in await self._session.execute(statement):
            values = dict(row._mapping)  # noqa: SLF001
            found.setdefault(values.pop("evaluation_id"), []).append(MetricScore(**values))
        for one in found.values():
            one.sort(
                key=lambda score: (
                    score.split is not Split.TEST,
                    not score.is_principal,
                    score.metric,
                )
            )
        return found

    async def _find(self, *, model_id: UUID, version_id: UUID, is_held: bool) -> Evaluation | None:
        statement = select(evaluations).where(
            evaluations.c.model_id == model_id, evaluations.c.dataset_version_id == version_id
        )
        if is_held:
            statement = statement.with_for_update()
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else _evaluation_of(row)


# SQLAlchemy types a row of chosen columns as Row[Any].
def _evaluation_of(row: Row[Any]) -> Evaluation:
    return Evaluation(**row._mapping)  # noqa: SLF001
