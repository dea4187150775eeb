"""Use cases of other views of a board."""

from collections.abc import Sequence
from uuid import UUID

import numpy as np

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.rules import is_part_told
from dynabench.loop.leaderboards.errors import BoardWeightsError
from dynabench.loop.leaderboards.humans.schemas import HumanGapRead
from dynabench.loop.leaderboards.pages.rules import model_read
from dynabench.loop.leaderboards.schemas import FigureRead
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.leaderboards.views.repository import TagFigure, TagRepository
from dynabench.loop.leaderboards.views.rules import gaps_of, pareto_of
from dynabench.loop.leaderboards.views.schemas import ParetoRead, TagBoardRead, TagRow
from dynabench.loop.tasks.permissions import may_own

_MOST_TAGS = 100
_MOST_MODELS = 200
_POINTS = 100.0


class ViewService:
    """Per tag, one metric against another, people beside models."""

    def __init__(self, *, db: Database, standings: Standings) -> None:
        self._db = db
        self._standings = standings

    async def tags(self, slug: str, *, actor: Actor, version_id: UUID | None) -> TagBoardRead:
        """Return the principal metric per tag of one dataset of the board.

        Unless one is asked for it is the newest that has tags.

        Raises:
            DatasetNotFoundError: If the version is not on the board.
        """
        board = await self._standings.board(slug, BoardQuery(), actor=actor)
        columns = board.columns
        versions = (
            {} if columns is None else {v.id: v for one in columns.datasets for v in one.versions}
        )
        if version_id is not None and version_id not in versions:
            raise DatasetNotFoundError
        if columns is None or not versions:
            metric = "" if columns is None else columns.principal.name
            return TagBoardRead(
                metric=metric, dataset_version_id=None, dataset_name=None, tags=[], rows=[]
            )
        metric, is_owner = columns.principal.name, may_own(board.role)
        newest_first = list(reversed(versions.values()))
        async with self._db.read() as session:
            repository = TagRepository(session)
            chosen, tags = newest_first[0], list[str]()
            for chosen in [versions[version_id]] if version_id else newest_first:
                tags = await _told_tags(repository, chosen, metric=metric, is_owner=is_owner)
                if tags:
                    break
            else:
                # Nothing has tags: of all of them the newest says so.
                chosen = versions[version_id] if version_id else newest_first[0]
            models = _best_first(board, chosen.id)[:_MOST_MODELS]
            found = await repository.figures(chosen.id, metric=metric, tags=tags, model_ids=models)
        return TagBoardRead(
            metric=metric,
            dataset_version_id=chosen.id,
            dataset_name=chosen.name,
            tags=tags,
            rows=_tag_rows(board, models, tags, found),
        )

    async def pareto(
        self, slug: str, query: BoardQuery, *, metric: str, actor: Actor
    ) -> ParetoRead:
        """Return performance against a metric of every model that has both.

        Raises:
            BoardWeightsError: If the weights cannot be used, or there is no such metric.
        """
        plain = await self._standings.board(slug, BoardQuery(), actor=actor)
        names = [] if plain.columns is None else [one.name for one in plain.columns.metrics]
        if metric not in names:
            raise BoardWeightsError(
                field="metric", problem=f"“{metric[:80]}” is not on this board.", known=names
            )
        # What else the reader weighs must not keep a model from this plot.
        asked = BoardQuery(
            metrics=f"{metric}:1", datasets=query.datasets, budget_gib=query.budget_gib
        )
        return pareto_of(await self._standings.board(slug, asked, actor=actor), metric)

    async def humans(self, slug: str, *, actor: Actor) -> list[HumanGapRead]:
        """Return how people and the best model do on each released round."""
        return gaps_of(await self._standings.board(slug, BoardQuery(), actor=actor))


async def _told_tags(
    repository: TagRepository, version: DatasetVersion, *, metric: str, is_owner: bool
) -> list[str]:
    """Return the tags of a dataset of which a reader may know the scores."""
    return [
        tag
        for tag, items in await repository.tags(version.id, metric=metric)
        if is_owner or is_part_told(version, Split.TEST, items=items)
    ][:_MOST_TAGS]


def _best_first(board: Board, version_id: UUID) -> list[UUID]:
    """Return the published models that were scored on a version, the best first."""
    if board.figures is None or board.columns is None:
        return []
    figures, place = board.figures, list(board.figures.versions).index(version_id)
    values = figures.values[0, :, place]
    sign = 1 if board.columns.principal.is_lower_better else -1
    published = {one.id for one in board.contenders if one.is_published}
    order = np.argsort(sign * values, kind="stable")
    return [
        figures.models[row]
        for row in order
        if np.isfinite(values[row]) and figures.models[row] in published
    ]


def _tag_rows(
    board: Board, models: Sequence[UUID], tags: Sequence[str], found: Sequence[TagFigure]
) -> list[TagRow]:
    contenders = {one.id: one for one in board.contenders}
    figures = {
        (one.model_id, one.tag): FigureRead(
            value=_points(one.value),
            low=_points(one.low),
            high=_points(one.high),
            items=one.items,
        )
        for one in found
    }
    return [
        TagRow(
            model=model_read(board, contenders[model]),
            figures=[figures.get((model, tag)) for tag in tags],
        )
        for model in models
    ]


def _points(value: float | None) -> float | None:
    return None if value is None else value * _POINTS
