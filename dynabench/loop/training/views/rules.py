"""Recipes and trainings to their wire shapes."""

from collections.abc import Sequence
from uuid import UUID

from dynabench.engines.baselines.options import RecipeOption
from dynabench.engines.jobs.values import Job
from dynabench.engines.runners.errors import RunnerNotInstalledError
from dynabench.engines.runners.installed import require_runner
from dynabench.loop.training.schemas import (
    RecipeOptionRead,
    RecipeRead,
    TrainingRead,
    TrainingSource,
)
from dynabench.loop.training.values import Recipe, RecipeName, TrainingOrder

_CHECKPOINT = "checkpoint"


def read_recipe(recipe: Recipe, *, is_default: bool, checkpoints: Sequence[str]) -> RecipeRead:
    """Return a recipe with its options, and why it cannot be used where it cannot."""
    lack = _lack_of(recipe)
    return RecipeRead(
        name=recipe.name,
        title=recipe.title,
        description=recipe.description,
        is_default=is_default,
        options=[_read_option(option, checkpoints) for option in recipe.options],
        unavailable=None if lack is None else lack.message,
        missing_extra=None if lack is None else str(lack.facts["extra"]),
    )


def _lack_of(recipe: Recipe) -> RunnerNotInstalledError | None:
    """Return why a recipe cannot be used on this machine, with what would help."""
    if recipe.name is not RecipeName.TRANSFORMERS:
        return None
    try:
        require_runner("huggingface")
    except RunnerNotInstalledError as error:
        return error
    return None


def _read_option(option: RecipeOption, checkpoints: Sequence[str]) -> RecipeOptionRead:
    return RecipeOptionRead(
        name=option.name,
        title=option.title,
        description=option.description,
        kind=option.kind,
        default=option.default,
        lowest=option.lowest,
        highest=option.highest,
        is_needed=option.is_needed,
        choices=[*checkpoints] if option.name == _CHECKPOINT else [],
    )


def read_training(job: Job) -> TrainingRead:
    """Return a training's wire shape."""
    order = TrainingOrder.of_payload(job.payload)
    made = None if job.result is None else job.result.get("model_id")
    return TrainingRead(
        id=job.id,
        state=job.state,
        progress=job.progress,
        message=job.message,
        error=job.error,
        told=job.told,
        name=order.name,
        recipe=order.recipe.value,
        options=dict(order.options),
        seed=str(order.seed),
        with_starter_data=order.with_starter_data,
        starter_weight=order.starter_weight,
        sources=[
            TrainingSource(dataset_version_id=one.dataset_version_id, weight=one.weight)
            for one in order.sources
        ],
        only_verified=order.selection.only_verified,
        only_fooling=order.selection.only_fooling,
        without_controls=order.selection.without_controls,
        model_id=None if made is None else UUID(str(made)),
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
    )
