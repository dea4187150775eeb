"""SQL of two models' answers to the same items."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import Column, Text, any_, func, literal, null, or_, select
from sqlalchemy.sql.elements import ColumnElement

from dynabench.kit.db.database import Session
from dynabench.loop.datasets.tables import dataset_items
from dynabench.loop.datasets.values import Split
from dynabench.loop.evaluations.comparisons.values import Advantage, PairedAnswer, PairedScores
from dynabench.loop.evaluations.tables import evaluations, predictions
from dynabench.loop.evaluations.values import EvaluationState

_LEFT, _RIGHT = predictions.alias("left_answers"), predictions.alias("right_answers")
_SCORES = ("context", "left", "right")
# More columns than SQLAlchemy's typed `select` knows.
_ITEM: tuple[Column[Any], ...] = (
    dataset_items.c.uid,
    dataset_items.c.position,
    dataset_items.c.context,
    dataset_items.c.inputs,
    dataset_items.c.gold,
    dataset_items.c.tags,
)


class ComparisonRepository:
    """Reads what two models answered to the same items."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def done_of(self, model_ids: Collection[UUID]) -> Mapping[tuple[UUID, UUID], UUID]:
        """Return the finished evaluations of models, by model and dataset version."""
        statement = select(
            evaluations.c.model_id, evaluations.c.dataset_version_id, evaluations.c.id
        ).where(evaluations.c.model_id.in_(model_ids), evaluations.c.state == EvaluationState.DONE)
        return {
            (row.model_id, row.dataset_version_id): row.id
            for row in await self._session.execute(statement)
        }

    async def scores(
        self, *, left_id: UUID, right_id: UUID, version_id: UUID, split: Split
    ) -> list[PairedScores]:
        """Return both scores of every item that both evaluations scored: of all, then by tag.

        They come as arrays: a row for each item of a large set would hold everyone up.
        """
        paired = (
            select(
                func.dense_rank().over(order_by=dataset_items.c.context_digest).label("context"),
                dataset_items.c.tags,
                _LEFT.c.score.label("left"),
                _RIGHT.c.score.label("right"),
            )
            .join(_LEFT, _LEFT.c.uid == dataset_items.c.uid)
            .join(_RIGHT, _RIGHT.c.uid == dataset_items.c.uid)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.split == split,
                _LEFT.c.evaluation_id == left_id,
                _RIGHT.c.evaluation_id == right_id,
                _LEFT.c.score.is_not(None),
                _RIGHT.c.score.is_not(None),
            )
            .cte("paired")
        )
        columns = [paired.c[name] for name in _SCORES]
        tagged = select(func.unnest(paired.c.tags).label("tag"), *columns).subquery()
        whole = select(null().cast(Text), *(func.array_agg(one) for one in columns))
        by_tag = select(
            tagged.c.tag, *(func.array_agg(tagged.c[name]) for name in _SCORES)
        ).group_by(tagged.c.tag)
        found = [
            PairedScores(tag=row[0], contexts=row[1], left=row[2], right=row[3])
            for row in await self._session.execute(whole.union_all(by_tag))
            # The array of no row is null.
            if row[1]
        ]
        return sorted(found, key=lambda one: (one.tag is not None, -len(one.left), one.tag))

    async def differing(
        self,
        *,
        left_id: UUID,
        right_id: UUID,
        version_id: UUID,
        split: Split,
        better: Advantage,
        tag: str | None,
        after: int,
        limit: int,
    ) -> list[PairedAnswer]:
        """Return the next items behind a position on which two models differ."""
        tagged = [] if tag is None else [literal(tag) == any_(dataset_items.c.tags)]
        statement = (
            select(*_ITEM, *_answer_columns())
            .join(_LEFT, _LEFT.c.uid == dataset_items.c.uid)
            .join(_RIGHT, _RIGHT.c.uid == dataset_items.c.uid)
            .where(
                dataset_items.c.version_id == version_id,
                dataset_items.c.split == split,
                dataset_items.c.position > after,
                _LEFT.c.evaluation_id == left_id,
                _RIGHT.c.evaluation_id == right_id,
                _differ(better),
                *tagged,
            )
            .order_by(dataset_items.c.position)
            .limit(limit)
        )
        return [
            PairedAnswer(**{**row._mapping, "tags": tuple(row.tags)})  # noqa: SLF001
            for row in await self._session.execute(statement)
        ]


# As above: the columns are of many types.
def _answer_columns() -> list[ColumnElement[Any]]:
    return [
        table.c[name].label(f"{side}_{name}")
        for side, table in (("left", _LEFT), ("right", _RIGHT))
        for name in ("outputs", "error", "score")
    ]


def _differ(better: Advantage) -> ColumnElement[bool]:
    if better is Advantage.LEFT:
        return _LEFT.c.score > _RIGHT.c.score
    if better is Advantage.RIGHT:
        return _RIGHT.c.score > _LEFT.c.score
    return or_(
        _LEFT.c.outputs != _RIGHT.c.outputs,
        func.coalesce(_LEFT.c.error, "") != func.coalesce(_RIGHT.c.error, ""),
    )
