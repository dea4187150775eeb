"""Decisions about rounds: what may be set, what may happen next, who is asked."""

import hashlib
import hmac
from collections.abc import Collection, Hashable, Sequence
from uuid import UUID

from dynabench.loop.rounds.errors import RoundNotReopenedError, RoundSettingsError, RoundStateError
from dynabench.loop.rounds.values import (
    Arm,
    GoldFrom,
    Round,
    RoundBudget,
    RoundControls,
    RoundPlan,
    RoundStatus,
    Target,
    TargetPolicy,
    ValidationMode,
)
from dynabench.science.task_config.characters import find_refused_character
from dynabench.science.task_config.schema import TaskConfig

# What may still change while people write: how long for, and about what.
CHANGEABLE_WHILE_OPEN = frozenset({"budget", "context_tags", "schedule"})

_LONGEST_TAG = 100
_SEED_LIMIT = 2**63
_LARGEST_BUDGET = 1_000_000_000
# At least half of what is written meets the round's targets: that is what a round is for.
_LARGEST_CONTROL_SHARE = 0.5


def settings_problems(
    plan: RoundPlan, *, can_be_blind: bool, is_complete: bool, can_hide_models: bool = True
) -> dict[str, str]:
    """Return what contradicts itself or the task's config, a sentence per setting.

    Args:
        plan: What the owner wants.
        can_be_blind: Whether the task's rule for "fooled" can compare two answers.
        is_complete: Whether the round is about to open; a draft may lack its targets.
        can_hide_models: Whether an annotator of the task can do without a model's answer.
    """
    return {
        **_target_problems(plan, is_complete=is_complete),
        **_validation_problems(plan, can_be_blind=can_be_blind),
        **_list_problems(plan),
        **_budget_problems(plan.budget),
        **_control_problems(plan, can_hide_models=can_hide_models),
    }


def require_settings(plan: RoundPlan, *, config: TaskConfig, is_complete: bool) -> None:
    """Refuse settings that contradict each other.

    Raises:
        RoundSettingsError: With every wrong setting.
    """
    problems = settings_problems(
        plan,
        can_be_blind=config.can_be_blind,
        is_complete=is_complete,
        can_hide_models=can_hide_models(config),
    )
    if problems:
        raise RoundSettingsError(fields=problems)


def can_hide_models(config: TaskConfig) -> bool:
    """Tell whether an annotator of a task can do without a model's answer."""
    return config.chat_field is None and not config.asks_author


def require_replay(round_: Round) -> None:
    """Refuse to replay into a round that was collected here.

    Raises:
        RoundSettingsError: Naming the number, which is taken.
    """
    if not round_.is_replay:
        sentence = f"Round {round_.number} was collected here; replay under another number."
        raise RoundSettingsError(fields={"number": sentence})


def require_changeable(round_: Round, *, changed: Collection[str]) -> None:
    """Refuse to change what is fixed: all of a closed round, most of an open one.

    Raises:
        RoundStateError: If the round is past the state in which this may change.
    """
    if round_.status is RoundStatus.DRAFT:
        return
    if round_.status is RoundStatus.OPEN and CHANGEABLE_WHILE_OPEN.issuperset(changed):
        return
    wanted = "a draft"
    if round_.status is not RoundStatus.OPEN and CHANGEABLE_WHILE_OPEN.issuperset(changed):
        wanted = "a draft or open"
    raise RoundStateError(round_number=round_.number, status=round_.status, wanted=wanted)


def require_next(round_: Round, next_status: RoundStatus) -> None:
    """Refuse any move but the one to the very next state.

    Raises:
        RoundStateError: If the round is not in the state right before.
    """
    order = list(RoundStatus)
    before = order[order.index(next_status) - 1]
    if next_status is RoundStatus.DRAFT or round_.status is not before:
        wanted = "a draft" if before is RoundStatus.DRAFT else before.value
        raise RoundStateError(round_number=round_.number, status=round_.status, wanted=wanted)


def require_reopenable(round_: Round, *, config_version: int, latest_number: int) -> None:
    """Refuse to collect again where old and new examples would not be of one kind.

    Raises:
        RoundStateError: If the round is not closed.
        RoundNotReopenedError: If it was collected elsewhere, has control arms, or the task's
            config has changed or a later round was opened since.
    """
    if round_.status is not RoundStatus.CLOSED:
        raise RoundStateError(round_number=round_.number, status=round_.status, wanted="closed")
    reason = None
    if round_.is_replay:
        reason = "it was collected elsewhere."
    elif round_.controls != RoundControls():
        reason = "its authors know by now which model answered them."
    elif round_.config_version != config_version:
        reason = "the task's config has changed since."
    elif round_.number != latest_number:
        # Whoever writes may try the models of rounds before the latest one, uncounted.
        reason = f"round {latest_number} was opened since."
    if reason is not None:
        raise RoundNotReopenedError(round_number=round_.number, reason=reason)


def draw_arm(round_: Round, *, context_id: UUID, annotator_id: UUID) -> Arm:
    """Return what an annotator is shown on a context: the same for all their tries on it.

    Drawn from the round's secret and from who works on what, so that nobody chooses it or
    knows it ahead, and a later recount finds the same.
    """
    controls = round_.controls
    drawn = hmac.digest(
        round_.arm_secret.bytes, context_id.bytes + annotator_id.bytes, hashlib.sha256
    )
    place = int.from_bytes(drawn[:8], "big") / 2**64
    if place < controls.no_model_share:
        return Arm.NO_MODEL
    if place < controls.no_model_share + controls.earlier_share:
        return Arm.EARLIER_TARGET
    return Arm.TARGET


def models_of(round_: Round, arm: Arm) -> tuple[Target, ...]:
    """Return the models that answer in an arm: the targets, but for the one of an earlier one."""
    if arm is not Arm.EARLIER_TARGET:
        return round_.targets
    assert round_.control_target is not None, "an earlier target has a share only where it is named"
    return (round_.control_target,)


def models_for(round_: Round, *, context_id: UUID, annotator_id: UUID) -> tuple[Target, ...]:
    """Return the models that answer an annotator on a context, whatever the target policy."""
    return models_of(round_, draw_arm(round_, context_id=context_id, annotator_id=annotator_id))


def asked_targets(round_: Round) -> tuple[Target, ...]:
    """Return every model that may answer in a round: its targets and the earlier one."""
    control = round_.control_target
    return (*round_.targets, *(() if control is None else (control,)))


def is_model_shown(arm: Arm, *, status: RoundStatus) -> bool:
    """Tell whether the author of an attempt may know what the models made of it.

    Where no model is shown, that holds as long as the round collects: who knew the answer
    would no longer write without one.
    """
    return arm is not Arm.NO_MODEL or status is not RoundStatus.OPEN


def is_anyone_blind(round_: Round) -> bool:
    """Tell whether there are authors who may not know yet what the models answered them."""
    return bool(round_.controls.no_model_share) and round_.status is RoundStatus.OPEN


def keeps_arms_apart(round_: Round) -> bool:
    """Tell whether a round collects where some see no model, or another one than the others."""
    return is_anyone_blind(round_) or not are_models_named(round_)


def are_models_named(round_: Round) -> bool:
    """Tell whether an author may know which model answered.

    While a round collects where an earlier target answers for some, nobody is told who did.
    """
    return round_.status is not RoundStatus.OPEN or not round_.controls.earlier_share


def counted_arms(round_: Round) -> tuple[Arm, ...]:
    """Return the arms whose attempts the public figures of a round count: the targets'.

    While nobody may know which model answers them, an earlier one's attempts count too: a
    figure of the targets alone would tell it, as it rises or does not with each attempt.
    """
    return (Arm.TARGET,) if are_models_named(round_) else (Arm.TARGET, Arm.EARLIER_TARGET)


def pick_targets(
    round_: Round, *, context_id: UUID, annotator_id: UUID, attempt_number: int
) -> tuple[Target, ...]:
    """Return the target models that are asked about one attempt outside the control arms.

    The policy `random` asks one, drawn from the round's seed and from who tries what for the
    how-manyth time: the same attempt always draws the same model, and nobody can choose it by
    trying again. Every other policy asks all.
    """
    if round_.target_policy is not TargetPolicy.RANDOM or not round_.targets:
        return round_.targets
    drawn = hashlib.sha256(
        f"{round_.seed}:{context_id}:{annotator_id}:{attempt_number}".encode()
    ).digest()
    return (round_.targets[int.from_bytes(drawn[:8], "big") % len(round_.targets)],)


def _target_problems(plan: RoundPlan, *, is_complete: bool) -> dict[str, str]:
    count = len(plan.target_model_ids)
    if _has_twice(plan.target_model_ids):
        return {"target_model_ids": "A model is named twice; name each target once."}
    if count == 0:
        if not is_complete:
            return {}
        return {"target_model_ids": "A round needs a target model; choose at least one."}
    if plan.target_policy is TargetPolicy.SINGLE and count > 1:
        return {
            "target_policy": f"The policy “single” takes one target model, not {count}; "
            "choose another policy or one model."
        }
    alone = {TargetPolicy.SINGLE, TargetPolicy.RANDOM}
    if plan.target_policy not in alone and count == 1:
        return {
            "target_policy": f"The policy “{plan.target_policy.value}” needs at least two "
            "target models; add one or choose “single”."
        }
    return {}


def _validation_problems(plan: RoundPlan, *, can_be_blind: bool) -> dict[str, str]:
    rule = plan.validation
    problems: dict[str, str] = {}
    if rule.quorum > rule.maximum:
        problems["validation.quorum"] = (
            f"The quorum of {rule.quorum} can never be reached with at most {rule.maximum} "
            "votes; raise the maximum or lower the quorum."
        )
    is_blind = rule.mode is ValidationMode.BLIND
    if is_blind and not can_be_blind:
        problems["validation.mode"] = (
            "This task's answers cannot be compared without the author's word, so its "
            "validation cannot be blind; choose “review”."
        )
    if rule.gold_from is GoldFrom.VALIDATORS and not is_blind:
        problems["validation.gold_from"] = (
            "Validators give the gold answer only where they answer blind; choose the mode "
            "“blind” or the author's gold."
        )
    if not 0 <= rule.share_of_others <= 1:
        problems["validation.share_of_others"] = "The share must lie between 0 and 1."
    return problems


def _list_problems(plan: RoundPlan) -> dict[str, str]:
    problems: dict[str, str] = {}
    if _has_twice(plan.context_tags):
        problems["context_tags"] = "A tag is named twice; name each tag once."
    for tag in plan.context_tags:
        refused = find_refused_character(tag)
        if refused is not None:
            problems["context_tags"] = refused
        elif len(tag) > _LONGEST_TAG:
            problems["context_tags"] = f"A tag has at most {_LONGEST_TAG} characters."
    if _has_twice(plan.parent_round_ids):
        problems["parent_round_ids"] = "A round is named twice; name each parent once."
    if _has_twice(plan.parent_model_ids):
        problems["parent_model_ids"] = "A model is named twice; name each parent once."
    if not -_SEED_LIMIT <= plan.seed < _SEED_LIMIT:
        problems["seed"] = "The seed must be a whole number of at most 63 bits."
    return problems


def _budget_problems(budget: RoundBudget) -> dict[str, str]:
    counts = {"examples": budget.examples, "validated_fooling": budget.validated_fooling}
    return {
        f"budget.{name}": f"A budget is at most {_LARGEST_BUDGET:,}; leave it out for none."
        for name, count in counts.items()
        if count is not None and count > _LARGEST_BUDGET
    }


def _control_problems(plan: RoundPlan, *, can_hide_models: bool) -> dict[str, str]:
    controls = plan.controls
    problems: dict[str, str] = {}
    shares = {
        "no_model_share": controls.no_model_share,
        "earlier_share": controls.earlier_share,
    }
    for name, share in shares.items():
        if not 0 <= share <= _LARGEST_CONTROL_SHARE:
            problems[f"controls.{name}"] = "A control's share lies between 0 and 0.5."
    if not problems and sum(shares.values()) > _LARGEST_CONTROL_SHARE:
        problems["controls.no_model_share"] = (
            "Both controls together take at most 0.5, so that half of what is written meets the "
            "targets; lower one of them."
        )
    if controls.no_model_share and not can_hide_models:
        problems["controls.no_model_share"] = (
            "In this task an annotator needs a model's answer, to talk to it or to judge it; set "
            "the share without a model to 0."
        )
    return problems | _control_model_problems(controls, targets=plan.target_model_ids)


def _control_model_problems(
    controls: RoundControls, *, targets: Collection[UUID]
) -> dict[str, str]:
    field = "controls.model_id"
    if controls.earlier_share and controls.model_id is None:
        return {field: "Choose the earlier target that answers for a share of the contexts."}
    if controls.model_id is not None and not controls.earlier_share:
        return {field: "The earlier target has no share; set one, or choose no model here."}
    if controls.model_id in targets:
        return {field: "The earlier target is a target of this round; choose another model."}
    return {}


def _has_twice(values: Sequence[Hashable]) -> bool:
    return len(set(values)) < len(values)
