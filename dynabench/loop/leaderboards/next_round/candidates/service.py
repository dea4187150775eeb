"""Finds the models that could be asked, with what they did on the last releases."""

from collections.abc import Collection, Sequence
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.leaderboards.next_round.repository import NextRoundRepository
from dynabench.loop.leaderboards.next_round.rules import in_order
from dynabench.loop.leaderboards.next_round.values import Candidate, ReleaseScore, Speed
from dynabench.loop.leaderboards.schemas import BoardRow
from dynabench.loop.leaderboards.service import BoardService
from dynabench.loop.leaderboards.standings.values import Board
from dynabench.loop.leaderboards.values import BoardQuery
from dynabench.loop.models.schemas import ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import ModelKind, ModelPurpose, ModelStatus
from dynabench.loop.rounds.values import Round, RoundStatus

_CANNOT_BE_ASKED = frozenset({ModelKind.RECORDED, ModelKind.PREDICTIONS})
_MOST = 50
_UNMEASURED = Speed(examples_per_second=None, is_measured_at_client=False)


class CandidateService:
    """Candidates of all tasks."""

    def __init__(self, *, db: Database, models: ModelService, boards: BoardService) -> None:
        self._db = db
        self._models = models
        self._boards = boards

    async def of_task(
        self,
        board: Board,
        *,
        releases: Sequence[DatasetVersion],
        rounds: Sequence[Round],
        actor: Actor,
    ) -> list[Candidate]:
        """Return the models that can be asked, the best on the last releases first.

        Args:
            board: The task's board.
            releases: The last ones, the newest first.
            rounds: All of the task's.
            actor: Who owns it.
        """
        slug = board.task.slug
        found = [one for one in await self._models.list(slug, actor=actor) if _can_be_asked(one)]
        ids = [one.id for one in found]
        version_ids = [one.id for one in releases]
        async with self._db.read() as session:
            repository = NextRoundRepository(session)
            scores = await repository.scores(ids, version_ids)
            speeds = await repository.speeds(ids)
        ranks = await self._rows(board, version_ids, actor=actor)
        _, read = await self._boards.read(slug, BoardQuery(), actor=actor)
        whole = {one.model.id: one for one in read.rows}
        sign = -1 if board.columns is not None and board.columns.principal.is_lower_better else 1
        candidates = []
        for one in found:
            own = tuple(scores.get((one.id, key), _unscored(key)) for key in version_ids)
            row, place = ranks.get(one.id), whole.get(one.id)
            rank = None if row is None else row.performance_rank
            candidates.append(
                Candidate(
                    model_id=one.id,
                    name=one.name,
                    version=one.version,
                    scores=own,
                    good=_mean(own, sign=sign),
                    rank=None if rank is None else (rank.low, rank.high),
                    dynascore=None if place is None else place.dynascore,
                    speed=speeds.get(one.id, _UNMEASURED),
                    was_target_of=_rounds_against(one.id, rounds),
                    is_published=one.is_published,
                )
            )
        return in_order(candidates)[:_MOST]

    async def _rows(
        self, board: Board, version_ids: Collection[UUID], *, actor: Actor
    ) -> dict[UUID, BoardRow]:
        """Return the rows of a board of the last releases and the principal metric alone."""
        if board.columns is None:
            return {}
        keys = [
            column.key
            for column in board.columns.datasets
            if {one.id for one in column.versions} & set(version_ids)
        ]
        if not keys:
            return {}
        principal = board.columns.principal.name
        query = BoardQuery(
            metrics=f"{principal}:1", datasets=",".join(f"{key}:1" for key in keys), sort=principal
        )
        _, read = await self._boards.read(board.task.slug, query, actor=actor)
        return {one.model.id: one for one in read.rows}


def _unscored(version_id: UUID) -> ReleaseScore:
    return ReleaseScore(version_id=version_id, value=None, low=None, high=None)


def _mean(scores: Sequence[ReleaseScore], *, sign: int) -> float | None:
    """Return the mean of what is there, so that more is better."""
    values = [score.value for score in scores if score.value is not None]
    return sign * sum(values) / len(values) if values else None


def _can_be_asked(model: ModelRead) -> bool:
    return (
        model.status is ModelStatus.READY
        and model.purpose is ModelPurpose.TARGET
        and model.kind not in _CANNOT_BE_ASKED
    )


def _rounds_against(model_id: UUID, rounds: Sequence[Round]) -> tuple[int, ...]:
    return tuple(
        sorted(
            one.number
            for one in rounds
            if one.status is not RoundStatus.DRAFT and model_id in one.target_model_ids
        )
    )
