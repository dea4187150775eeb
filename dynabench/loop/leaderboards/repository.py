"""SQL of boards: who stands on one and why somebody does not, and those that are saved."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, insert, literal, select, update
from sqlalchemy.dialects.postgresql import aggregate_order_by

from dynabench.kit.db.database import Session
from dynabench.loop.evaluations.tables import evaluations, human_scores
from dynabench.loop.evaluations.values import EvaluationState
from dynabench.loop.leaderboards.standings.values import HumanScore
from dynabench.loop.leaderboards.tables import boards
from dynabench.loop.leaderboards.values import BoardKind, Contender
from dynabench.loop.models.tables import models
from dynabench.loop.models.values import ModelKind, ModelPurpose, ModelStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedBoard:
    """A saved board's row; `content` and `digest` are a snapshot's alone."""

    id: UUID
    task_id: UUID
    kind: BoardKind
    name: str
    description: str
    weights: dict[str, object]
    content: dict[str, object] | None
    digest: str | None
    created_by: UUID | None
    created_at: datetime


_SUMMARY = tuple(column for column in boards.c if column.name not in {"content", "deleted_at"})


class BoardRepository:
    """Reads what a board must know at the moment that it is asked for."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def contenders_stamp(self, task_id: UUID) -> str:
        """Return what changes whenever a task's models, their names or their owners do."""
        about = func.concat_ws(
            " ",
            models.c.id,
            models.c.status,
            models.c.purpose,
            models.c.isolation,
            models.c.is_anonymous,
            models.c.is_published,
            models.c.submitted_by,
            models.c.deleted_at,
        )
        joined = func.string_agg(about, aggregate_order_by(literal(","), models.c.id))
        found: str | None = await self._session.scalar(
            select(func.md5(joined)).where(models.c.task_id == task_id)
        )
        return found or ""

    async def contenders(self, task_id: UUID) -> list[Contender]:
        """Return a task's ready models, oldest first; records and judges are none."""
        statement = (
            select(
                models.c.id,
                models.c.name,
                models.c.version,
                models.c.kind,
                models.c.isolation,
                models.c.submitted_by,
                models.c.is_anonymous,
                models.c.is_published,
            )
            .where(
                models.c.task_id == task_id,
                models.c.status == ModelStatus.READY,
                models.c.purpose == ModelPurpose.TARGET,
                models.c.kind != ModelKind.RECORDED,
                models.c.deleted_at.is_(None),
            )
            .order_by(models.c.created_at, models.c.id)
        )
        return [
            Contender(
                id=row.id,
                name=row.name,
                version=row.version,
                kind=row.kind,
                isolation=row.isolation,
                submitted_by=row.submitted_by,
                is_anonymous=row.is_anonymous,
                is_published=row.is_published,
            )
            for row in await self._session.execute(statement)
        ]

    async def states(
        self, model_ids: Collection[UUID], version_ids: Collection[UUID]
    ) -> Mapping[tuple[UUID, UUID], EvaluationState]:
        """Return how far models' evaluations are, by model and version."""
        statement = select(
            evaluations.c.model_id, evaluations.c.dataset_version_id, evaluations.c.state
        ).where(
            evaluations.c.model_id.in_(model_ids),
            evaluations.c.dataset_version_id.in_(version_ids),
        )
        return {
            (row.model_id, row.dataset_version_id): row.state
            for row in await self._session.execute(statement)
        }

    async def humans(self, version_ids: Collection[UUID], *, metric: str) -> list[HumanScore]:
        """Return how people do on versions."""
        statement = select(human_scores).where(
            human_scores.c.dataset_version_id.in_(version_ids),
            human_scores.c.metric == metric,
            human_scores.c.split == "test",
        )
        return [
            HumanScore(
                version_id=row.dataset_version_id,
                metric=row.metric,
                value=row.value,
                low=row.low,
                high=row.high,
                items=row.items,
                votes=row.votes,
                method=row.method,
                reason=row.reason,
            )
            for row in await self._session.execute(statement)
        ]

    async def add(self, board: SavedBoard) -> None:
        """Save a board."""
        await self._session.execute(insert(boards).values(**asdict(board)))

    async def lock_names(self, task_id: UUID) -> None:
        """Let one transaction at a time save boards of a task."""
        key = func.hashtextextended(f"boards of {task_id}", 0)
        await self._session.execute(select(func.pg_advisory_xact_lock(key)))

    async def is_name_taken(self, task_id: UUID, name: str) -> bool:
        """Tell whether a board of the task has or had a name; names are not given twice."""
        statement = select(boards.c.id).where(boards.c.task_id == task_id, boards.c.name == name)
        return (await self._session.execute(statement)).first() is not None

    async def count_of(self, task_id: UUID, user_id: UUID) -> int:
        """Return how many boards of a task somebody keeps."""
        found: int | None = await self._session.scalar(
            select(func.count()).where(
                boards.c.task_id == task_id,
                boards.c.created_by == user_id,
                boards.c.deleted_at.is_(None),
            )
        )
        return found or 0

    async def get(self, board_id: UUID) -> SavedBoard | None:
        """Return a saved board with its content."""
        statement = select(*_SUMMARY, boards.c.content).where(
            boards.c.id == board_id, boards.c.deleted_at.is_(None)
        )
        row = (await self._session.execute(statement)).mappings().one_or_none()
        return None if row is None else SavedBoard(**row)

    async def of_task(self, task_id: UUID) -> list[SavedBoard]:
        """Return a task's saved boards without their content, newest first."""
        statement = (
            select(*_SUMMARY)
            .where(boards.c.task_id == task_id, boards.c.deleted_at.is_(None))
            .order_by(boards.c.created_at.desc(), boards.c.id.desc())
        )
        found = (await self._session.execute(statement)).mappings()
        return [SavedBoard(**row, content=None) for row in found]

    async def delete(self, board_id: UUID, *, now: datetime) -> None:
        """Take a saved board away."""
        await self._session.execute(
            update(boards).where(boards.c.id == board_id).values(deleted_at=now)
        )
