"""Calls about training the next model."""

from collections.abc import Mapping, Sequence
from typing import TypedDict, Unpack
from uuid import UUID

from dynabench.client.addresses import Id, TaskRef
from dynabench.client.calls import create, get, path, post, shape
from dynabench.client.lists import Table
from dynabench.client.methods import Calls, Endpoint, FaceT, Watching
from dynabench.client.steps import Steps
from dynabench.client.watching import Subscription
from dynabench.engines.baselines.options import OptionValue
from dynabench.engines.jobs.schemas import JobRead
from dynabench.loop.training.schemas import (
    RecipeRead,
    TrainingNewsRead,
    TrainingPlanRead,
    TrainingRead,
    TrainingRequest,
)


class TrainingData(TypedDict, total=False):
    """What is learned from and how; what is not said is as the server has it.

    Attributes:
        recipe: How to train; None is the task's default recipe.
        options: What to set of the recipe; the rest is as `list_recipes` says.
        with_starter_data: Whether the task's starter data is learned from too.
        starter_weight: How many times each item of the starter data counts.
        sources: Dataset versions to learn from, and how many times each item of them counts.
        dataset_version_ids: Further versions, whose items count once.
        only_verified: Leave out of releases what was not verified.
        only_fooling: Leave out of releases what did not fool the target.
        without_controls: Leave out of releases what came from control arms.
    """

    recipe: str | None
    options: Mapping[str, OptionValue]
    with_starter_data: bool
    starter_weight: int
    sources: Mapping[UUID | str, int]
    dataset_version_ids: Sequence[Id]
    only_verified: bool
    only_fooling: bool
    without_controls: bool


class TrainingCalls(Calls[FaceT]):
    """The next model.

    Example::

        job = client.trainings.create("nli", name="next", sources={"nli/Round 1": 2})
        client.jobs.wait(job, on_progress=print)
    """

    @Endpoint
    def recipes(self, task: TaskRef) -> Steps[Table[RecipeRead]]:
        """List the recipes that fit a task, with what can be set of each."""
        return get(path("tasks", task, "recipes"), Table[RecipeRead])

    @Endpoint
    def create(
        self,
        task: TaskRef,
        *,
        name: str,
        seed: int = 0,
        description: str = "",
        idempotency_key: str | None = None,
        **data: Unpack[TrainingData],
    ) -> Steps[JobRead]:
        """Train a model on starter data and releases; it becomes a model of the task (owners).

        Args:
            task: The task, by its slug.
            name: What the model will be called.
            seed: The seed of everything random.
            description: Shown with the model.
            idempotency_key: Makes a later repetition of this call return the same job.
            **data: What is learned from and how; see `TrainingData`.

        Returns:
            The job that does it; `wait_for_job` waits for its end.
        """
        body = _body({"name": name, "seed": seed, "description": description}, data)
        return create(path("tasks", task, "trainings"), JobRead, body, key=idempotency_key)

    @Endpoint
    def plan(self, task: TaskRef, **data: Unpack[TrainingData]) -> Steps[TrainingPlanRead]:
        """Count what `train` would learn from with these arguments, and start nothing (owners)."""
        body = _body({"name": "plan"}, data)
        return post(path("tasks", task, "training-plan"), TrainingPlanRead, body)

    @Endpoint
    def list(self, task: TaskRef) -> Steps[Table[TrainingRead]]:
        """List a task's newest trainings with their progress and models (owners)."""
        return get(path("tasks", task, "trainings"), Table[TrainingRead])

    @Endpoint
    def log(self, task: TaskRef, training_id: Id) -> Steps[Table[str]]:
        """List what a training has logged, oldest line first (owners)."""
        return get(path("tasks", task, "trainings", training_id, "log"), Table[str])

    @Endpoint
    def cancel(self, task: TaskRef, training_id: Id) -> Steps[TrainingRead]:
        """Stop a training at once; nothing of it stays (owners)."""
        return post(path("tasks", task, "trainings", training_id, "cancel"), TrainingRead)

    @Endpoint
    def resume(self, task: TaskRef, training_id: Id) -> Steps[TrainingRead]:
        """Go on with a training that failed or was cancelled, as a new job (owners)."""
        return post(path("tasks", task, "trainings", training_id, "resume"), TrainingRead)

    @Watching
    def watch(self, task: TaskRef, training_id: Id) -> Subscription[TrainingNewsRead]:
        """Watch a training and its log, until it is over (owners)."""
        return Subscription(path("tasks", task, "trainings", training_id, "live"), TrainingNewsRead)


def _body(told: dict[str, object], data: TrainingData) -> TrainingRequest:
    chosen = [
        {"dataset_version_id": version_id, "weight": weight}
        for version_id, weight in (data.get("sources") or {}).items()
    ]
    ids = [*data.get("dataset_version_ids", ())]
    return shape(TrainingRequest, {**told, **data, "sources": chosen, "dataset_version_ids": ids})
