"""Use cases of saved boards: forks that follow the data, snapshots that never change."""

import asyncio
import hashlib
import json
from typing import TypeVar
from uuid import UUID

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.canonical_json import canonical_json
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import AlreadyDone, RequestKey, claim, find
from dynabench.kit.ids import new_id
from dynabench.loop.leaderboards.errors import (
    BoardNameTakenError,
    BoardNotFoundError,
    BoardRightsError,
    TooManyBoardsError,
)
from dynabench.loop.leaderboards.exports.rules import export_board
from dynabench.loop.leaderboards.permissions import may_delete
from dynabench.loop.leaderboards.repository import BoardRepository, SavedBoard
from dynabench.loop.leaderboards.saved.schemas import (
    BoardCreate,
    BoardSummary,
    BoardWeights,
    SavedBoardRead,
)
from dynabench.loop.leaderboards.schemas import BoardRead, BoardRow, IncompleteRow
from dynabench.loop.leaderboards.service import MOST_ROWS, BoardService
from dynabench.loop.leaderboards.values import (
    BoardFile,
    BoardForm,
    BoardKind,
    BoardQuery,
    Contender,
)
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.people.directory.service import UserDirectory

RowT = TypeVar("RowT", BoardRow, IncompleteRow)

WITHDRAWN = "withdrawn model"
"""What a snapshot calls a model that was deleted, rejected or made private since."""

MOST_BOARDS = 100
"""So many boards of one task one person keeps."""

_FORK_ROWS = 200
# Whoever saves a snapshot saves what everybody sees: no private model, no hidden name.
_EVERYBODY = Actor(user_id=None, username="", is_admin=False)


class SavedBoardService:
    """Forks and snapshots of all tasks."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        boards: BoardService,
        directory: UserDirectory,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._boards = boards
        self._directory = directory

    async def save(
        self, slug: str, body: BoardCreate, *, actor: Actor, key: RequestKey | None
    ) -> BoardSummary:
        """Save a board under a name.

        Raises:
            SignInRequiredError: If the actor is a visitor.
            BoardNameTakenError: If a board of the task has or had the name.
            BoardWeightsError: If the weights cannot be used.
            TooManyBoardsError: If the actor keeps as many as one may.
        """
        user_id = require_signed_in(actor)
        task = await self._tasks.get_for(slug, actor)
        if key is not None:
            async with self._db.read() as session:
                done = await find(session, key)
            if done is not None:
                return await self._summary(done, actor=actor)
        content, digest = await self._content(task, body, actor)
        saved = SavedBoard(
            id=new_id(),
            task_id=task.id,
            kind=body.kind,
            name=body.name,
            description=body.description,
            weights=body.weights.model_dump(mode="json"),
            content=content,
            digest=digest,
            created_by=user_id,
            created_at=self._clock.now(),
        )
        try:
            async with self._db.transaction() as session:
                repository = BoardRepository(session)
                await repository.lock_names(task.id)
                if key is not None:
                    # Before the name, which the first of two equal requests has taken.
                    await claim(session, key, saved.id)
                if await repository.is_name_taken(task.id, body.name):
                    raise BoardNameTakenError(name=body.name)
                if await repository.count_of(task.id, user_id) >= MOST_BOARDS:
                    raise TooManyBoardsError(most=MOST_BOARDS)
                await repository.add(saved)
        except AlreadyDone as already:
            return await self._summary(already.resource_id, actor=actor)
        return await self._summary(saved.id, actor=actor)

    async def read(self, board_id: UUID, *, actor: Actor) -> SavedBoardRead:
        """Return a saved board with its rows.

        Raises:
            BoardNotFoundError: If there is none, or the actor may not see its task.
        """
        saved, task = await self._get(board_id, actor)
        summary = (await self._summaries([saved], task, actor))[0]
        board = await self._board(saved, task, actor, size=_FORK_ROWS)
        return SavedBoardRead(**dict(summary), board=board)

    async def export(self, board_id: UUID, *, form: BoardForm, actor: Actor) -> BoardFile:
        """Return a saved board as a file."""
        saved, task = await self._get(board_id, actor)
        board = await self._board(saved, task, actor, size=MOST_ROWS)
        return await asyncio.to_thread(export_board, board, form, name=f"{task.slug}-{saved.id}")

    async def delete(self, board_id: UUID, *, actor: Actor) -> None:
        """Delete a saved board.

        Raises:
            BoardRightsError: If the actor neither saved it nor owns the task.
        """
        saved, task = await self._get(board_id, actor)
        require_signed_in(actor)
        role = await self._tasks.role_of(task.id, actor)
        if not may_delete(saved.created_by, actor=actor, role=role):
            raise BoardRightsError
        async with self._db.transaction() as session:
            await BoardRepository(session).delete(board_id, now=self._clock.now())

    async def _content(
        self, task: Task, body: BoardCreate, actor: Actor
    ) -> tuple[dict[str, object] | None, str | None]:
        """Return what a snapshot freezes, and its digest; of a fork the weights are checked."""
        query = _query(body.weights)
        if body.kind is BoardKind.FORK:
            await self._boards.read(task.slug, query, actor=actor, size=1)
            return None, None
        reader = _EVERYBODY if await self._is_open(task) else actor
        board, read = await self._boards.read(task.slug, query, actor=reader)
        ranking = board.ranking
        rates: dict[str, object] | None = None
        if ranking is not None and ranking.dynascore is not None:
            rates = {"amrs": dict(ranking.amrs), "pairs": ranking.pairs}
        frozen = read.model_copy(
            update={
                "rows": [_public(row) for row in read.rows if row.model.is_published],
                "incomplete": [_public(row) for row in read.incomplete if row.model.is_published],
                "next_cursor": None,
            }
        )
        content = {"rates": rates, "board": json.loads(frozen.model_dump_json())}
        return content, hashlib.sha256(canonical_json(content)).hexdigest()

    async def _is_open(self, task: Task) -> bool:
        try:
            await self._tasks.get_for(task.slug, _EVERYBODY)
        except TaskNotFoundError:
            return False
        return True

    async def _board(self, saved: SavedBoard, task: Task, actor: Actor, *, size: int) -> BoardRead:
        if saved.content is not None:
            return await self._frozen(BoardRead.model_validate(saved.content["board"]), task)
        query = _query(BoardWeights.model_validate(saved.weights), is_saved=True)
        return (await self._boards.read(task.slug, query, actor=actor, size=size))[1]

    async def _frozen(self, board: BoardRead, task: Task) -> BoardRead:
        """Return a snapshot's board without the names that were taken back since.

        Numbers and ranks stay as they were; so does the digest, which is of what was frozen.
        """
        async with self._db.read() as session:
            models = {one.id: one for one in await BoardRepository(session).contenders(task.id)}
        return board.model_copy(
            update={
                "rows": [_named_now(row, models.get(row.model.id)) for row in board.rows],
                "incomplete": [
                    _named_now(row, models.get(row.model.id)) for row in board.incomplete
                ],
            }
        )

    async def _get(self, board_id: UUID, actor: Actor) -> tuple[SavedBoard, Task]:
        async with self._db.read() as session:
            saved = await BoardRepository(session).get(board_id)
        if saved is None:
            raise BoardNotFoundError
        try:
            slug = (await self._tasks.get_by_id(saved.task_id)).slug
            return saved, await self._tasks.get_for(slug, actor)
        except TaskNotFoundError as error:
            raise BoardNotFoundError from error

    async def _summary(self, board_id: UUID, *, actor: Actor) -> BoardSummary:
        saved, task = await self._get(board_id, actor)
        return (await self._summaries([saved], task, actor))[0]

    async def _summaries(
        self, found: list[SavedBoard], task: Task, actor: Actor
    ) -> list[BoardSummary]:
        role: TaskRole | None = await self._tasks.role_of(task.id, actor)
        names = await self._directory.usernames({one.created_by for one in found if one.created_by})
        return [
            BoardSummary(
                id=one.id,
                task_slug=task.slug,
                kind=one.kind,
                name=one.name,
                description=one.description,
                weights=BoardWeights.model_validate(one.weights),
                digest=one.digest,
                created_by=names.get(one.created_by) if one.created_by else None,
                created_at=one.created_at,
                can_delete=may_delete(one.created_by, actor=actor, role=role),
            )
            for one in found
        ]

    async def list(self, slug: str, *, actor: Actor) -> list[BoardSummary]:
        """Return a task's saved boards, newest first."""
        task = await self._tasks.get_for(slug, actor)
        async with self._db.read() as session:
            found = await BoardRepository(session).of_task(task.id)
        return await self._summaries(found, task, actor)


def _public(row: RowT) -> RowT:
    """Return a row as everybody may read it, whoever saved it."""
    hidden = {"is_mine": False} | ({"submitted_by": None} if row.model.is_anonymous else {})
    return row.model_copy(update={"model": row.model.model_copy(update=hidden)})


def _named_now(row: RowT, now: Contender | None) -> RowT:
    """Return a frozen row with the names that its model still shows to everybody."""
    kept: dict[str, object] = {}
    if now is None or not now.is_published:
        kept = {"name": WITHDRAWN, "submitted_by": None, "is_published": False}
    elif now.is_anonymous:
        kept = {"submitted_by": None, "is_anonymous": True}
    return row.model_copy(update={"model": row.model.model_copy(update=kept)})


def _query(weights: BoardWeights, *, is_saved: bool = False) -> BoardQuery:
    """Return weights as the query that a reader would write."""
    return BoardQuery(
        metrics=_written(weights.metrics),
        datasets=_written(weights.datasets),
        budget_gib=weights.budget_gib,
        rates=weights.rates,
        is_saved=is_saved,
    )


def _written(weights: dict[str, float]) -> str | None:
    return ",".join(f"{name}:{weight}" for name, weight in weights.items()) or None
