"""Decisions about what a round names: who can be asked, and what it may grow out of."""

from collections.abc import Sequence

from dynabench.loop.models.values import Model, ModelKind, ModelPurpose
from dynabench.loop.rounds.errors import RoundSettingsError
from dynabench.loop.rounds.values import RoundPlan


def require_references(
    plan: RoundPlan, *, models: Sequence[Model], has_parent_rounds: bool
) -> None:
    """Refuse targets that cannot be asked, and parents that are not the task's.

    Args:
        plan: What the owner wants; its targets are among the models.
        models: The task's models among its targets and parents.
        has_parent_rounds: Whether all its parent rounds are earlier ones of the task.

    Raises:
        RoundSettingsError: With every wrong setting.
    """
    known = {model.id: model for model in models}
    problems: dict[str, str] = {}
    asked = dict.fromkeys(plan.target_model_ids, "target_model_ids")
    if plan.controls.model_id is not None:
        asked.setdefault(plan.controls.model_id, "controls.model_id")
    for model_id, field in asked.items():
        sentence = _why_not_asked(known[model_id])
        if sentence is not None:
            problems[field] = sentence
    if not known.keys() >= set(plan.parent_model_ids):
        problems["parent_model_ids"] = "A parent must be a model of the same task."
    if not has_parent_rounds:
        problems["parent_round_ids"] = (
            "A parent must be an earlier round of the same task that is no draft."
        )
    if problems:
        raise RoundSettingsError(fields=problems)


def _why_not_asked(model: Model) -> str | None:
    """Return why a model cannot answer an annotator, in a sentence."""
    if model.kind is ModelKind.RECORDED:
        return f"“{model.name}” is a record of answers and cannot be asked; choose another model."
    if model.purpose is ModelPurpose.JUDGE:
        return f"“{model.name}” is a judge, and nobody tries to fool it; choose another model."
    return None
