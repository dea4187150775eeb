"""Use cases of live boards."""

import hashlib
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import Split
from dynabench.loop.leaderboards.ranking.rules import columns_of, read_weights
from dynabench.loop.leaderboards.schemas import (
    BoardRead,
    DatasetColumnRead,
    DatasetMemberRead,
    MetricColumnRead,
    StandingRead,
)
from dynabench.loop.leaderboards.values import (
    DYNASCORE,
    BoardFile,
    BoardForm,
    BoardPage,
    BoardQuery,
)
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.service import TaskService


class BoardService:
    """The boards of all tasks."""

    def __init__(
        self, *, db: Database, tasks: TaskService, models: ModelService, datasets: DatasetService
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._models = models
        self._datasets = datasets

    async def page(
        self, slug: str, query: BoardQuery, *, actor: Actor, cursor: str | None, limit: int
    ) -> BoardPage:
        """Return a page of a board."""
        body = (await self.board(slug, query, actor=actor)).model_dump_json().encode()
        return BoardPage(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')

    async def board(self, slug: str, query: BoardQuery, *, actor: Actor) -> BoardRead:
        task = await self._tasks.get_for(slug, actor)
        columns = columns_of(task.config, await self._datasets.of_task(task.id))
        metrics, datasets = [], []
        if columns is not None:
            weights = read_weights(query, columns, with_data=[one.name for one in columns.metrics])
            total = sum(weights.metrics.values()) or 1
            metrics = [
                MetricColumnRead(
                    name=one.name,
                    title=one.title,
                    unit=one.unit,
                    is_lower_better=one.is_lower_better,
                    is_principal=one.is_principal,
                    weight=weights.metrics[one.name],
                    default_weight=one.default_weight,
                    share=weights.metrics[one.name] / total,
                    amrs=None,
                    has_data=False,
                    reason=None,
                )
                for one in columns.metrics
            ]
            datasets = [
                DatasetColumnRead(
                    key=one.key,
                    title=one.title,
                    weight=weights.datasets[one.key],
                    default_weight=1,
                    share=weights.datasets[one.key] / sum(weights.datasets.values()),
                    members=[
                        DatasetMemberRead(
                            version_id=version.id,
                            name=version.name,
                            version=version.version,
                            round_number=None,
                            items=version.sizes[Split.TEST],
                        )
                        for version in one.versions
                    ],
                )
                for one in columns.datasets
            ]
        return BoardRead(
            task_slug=slug,
            metrics=metrics,
            datasets=datasets,
            budget_gib=query.budget_gib,
            pairs=0,
            pairs_skipped=0,
            rates=None,
            dynascore_reason="Nobody has been scored on every dataset of this board yet.",
            notes=[],
            sort=query.sort or DYNASCORE,
            rows=[],
            ranked=0,
            incomplete=[],
            incomplete_total=0,
            humans=None,
            is_preference=columns is None,
            as_of=None,
            is_current=True,
            next_cursor=None,
        )

    async def export(
        self, slug: str, query: BoardQuery, *, form: BoardForm, actor: Actor
    ) -> BoardFile:
        """Return a board as a file."""
        body = (await self.board(slug, query, actor=actor)).model_dump_json().encode()
        return BoardFile(f"{slug}-board.{form.value}", "application/json", body)

    async def standing(self, model_id: UUID, *, actor: Actor) -> StandingRead:
        """Return where a model stands."""
        model = await self._models.read(model_id, actor=actor)
        return StandingRead(
            task_slug=model.task_slug,
            model_id=model.id,
            row=None,
            lacks=[],
            dynascore=None,
            reason="Nobody has been scored on every dataset of this board yet.",
            ranked=0,
            as_of=None,
        )
