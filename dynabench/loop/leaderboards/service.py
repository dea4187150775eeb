"""Use cases of live boards: a page, a whole file, where one model stands."""

import asyncio
import hashlib
from uuid import UUID

import orjson

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.paging import decode_cursor, encode_cursor
from dynabench.loop.leaderboards.exports.rules import export_board
from dynabench.loop.leaderboards.headings.rules import no_dynascore
from dynabench.loop.leaderboards.lacks.rules import States, incomplete, lacks_of
from dynabench.loop.leaderboards.pages.rules import MOST_INCOMPLETE, board_page, rows_of
from dynabench.loop.leaderboards.repository import BoardRepository
from dynabench.loop.leaderboards.schemas import BoardRead, BoardRow, StandingRead
from dynabench.loop.leaderboards.standings.service import Standings
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import BoardFile, BoardForm, BoardPage, BoardQuery
from dynabench.loop.models.service import ModelService

MOST_ROWS = 5000
"""So many rows go into a file or a snapshot."""

_TAG_DIGITS = 32


class BoardService:
    """The boards of all tasks, as of now."""

    def __init__(self, *, db: Database, models: ModelService, standings: Standings) -> None:
        self._db = db
        self._models = models
        self._standings = standings

    async def page(
        self, slug: str, query: BoardQuery, *, actor: Actor, cursor: str | None, limit: int
    ) -> BoardPage:
        """Return a page of a board as JSON.

        Raises:
            BoardWeightsError: If the weights cannot be used.
            BoardNotFoundError: If there is no such snapshot to take exchange rates from.
            BadCursorError: If the cursor is not one of this list.
        """
        start = 0 if cursor is None else max(decode_cursor(cursor, int)[0], 0)
        board = await self._standings.board(slug, query, actor=actor)
        states = await self.states(board)
        body = await asyncio.to_thread(_body, board, states, start=start, size=limit)
        return BoardPage(body, f'"{hashlib.sha256(body).hexdigest()[:_TAG_DIGITS]}"')

    async def read(
        self, slug: str, query: BoardQuery, *, actor: Actor, size: int = MOST_ROWS
    ) -> tuple[Board, BoardRead]:
        """Return a board's first rows, and what they come from."""
        board = await self._standings.board(slug, query, actor=actor)
        states = await self.states(board)
        body = await asyncio.to_thread(_body, board, states, start=0, size=size)
        return board, await asyncio.to_thread(BoardRead.model_validate_json, body)

    async def export(
        self, slug: str, query: BoardQuery, *, form: BoardForm, actor: Actor
    ) -> BoardFile:
        """Return a whole board as a file."""
        _, read = await self.read(slug, query, actor=actor)
        return await asyncio.to_thread(export_board, read, form, name=f"{slug}-board")

    async def standing(self, model_id: UUID, *, actor: Actor) -> StandingRead:
        """Return where a model stands with the default weights, published or not.

        Raises:
            ModelNotFoundError: If the actor may not see it.
        """
        model = await self._models.read(model_id, actor=actor)
        query = BoardQuery()
        board = await self._standings.board(
            model.task_slug, query, actor=actor, with_model=model_id
        )
        ranked = board.ranked_ids()
        row, lacks = None, []
        if model_id in ranked:
            row = BoardRow.model_validate_json(
                orjson.dumps(rows_of(board, start=ranked.index(model_id), size=1)[0])
            )
        else:
            states = await self.states(board)
            found = [one for one in board.contenders if one.id == model_id]
            lacks = [lack for one in found for lack in lacks_of(board, one, states)]
        reason = no_dynascore(board)
        if row is None and reason is None:
            reason = incomplete(lacks)
        return StandingRead(
            task_slug=model.task_slug,
            model_id=model_id,
            row=row,
            lacks=lacks,
            dynascore=None if row is None else row.dynascore,
            reason=reason,
            ranked=len(ranked),
            as_of=board.as_of,
        )

    async def states(self, board: Board) -> States:
        """Return how far the evaluations of a board's first unranked models are."""
        if board.columns is None:
            return {}
        unranked = [one.id for one in board.unranked[:MOST_INCOMPLETE]]
        if not unranked:
            return {}
        async with self._db.read() as session:
            return await BoardRepository(session).states(unranked, board.columns.version_ids())


def _body(board: Board, states: States, *, start: int, size: int) -> bytes:
    ranked = 0 if board.ranking is None else len(board.ranking.models)
    cursor = encode_cursor([start + size]) if start + size < ranked else None
    return board_page(board, states, start=start, size=size, next_cursor=cursor)
