"""Decisions about assignments: tags to draw from, the label an annotator is asked to reach."""

import hashlib
from collections.abc import Sequence
from uuid import UUID

from dynabench.science.task_config.schema import TaskConfig


def tags_to_draw(*, of_round: Sequence[str], wanted: Sequence[str]) -> list[str]:
    """Return the tags that both the round and the annotator allow; empty means all.

    Where they share none, the round's tags hold: a wish never leads outside the round.
    """
    if not wanted:
        return list(of_round)
    if not of_round:
        return list(wanted)
    return [tag for tag in wanted if tag in set(of_round)] or list(of_round)


def goals_of(config: TaskConfig, *, annotator_id: UUID, context_id: UUID) -> dict[str, str]:
    """Return the label to reach for each goal field: the same after a reload, even over people.

    The annotator may choose another; the goal only spreads examples over the labels.
    """
    seed = hashlib.sha256(annotator_id.bytes + context_id.bytes).digest()
    goal = config.goal_field
    if goal is None:
        return {}
    labels = config.labels_of(goal.name)
    return {goal.name: labels[int.from_bytes(seed[:8], "big") % len(labels)]}
