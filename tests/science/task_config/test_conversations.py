"""What a stored conversation says: examples, and laws for any turns."""

from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.conversations import last_replies, messages_of

TEXTS = st.text(min_size=1, max_size=20)


@st.composite
def turns(draw: st.DrawFn) -> list[dict[str, object]]:
    count = draw(st.integers(1, 4))
    replies = st.lists(TEXTS, min_size=count, max_size=count)
    choices = st.sampled_from([None, "tie", "all_bad", *(str(place) for place in range(count))])
    return draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "text": TEXTS,
                    "candidates": replies.map(lambda texts: [{"text": text} for text in texts]),
                    "choice": choices,
                    "model_ids": st.just([f"m{place // 2}" for place in range(count)]),
                }
            ),
            max_size=4,
        )
    )


@given(turns())
def test_messages_take_turns_and_reading_them_again_changes_nothing(
    stored: list[dict[str, object]],
) -> None:
    messages = messages_of(stored, awaits_reply=False)
    assert [one["role"] for one in messages] == ["user", "assistant"] * len(stored)
    assert messages_of(messages, awaits_reply=False) == messages
    awaiting = messages_of(stored, awaits_reply=True)
    assert awaiting == messages[:-1]
    assert messages_of(messages, awaits_reply=True) == awaiting


@given(turns())
def test_every_model_stands_for_what_it_said_at_last(stored: list[dict[str, object]]) -> None:
    found = last_replies(stored)
    if not stored:
        assert found == {}
        return
    last = stored[-1]
    candidates, ids = last["candidates"], last["model_ids"]
    assert isinstance(candidates, list)
    assert isinstance(ids, list)
    assert set(found) == set(ids)
    for model_id, reply in found.items():
        own = [one["text"] for one, by in zip(candidates, ids, strict=True) if by == model_id]
        assert reply in own
    choice = last["choice"]
    if isinstance(choice, str) and choice.isdecimal():
        place = int(choice)
        assert found[ids[place]] == candidates[place]["text"]


def test_what_is_no_conversation_says_nothing() -> None:
    values: list[object] = [None, "hello", 7, {}, [], [3]]
    for value in values:
        assert messages_of(value, awaits_reply=False) == []
        assert last_replies(value) == {}
    assert last_replies([{"text": "Hello.", "candidates": [{"text": "Hi."}]}]) == {}
