"""May this actor do this to that example."""

from dynabench.kit.actor import Actor
from dynabench.loop.examples.values import StoredExample
from dynabench.loop.tasks.values import TaskRole


def is_author(actor: Actor, example: StoredExample) -> bool:
    """Tell whether the actor wrote the example."""
    return actor.user_id is not None and actor.user_id == example.annotator_id


def can_read(actor: Actor, example: StoredExample, role: TaskRole | None) -> bool:
    """Authors see their own examples; owners and experts see all of their task."""
    return is_author(actor, example) or role in {TaskRole.OWNER, TaskRole.EXPERT}
