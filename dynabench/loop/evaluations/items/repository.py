"""SQL of looking at items beside the answers of a model."""

from typing import Any
from uuid import UUID

from sqlalchemy import Column, Text, any_, cast, func, literal, select
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.evaluations.items.rules import FULL_MARKS
from dynabench.loop.evaluations.items.values import AnsweredItem, ItemChoice, Outcome
from dynabench.loop.evaluations.tables import evaluations, predictions

# More columns than SQLAlchemy's typed `select` knows.
_COLUMNS: tuple[Column[Any], ...] = (
    dataset_items.c.uid,
    dataset_items.c.position,
    dataset_items.c.context,
    dataset_items.c.inputs,
    dataset_items.c.gold,
    dataset_items.c.tags,
    dataset_items.c.original_uid,
    dataset_items.c.transform,
    predictions.c.outputs,
    predictions.c.probabilities,
    predictions.c.error,
    predictions.c.score,
)


class ItemRepository:
    """Reads an evaluation's items."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def evaluation(self, evaluation_id: UUID) -> tuple[UUID, UUID] | None:
        """Return the model and the dataset version of an evaluation."""
        statement = select(evaluations.c.model_id, evaluations.c.dataset_version_id).where(
            evaluations.c.id == evaluation_id
        )
        row = (await self._session.execute(statement)).one_or_none()
        return None if row is None else (row.model_id, row.dataset_version_id)

    async def browse(
        self,
        evaluation_id: UUID,
        *,
        version_id: UUID,
        choice: ItemChoice,
        after: int,
        limit: int,
    ) -> list[AnsweredItem]:
        """Return the next answered items that fit behind a position, in the split's order."""
        statement = (
            select(*_COLUMNS)
            .join(predictions, predictions.c.uid == dataset_items.c.uid)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.split == choice.split,
                dataset_items.c.position > after,
                predictions.c.evaluation_id == evaluation_id,
                *_conditions(choice),
            )
            .order_by(dataset_items.c.position)
            .limit(limit)
        )
        return [
            AnsweredItem(**{**row._mapping, "tags": tuple(row.tags)})  # noqa: SLF001
            for row in await self._session.execute(statement)
        ]


def _conditions(choice: ItemChoice) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if choice.outcome is Outcome.FAILED:
        conditions.append(predictions.c.error.is_not(None))
    elif choice.outcome is not None:
        score = predictions.c.score
        is_right = choice.outcome is Outcome.RIGHT
        conditions.append(predictions.c.error.is_(None))
        conditions.append(score >= FULL_MARKS if is_right else score < FULL_MARKS)
    if choice.tag is not None:
        conditions.append(literal(choice.tag) == any_(dataset_items.c.tags))
    if choice.search:
        written = func.concat(
            cast(dataset_items.c.context, Text), " ", cast(dataset_items.c.inputs, Text)
        )
        conditions.append(written.icontains(choice.search, autoescape=True))
    return conditions
