"""Use case of scoring: a model elsewhere that answers otherwise becomes its next version."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from dynabench.engines.inference.protocol import digest_of
from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.ids import new_id
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.rules import SPEC
from dynabench.loop.models.values import MODEL_SUBMITTED, Model

_ANSWERS = "answers"
_STEADY_FOR = timedelta(hours=24)


class ModelRenewals:
    """Makes versions of models whose address stayed and whose answers did not."""

    def __init__(self, *, db: Database, clock: Clock, queue: JobQueue) -> None:
        self._db = db
        self._clock = clock
        self._queue = queue

    async def renew(self, model_id: UUID, *, answers: str) -> Model | None:
        """Return the version of a model that gives these answers, made if there is none.

        None where the newest version was made like this within a day: what answers otherwise
        each time would have versions without end, and every one of them scored anew.

        Args:
            model_id: The version that gave others.
            answers: A digest of what is answered now.

        Raises:
            ModelNotFoundError: If there is no such model.
        """
        async with self._db.transaction() as session:
            repository = ModelRepository(session)
            model = await repository.get(model_id)
            if model is None:
                raise ModelNotFoundError
            await repository.lock_name(task_id=model.task_id, name=model.name)
            digest = digest_of({SPEC: model.source[SPEC], _ANSWERS: answers})
            known = await repository.by_digest(
                task_id=model.task_id, name=model.name, kind=model.kind, digest=digest
            )
            if known is not None:
                return known
            newest = await repository.newest(task_id=model.task_id, name=model.name)
            assert newest is not None, "the model itself has this name"
            now = self._clock.now()
            if _ANSWERS in newest.source and now - newest.created_at < _STEADY_FOR:
                return None
            renewed = replace(
                model,
                id=new_id(),
                version=newest.version + 1,
                digest=digest,
                source={**model.source, _ANSWERS: answers},
                created_at=now,
                job_id=None,
            )
            await repository.add(renewed)
            await self._queue.enqueue(
                session,
                MODEL_SUBMITTED,
                {"model_id": str(renewed.id)},
                created_by=renewed.submitted_by,
            )
        return renewed
