"""May this actor see that conversation."""

from dynabench.kit.actor import Actor
from dynabench.loop.chats.values import Chat


def is_own(actor: Actor, chat: Chat) -> bool:
    """Tell whether the actor holds the conversation; until it is submitted nobody else sees it."""
    return actor.user_id is not None and actor.user_id == chat.place.annotator_id
