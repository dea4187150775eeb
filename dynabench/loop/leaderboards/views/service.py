"""Use cases of other views of a board."""

from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.loop.leaderboards.humans.schemas import HumanGapRead
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.leaderboards.views.schemas import ParetoRead, RoundBoardRead, TagBoardRead


class ViewService:
    """Per tag, per round, one metric against another."""

    def __init__(self, *, boards: BoardService) -> None:
        self._boards = boards

    async def tags(self, slug: str, *, actor: Actor, version_id: UUID | None) -> TagBoardRead:
        """Return the principal metric per tag."""
        raise NotImplementedError

    async def pareto(
        self, slug: str, query: BoardQuery, *, metric: str, actor: Actor
    ) -> ParetoRead:
        """Return performance against a metric."""
        raise NotImplementedError

    async def rounds(self, slug: str, *, actor: Actor) -> RoundBoardRead:
        """Return models by rounds."""
        raise NotImplementedError

    async def humans(self, slug: str, *, actor: Actor) -> list[HumanGapRead]:
        """Return how people do."""
        raise NotImplementedError
