import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.ids import new_id
from dynabench.loop.tasks.errors import TaskRoleNeededError, TaskStateError
from dynabench.loop.tasks.permissions import (
    is_listed,
    may_annotate,
    may_own,
    may_see,
    require_annotator,
)
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from dynabench.science.task_config.loader import load_task_config
from tests.factories.tasks import NLI_CONFIG

PERSON = Actor(user_id=new_id(), username="ada")

statuses = st.sampled_from(TaskStatus)
roles = st.none() | st.sampled_from(TaskRole)


def _task(*, status: TaskStatus = TaskStatus.ACTIVE, is_open: bool = True) -> Task:
    return Task(
        id=new_id(),
        slug="nli",
        status=status,
        config=load_task_config(NLI_CONFIG),
        config_version=1,
        is_open_to_everyone=is_open,
    )


@given(status=statuses, role=roles, is_open=st.booleans())
def test_annotating_needs_an_active_task_that_is_open_or_ones_own(
    *, status: TaskStatus, role: TaskRole | None, is_open: bool
) -> None:
    task = _task(status=status, is_open=is_open)
    expected = status is TaskStatus.ACTIVE and (is_open or role is not None)
    assert may_annotate(task, role, PERSON) == expected
    assert not may_annotate(task, role, VISITOR)


def test_who_may_not_annotate_is_told_why() -> None:
    with pytest.raises(SignInRequiredError):
        require_annotator(_task(), None, VISITOR)
    with pytest.raises(TaskStateError):
        require_annotator(_task(status=TaskStatus.ARCHIVED), TaskRole.OWNER, PERSON)
    with pytest.raises(TaskRoleNeededError):
        require_annotator(_task(is_open=False), None, PERSON)
    require_annotator(_task(), None, PERSON)
    require_annotator(_task(is_open=False), TaskRole.ANNOTATOR, PERSON)


@given(statuses, roles)
def test_what_is_listed_can_be_seen_and_members_see_everything(
    status: TaskStatus, role: TaskRole | None
) -> None:
    assert may_see(status, role) or not is_listed(status, role)
    assert may_see(status, role) == (status is not TaskStatus.DRAFT or role is not None)
    assert is_listed(status, role) == (status is TaskStatus.ACTIVE or role is not None)


@pytest.mark.parametrize(
    ("role", "owns"),
    [
        (None, False),
        (TaskRole.ANNOTATOR, False),
        (TaskRole.EXPERT, False),
        (TaskRole.OWNER, True),
    ],
)
def test_owners_alone_own(*, role: TaskRole | None, owns: bool) -> None:
    assert may_own(role) is owns
