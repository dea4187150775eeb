"""Routes of live boards: the board itself, its other views and its files."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Query, Response

from dynabench.kit.paging import BadCursorError, Cursor, PageSize
from dynabench.kit.web import ActorDep, provide, raises
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.leaderboards.errors import BoardNotFoundError, BoardWeightsError
from dynabench.loop.leaderboards.history.schemas import HistoryRead
from dynabench.loop.leaderboards.history.service import HistoryService
from dynabench.loop.leaderboards.humans.schemas import HumanGapRead
from dynabench.loop.leaderboards.schemas import BoardRead, StandingRead
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.values import BoardForm, BoardQuery
from dynabench.loop.leaderboards.views.schemas import ParetoRead, TagBoardRead
from dynabench.loop.leaderboards.views.service import ViewService
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

Boards = Annotated[BoardService, Depends(provide(BoardService))]
Views = Annotated[ViewService, Depends(provide(ViewService))]
History = Annotated[HistoryService, Depends(provide(HistoryService))]
IfNoneMatch = Annotated[str | None, Header(max_length=200)]
_FAILURES = raises(TaskNotFoundError, BoardWeightsError, BoardNotFoundError, BadCursorError)


def board_query(
    metrics: Annotated[
        str | None,
        Query(
            max_length=4000,
            description="Weights from 0 to 5, as in `accuracy:4,throughput:1`. A metric that is "
            "not named weighs nothing; without this the task's default weights hold.",
        ),
    ] = None,
    datasets: Annotated[
        str | None,
        Query(
            max_length=20_000,
            description="Weights of columns by key, as in `<version id>:2,group:names:1`. A column "
            "that is not named weighs nothing; without this all weigh the same.",
        ),
    ] = None,
    budget: Annotated[
        float, Query(gt=0, le=100_000, allow_inf_nan=False, description="Memory in GiB.")
    ] = 32,
    rates: Annotated[
        UUID | None, Query(description="A snapshot whose exchange rates are used.")
    ] = None,
    sort: Annotated[
        str | None, Query(max_length=120, description="`dynascore` or a metric's name.")
    ] = None,
) -> BoardQuery:
    """Return what a reader asks of a board."""
    return BoardQuery(metrics=metrics, datasets=datasets, budget_gib=budget, rates=rates, sort=sort)


BoardQueryDep = Annotated[BoardQuery, Depends(board_query)]


@router.get("/tasks/{slug}/board", openapi_extra=_FAILURES, response_model=BoardRead)
async def read_board(
    slug: str,
    actor: ActorDep,
    boards: Boards,
    query: BoardQueryDep,
    cursor: Cursor = None,
    limit: PageSize = 50,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Rank a task's models by the reader's weights; `ETag` tells whether anything changed."""
    found = await boards.page(slug, query, actor=actor, cursor=cursor, limit=limit)
    headers = {"ETag": found.etag, "Cache-Control": "no-cache"}
    if if_none_match == found.etag:
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type="application/json", headers=headers)


@router.get(
    "/tasks/{slug}/board.{form}",
    openapi_extra=_FAILURES,
    response_class=Response,
    responses={
        200: {
            "description": "Every ranked model: a table with intervals.",
            "content": {
                "text/csv": {},
                "text/html": {},
                "text/markdown": {},
                "application/x-tex": {},
                "application/json": {"schema": {"type": "object"}},
            },
        }
    },
)
async def export_board(
    slug: str, form: BoardForm, actor: ActorDep, boards: Boards, query: BoardQueryDep
) -> Response:
    """Download a whole board as CSV, LaTeX (booktabs) or JSON."""
    file = await boards.export(slug, query, form=form, actor=actor)
    return Response(
        file.body,
        media_type=file.media_type,
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
    )


@router.get(
    "/tasks/{slug}/board-tags", openapi_extra=raises(TaskNotFoundError, DatasetNotFoundError)
)
async def read_board_tags(
    slug: str, actor: ActorDep, views: Views, dataset: UUID | None = None
) -> TagBoardRead:
    """Show the principal metric per tag of one dataset; by default the newest."""
    return await views.tags(slug, actor=actor, version_id=dataset)


@router.get("/tasks/{slug}/board-pareto", openapi_extra=_FAILURES)
async def read_board_pareto(
    slug: str,
    actor: ActorDep,
    views: Views,
    query: BoardQueryDep,
    metric: Annotated[str, Query(max_length=120, description="What stands against performance.")],
) -> ParetoRead:
    """Show every model's performance against another metric, both with intervals."""
    return await views.pareto(slug, query, metric=metric, actor=actor)


@router.get("/tasks/{slug}/history", openapi_extra=raises(TaskNotFoundError))
async def read_history(slug: str, actor: ActorDep, history: History) -> HistoryRead:
    """Show every model on every released round and static set, and the best score over time."""
    return await history.read(slug, actor=actor)


@router.get("/tasks/{slug}/humans", openapi_extra=raises(TaskNotFoundError))
async def list_humans(slug: str, actor: ActorDep, views: Views) -> list[HumanGapRead]:
    """List how people and the best model do on each released round."""
    return await views.humans(slug, actor=actor)


@router.get("/models/{model_id}/standing", openapi_extra=raises(ModelNotFoundError))
async def read_standing(model_id: UUID, actor: ActorDep, boards: Boards) -> StandingRead:
    """Tell where a model stands on its task's board with the default weights."""
    return await boards.standing(model_id, actor=actor)
