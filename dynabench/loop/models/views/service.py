"""What of a model is shown to whom."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from dynabench.engines.jobs.queue import JobQueue
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.models.cards.schemas import ModelCard
from dynabench.loop.models.permissions import is_submitter, knows_all_of
from dynabench.loop.models.schemas import ModelProblemRead, ModelRead
from dynabench.loop.models.values import Model, ModelStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.people.directory.service import UserDirectory

_UNDECIDED = frozenset({ModelStatus.SUBMITTED, ModelStatus.CHECKING})
_ASK_AGAIN = "This does not count against you; have it checked again."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Check:
    """How a check stands: its place among the jobs that wait, or why it broke off."""

    place: int | None = None
    broke: str | None = None


class ModelViews:
    """Writes models as they cross the wire; whether one is shown at all is decided before."""

    def __init__(self, *, db: Database, directory: UserDirectory, queue: JobQueue) -> None:
        self._db = db
        self._directory = directory
        self._queue = queue

    async def read(
        self, found: Collection[Model], *, slug: str, actor: Actor, role: TaskRole | None
    ) -> list[ModelRead]:
        """Return models of a task as the actor sees them."""
        known = {one.id for one in found if knows_all_of(one, actor=actor, role=role)}
        named = {
            one.submitted_by
            for one in found
            if one.submitted_by and (not one.is_anonymous or one.id in known)
        }
        names = await self._directory.usernames(named)
        undecided = [one for one in found if one.id in known and one.status in _UNDECIDED]
        checks = await self._checks({one.job_id for one in undecided if one.job_id})
        return [
            _public(one, slug).model_copy(
                update={
                    "submitted_by": (
                        names.get(one.submitted_by)
                        if one.submitted_by and (not one.is_anonymous or one.id in known)
                        else None
                    ),
                    "is_mine": is_submitter(one, actor),
                }
                | (_private(one, checks) if one.id in known else {})
            )
            for one in found
        ]

    async def _checks(self, job_ids: Collection[UUID]) -> dict[UUID, _Check]:
        """Return how the checks that have not decided stand."""
        if not job_ids:
            return {}
        found: dict[UUID, _Check] = {}
        async with self._db.read() as session:
            places = await self._queue.positions(session, job_ids)
            for job_id in job_ids:
                job = await self._queue.get(session, job_id)
                broke = f"The check broke off: {job.error or 'it was cancelled.'} {_ASK_AGAIN}"
                found[job_id] = _Check(
                    place=places.get(job_id), broke=broke if job.state.is_final else None
                )
        return found


def _public(model: Model, slug: str) -> ModelRead:
    return ModelRead(
        id=model.id,
        task_slug=slug,
        name=model.name,
        version=model.version,
        kind=model.kind,
        purpose=model.purpose,
        status=model.status,
        rejection=model.rejection,
        digest=model.digest,
        description=model.description,
        submitted_by=None,
        created_at=model.created_at,
        isolation=model.isolation,
        is_published=model.is_published,
        is_anonymous=model.is_anonymous,
        is_mine=False,
        card=None if model.card is None else ModelCard.model_validate(model.card),
        problems=None,
        job_id=None,
        queue_position=None,
        artifact_bytes=None,
    )


def _private(model: Model, checks: Mapping[UUID, _Check]) -> dict[str, object]:
    check = _Check() if model.job_id is None else checks.get(model.job_id, _Check())
    problems = model.problems
    # Only a check that was lost has decided nothing and said nothing.
    if problems is None and check.broke is not None:
        problems = [{"problem": check.broke}]
    return {
        "problems": (
            None
            if problems is None
            else [ModelProblemRead.model_validate(problem) for problem in problems]
        ),
        "job_id": model.job_id,
        "queue_position": check.place,
        "artifact_bytes": model.artifact_bytes,
    }
