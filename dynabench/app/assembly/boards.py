"""Boards, live and saved."""

from dynabench.app.assembly.parts import Parts
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.leaderboards.saved.service import SavedBoardService
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.views.service import ViewService
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.service import TaskService


def add_boards(parts: Parts) -> None:
    """Add what ranks models."""
    boards = parts.keep(
        BoardService(
            db=parts.db,
            tasks=parts.get(TaskService),
            models=parts.get(ModelService),
            datasets=parts.get(DatasetService),
        )
    )
    parts.keep(ViewService(boards=boards))
    parts.keep(SavedBoardService(boards=boards))
