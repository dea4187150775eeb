"""Decisions about arms: who may compare them, and what one may know of one's own."""

from collections.abc import Mapping

from dynabench.loop.rounds.rules import is_model_shown
from dynabench.loop.rounds.values import Arm, Round, RoundStatus
from dynabench.loop.tasks.values import TaskRole
from dynabench.loop.validations.arms.values import TimeSpent
from dynabench.loop.validations.folds.values import Tally


def can_compare(round_: Round, *, role: TaskRole | None) -> bool:
    """Tell whether somebody sees a round's arms apart: everybody once it collects no more."""
    return round_.status is not RoundStatus.OPEN or role in {TaskRole.OWNER, TaskRole.EXPERT}


def has_controls(round_: Round) -> bool:
    """Tell whether a round has an arm beside its targets."""
    return bool(round_.controls.no_model_share or round_.controls.earlier_share)


def own_tally(per_arm: Mapping[Arm, Tally], *, status: RoundStatus) -> Tally:
    """Return what a person may know of what they wrote in a round, all arms together.

    Of attempts on which they were shown no model they know the number alone while the round
    collects.
    """
    total = Tally()
    for arm, tally in per_arm.items():
        if is_model_shown(arm, status=status):
            total += tally
        else:
            total += Tally(collected=tally.collected)
    return total


def seconds_per_verified_fooled(time: TimeSpent, tally: Tally) -> float | None:
    """Return how long people worked for one validated fooling example.

    That is the mean time of an attempt, over those whose time is known, times the attempts
    collected, by the validated fooling ones. None where fewer than half of them were timed,
    and where nothing fooled and stood.
    """
    is_timed = time.attempts > 0 and 2 * time.attempts >= tally.collected
    if not is_timed or not tally.verified_fooled:
        return None
    return time.seconds / time.attempts * tally.collected / tally.verified_fooled
