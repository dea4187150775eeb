import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.ids import new_id
from dynabench.people.errors import AdminNeededError
from dynabench.people.permissions import OPERATOR, may_administrate, require_admin

PERSON = Actor(user_id=new_id(), username="ada")
ADMIN = Actor(user_id=new_id(), username="root", is_admin=True)


def test_administrators_and_the_operator_may_administrate() -> None:
    for actor in (ADMIN, OPERATOR):
        assert may_administrate(actor)
        require_admin(actor)


def test_a_visitor_is_asked_to_sign_in_and_a_person_is_refused() -> None:
    assert not may_administrate(VISITOR)
    assert not may_administrate(PERSON)
    with pytest.raises(SignInRequiredError):
        require_admin(VISITOR)
    with pytest.raises(AdminNeededError):
        require_admin(PERSON)
