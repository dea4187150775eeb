"""Check of what a round names, against what the task has."""

from dynabench.kit.db.database import Session
from dynabench.loop.models.errors import ModelNotFoundError
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.references.rules import require_references
from dynabench.loop.rounds.repository import RoundRepository
from dynabench.loop.rounds.values import Round, RoundPlan
from dynabench.loop.tasks.values import Task


class ReferenceService:
    """Refuses models and parents of other tasks, and a round that is its own parent."""

    def __init__(self, models: ModelService) -> None:
        self._models = models

    async def check(
        self, session: Session, plan: RoundPlan, *, task: Task, round_: Round | None = None
    ) -> None:
        """Check in the caller's transaction what the plan of a round names.

        Args:
            session: The caller's transaction.
            plan: What the owner wants.
            task: Whose round it is.
            round_: The draft that is changed; None for a new one.

        Raises:
            ModelNotFoundError: If the task lacks a model that is to be asked.
            RoundSettingsError: With everything else that is wrong.
        """
        asked = plan.asked_model_ids
        wanted = {*asked, *plan.parent_model_ids}
        found = await self._models.get_many(session, wanted)
        models = [model for model in found if model.task_id == task.id]
        if not {model.id for model in models} >= set(asked):
            raise ModelNotFoundError
        parents = set(plan.parent_round_ids)
        rounds = await RoundRepository(session).of_task_among(parents, task_id=task.id)
        is_own_parent = round_ is not None and round_.id in parents
        require_references(
            plan, models=models, has_parent_rounds=rounds == parents and not is_own_parent
        )
