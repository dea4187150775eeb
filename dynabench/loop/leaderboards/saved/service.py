"""Use cases of saved boards."""

from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.idempotency import RequestKey
from dynabench.loop.leaderboards.saved.schemas import BoardCreate, BoardSummary, SavedBoardRead
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.values import BoardFile, BoardForm


class SavedBoardService:
    """Forks and snapshots."""

    def __init__(self, *, boards: BoardService) -> None:
        self._boards = boards

    async def save(
        self, slug: str, body: BoardCreate, *, actor: Actor, key: RequestKey | None
    ) -> BoardSummary:
        """Save a board."""
        raise NotImplementedError

    async def read(self, board_id: UUID, *, actor: Actor) -> SavedBoardRead:
        """Return a saved board."""
        raise NotImplementedError

    async def export(self, board_id: UUID, *, form: BoardForm, actor: Actor) -> BoardFile:
        """Return a saved board as a file."""
        raise NotImplementedError

    async def delete(self, board_id: UUID, *, actor: Actor) -> None:
        """Delete a saved board."""
        raise NotImplementedError

    async def list(self, slug: str, *, actor: Actor) -> list[BoardSummary]:
        """Return a task's saved boards."""
        raise NotImplementedError
