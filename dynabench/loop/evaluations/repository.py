"""All SQL of evaluations."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.tables import (
    evaluations,
    prediction_files,
    predictions,
    scores,
)
from dynabench.loop.evaluations.values import (
    Evaluation,
    EvaluationState,
    ItemPrediction,
    MetricScore,
)


class EvaluationRepository:
    """Reads evaluations, predictions and scores, and moves evaluations along."""

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
                evaluations.c.state != EvaluationState.DONE,
            )
            .values(state=EvaluationState.PENDING, reason=None)
        )

    async def count_retry(self, evaluation_id: UUID) -> int:
        """Note that a submitter has an evaluation tried again; return how often by now."""
        statement = (
            update(evaluations)
            .where(evaluations.c.id == evaluation_id)
            .values(retries=evaluations.c.retries + 1)
            .returning(evaluations.c.retries)
        )
        return int((await self._session.execute(statement)).scalar_one())

    async def is_any_under_way(self, version_ids: Collection[UUID]) -> bool:
        """Tell whether a model is being scored, or waits for it, on one of these versions."""
        under_way = select(evaluations.c.id).where(
            evaluations.c.dataset_version_id.in_(version_ids),
            evaluations.c.state == EvaluationState.PENDING,
        )
        return bool(await self._session.scalar(select(under_way.exists())))

    async def cancel(self, evaluation_id: UUID) -> None:
        """Write that an evaluation was cancelled."""
        await self._close(evaluation_id, EvaluationState.CANCELLED, reason=None)

    async def fail(self, evaluation_id: UUID, *, reason: str) -> None:
        """Write why an evaluation could not be done, unless it is over in another way."""
        await self._close(evaluation_id, EvaluationState.FAILED, reason=reason)

    async def wait_for_file(self, evaluation_id: UUID, *, reason: str) -> None:
        """Write which file a model of predictions lacks."""
        await self._close(evaluation_id, EvaluationState.INCOMPLETE, reason=reason)

    async def _close(
        self, evaluation_id: UUID, state: EvaluationState, *, reason: str | None
    ) -> None:
        await self._session.execute(
            update(evaluations)
            .where(
                evaluations.c.id == evaluation_id,
                evaluations.c.state == EvaluationState.PENDING,
            )
            .values(state=state, reason=reason)
        )

    async def prediction_file(self, *, model_id: UUID, version_id: UUID) -> str | None:
        """Return the digest of a model's file of predictions for a version."""
        query = select(prediction_files.c.digest).where(
            prediction_files.c.model_id == model_id,
            prediction_files.c.dataset_version_id == version_id,
        )
        found: str | None = await self._session.scalar(query)
        return found

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
