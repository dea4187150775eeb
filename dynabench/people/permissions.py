"""What people may do to accounts."""

from dynabench.kit.actor import Actor, require_signed_in
from dynabench.people.errors import AdminNeededError

# Whoever has the machine: the command line acts in this name.
OPERATOR = Actor(user_id=None, username="operator", is_admin=True)


def may_administrate(actor: Actor) -> bool:
    """Tell whether the actor may see and change other people's accounts."""
    return actor.is_admin


def require_admin(actor: Actor) -> None:
    """Refuse whoever is no administrator.

    Raises:
        SignInRequiredError: If the actor is a visitor.
        AdminNeededError: If the actor is somebody else.
    """
    if may_administrate(actor):
        return
    require_signed_in(actor)
    raise AdminNeededError
