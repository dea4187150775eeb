"""Use cases of the error browser: look at items beside what a model answered."""

from dataclasses import dataclass
from uuid import UUID

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.paging import cut, decode_cursor, encode_cursor
from dynabench.loop.datasets.permissions import can_see
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.errors import EvaluationNotFoundError
from dynabench.loop.evaluations.items.errors import CorrectnessWithheldError, ItemsWithheldError
from dynabench.loop.evaluations.items.permissions import is_dev_open, item_view
from dynabench.loop.evaluations.items.repository import ItemRepository
from dynabench.loop.evaluations.items.rules import outcome_of
from dynabench.loop.evaluations.items.schemas import (
    EvaluationItemPage,
    EvaluationItemQuery,
    EvaluationItemRead,
)
from dynabench.loop.evaluations.items.values import AnsweredItem, ItemChoice, ItemView, Outcome
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.permissions import may_own
from dynabench.loop.tasks.service import TaskService

_PERCENT = 100
_BEFORE_ALL = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """An evaluation that the reader may know of, and what they are to it."""

    model_id: UUID
    version: DatasetVersion
    is_submitter: bool
    is_owner: bool


class ItemService:
    """Shows the items of evaluations with what a model answered."""

    def __init__(
        self, *, db: Database, tasks: TaskService, models: ModelService, datasets: DatasetService
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._models = models
        self._datasets = datasets

    async def browse(
        self, evaluation_id: UUID, query: EvaluationItemQuery, *, actor: Actor
    ) -> EvaluationItemPage:
        """Return a page of an evaluation's items, in the dataset's order.

        Raises:
            EvaluationNotFoundError: If there is none, or not for the actor.
            ItemsWithheldError: If single answers are not the actor's to see.
            CorrectnessWithheldError: If only whether an answer is right is not.
        """
        seen = await self._get_visible(evaluation_id, actor)
        view = item_view(
            seen.version,
            query.split,
            is_submitter=seen.is_submitter,
            is_owner=seen.is_owner,
        )
        if view is None:
            raise ItemsWithheldError(split=query.split)
        if view is ItemView.ANSWERS and query.outcome in {Outcome.RIGHT, Outcome.WRONG}:
            raise CorrectnessWithheldError(split=query.split, is_dev_open=is_dev_open(seen.version))
        choice = ItemChoice(
            split=query.split, outcome=query.outcome, tag=query.tag, search=query.q or ""
        )
        after = _BEFORE_ALL if query.cursor is None else decode_cursor(query.cursor, int)[0]
        async with self._db.read() as session:
            found = await ItemRepository(session).browse(
                evaluation_id,
                version_id=seen.version.id,
                choice=choice,
                after=after,
                limit=query.limit + 1,
            )
        page, has_more = cut(found, size=query.limit)
        return EvaluationItemPage(
            items=[_read(item, view=view) for item in page],
            next_cursor=encode_cursor([page[-1].position]) if has_more else None,
            evaluation_id=evaluation_id,
            split=query.split,
            view=view,
        )

    async def _get_visible(self, evaluation_id: UUID, actor: Actor) -> _Seen:
        async with self._db.read() as session:
            found = await ItemRepository(session).evaluation(evaluation_id)
        if found is None:
            raise EvaluationNotFoundError
        model_id, version_id = found
        try:
            await self._models.read(model_id, actor=actor)
        except ModelNotFoundError as error:
            raise EvaluationNotFoundError from error
        model = await self._models.get(model_id)
        version = await self._datasets.get(version_id)
        role = await self._tasks.role_of(model.task_id, actor)
        if not can_see(version, role=role):
            raise EvaluationNotFoundError
        return _Seen(
            model_id=model_id,
            version=version,
            is_submitter=actor.user_id is not None and actor.user_id == model.submitted_by,
            is_owner=may_own(role),
        )


def _read(item: AnsweredItem, *, view: ItemView) -> EvaluationItemRead:
    outcome = outcome_of(error=item.error, score=item.score)
    is_full = view is ItemView.FULL
    return EvaluationItemRead(
        uid=item.uid,
        context=item.context,
        inputs=item.inputs,
        tags=[*item.tags],
        original_uid=item.original_uid,
        transform=item.transform,
        outputs=item.outputs,
        probabilities=item.probabilities,
        error=item.error,
        outcome=outcome if is_full or outcome is Outcome.FAILED else None,
        score=item.score * _PERCENT if is_full and item.score is not None else None,
        gold=item.gold if is_full else None,
    )
