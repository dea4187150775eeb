"""Routes of saved boards."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Response

from dynabench.kit.web import ActorDep, RequestKeyDep, provide, raises
from dynabench.loop.leaderboards import errors
from dynabench.loop.leaderboards.saved.schemas import BoardCreate, BoardSummary, SavedBoardRead
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.values import BoardForm
from dynabench.loop.tasks.errors import TaskNotFoundError

router = APIRouter(prefix="/api/v1", tags=["leaderboards"])

SavedBoards = Annotated[SavedBoardService, Depends(provide(SavedBoardService))]


@router.get("/tasks/{slug}/boards", openapi_extra=raises(TaskNotFoundError))
async def list_boards(slug: str, actor: ActorDep, boards: SavedBoards) -> list[BoardSummary]:
    """List the forks and snapshots of a task's board, newest first."""
    return await boards.list(slug, actor=actor)


@router.post(
    "/tasks/{slug}/boards",
    status_code=201,
    openapi_extra=raises(
        TaskNotFoundError,
        errors.BoardNameTakenError,
        errors.BoardWeightsError,
        errors.BoardNotFoundError,
        errors.TooManyBoardsError,
    ),
)
async def save_board(
    slug: str, body: BoardCreate, actor: ActorDep, boards: SavedBoards, key: RequestKeyDep
) -> BoardSummary:
    """Save weights under a name (fork), or freeze the board as it is (snapshot)."""
    return await boards.save(slug, body, actor=actor, key=key)


@router.get("/boards/{board_id}", openapi_extra=raises(errors.BoardNotFoundError))
async def read_saved_board(board_id: UUID, actor: ActorDep, boards: SavedBoards) -> SavedBoardRead:
    """Show a saved board: the first 200 rows of a fork as of now, all of a snapshot."""
    return await boards.read(board_id, actor=actor)


@router.get(
    "/boards/{board_id}/file.{form}",
    openapi_extra=raises(errors.BoardNotFoundError),
    response_class=Response,
    responses={
        200: {
            "description": "The whole saved board.",
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
async def export_saved_board(
    board_id: UUID, form: BoardForm, actor: ActorDep, boards: SavedBoards
) -> Response:
    """Download a saved board as CSV, LaTeX (booktabs) or JSON."""
    file = await boards.export(board_id, form=form, actor=actor)
    return Response(
        file.body,
        media_type=file.media_type,
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'},
    )


@router.delete(
    "/boards/{board_id}",
    status_code=204,
    openapi_extra=raises(errors.BoardNotFoundError, errors.BoardRightsError),
)
async def delete_board(board_id: UUID, actor: ActorDep, boards: SavedBoards) -> None:
    """Delete a saved board (who saved it, or owners)."""
    await boards.delete(board_id, actor=actor)
