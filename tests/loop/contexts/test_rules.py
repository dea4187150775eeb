import math
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.kit.wire import Values
from dynabench.loop.contexts.permissions import can_see
from dynabench.loop.contexts.rules import content_digest, shuffle_key
from dynabench.loop.contexts.values import Context
from dynabench.loop.tasks.values import TaskRole

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20)
contents = st.dictionaries(texts, texts, max_size=4)


@given(content=contents)
def test_the_order_of_keys_does_not_make_another_context(content: dict[str, str]) -> None:
    turned: Values = dict(reversed(content.items()))
    assert content_digest({**content}) == content_digest(turned)


@given(one=contents, other=contents)
def test_contexts_are_the_same_only_if_their_contents_are(
    one: dict[str, str], other: dict[str, str]
) -> None:
    assert (content_digest({**one}) == content_digest({**other})) is (one == other)


@given(digest=st.binary(min_size=32, max_size=32))
def test_a_shuffle_key_lies_from_zero_to_below_one(digest: bytes) -> None:
    key = shuffle_key(digest)
    assert 0 <= key < 1
    assert not math.isnan(key)


@pytest.mark.parametrize("role", [None, *TaskRole])
def test_retired_contexts_are_seen_by_members_alone(role: TaskRole | None) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    for retired_at in (None, now):
        context = Context(
            id=uuid4(),
            task_id=uuid4(),
            content={},
            tag="",
            metadata={},
            shuffle_key=0.5,
            created_at=now,
            retired_at=retired_at,
        )
        assert can_see(context, role=role) is (role is not None or retired_at is None)
