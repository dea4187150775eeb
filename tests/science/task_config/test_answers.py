"""The answer that a quorum of validators share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.schema import TaskConfig

LABELS = st.lists(st.sampled_from(["entailed", "neutral", "contradictory"]), max_size=7)
TEXTS = st.lists(
    st.lists(st.sampled_from(["old", "stone", "bridge"]), min_size=1, max_size=3).map(" ".join),
    max_size=6,
)


def label_gold(config: TaskConfig, labels: list[str], quorum: int) -> object:
    gold = config.gold_from_answers([{"label": label} for label in labels], quorum)
    return None if gold is None else gold["label"]


def text_gold(config: TaskConfig, texts: list[str], quorum: int) -> object:
    gold = config.gold_from_answers([{"answer": text} for text in texts], quorum)
    return None if gold is None else gold["answer"]


def test_the_gold_is_what_a_quorum_says(nli: TaskConfig) -> None:
    assert label_gold(nli, ["neutral", "entailed", "neutral"], 2) == "neutral"
    assert label_gold(nli, ["neutral", "entailed", "neutral"], 3) is None
    assert label_gold(nli, [], 1) is None


def test_the_first_quorum_decides(nli: TaskConfig) -> None:
    said = ["neutral", "entailed", "neutral", "entailed", "entailed"]
    assert label_gold(nli, said, 2) == "neutral"


def test_free_text_takes_the_member_that_is_closest_to_its_group(qa: TaskConfig) -> None:
    texts = ["old bridge", "old stone bridge", "stone bridge", "harbour"]
    assert text_gold(qa, texts, 3) == "old stone bridge"


def test_the_largest_group_wins_over_a_closer_one(qa: TaskConfig) -> None:
    # The last answer makes two quorums at once; "b c" is matched by three, "a" by two.
    texts = ["a x", "b c", "c d", "b c d e"]
    assert text_gold(qa, texts[1:], 3) == "b c d e"
    assert text_gold(qa, ["bridge", "bridge", "old"], 2) == "bridge"


def test_equally_close_members_leave_it_to_the_earliest(qa: TaskConfig) -> None:
    assert text_gold(qa, ["The Bridge", "bridge"], 2) == "The Bridge"


def test_a_quorum_of_nobody_is_a_mistake_of_ours(nli: TaskConfig) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        label_gold(nli, ["neutral"], 0)


@given(LABELS, LABELS, st.integers(1, 4))
def test_later_votes_never_change_a_label(
    nli: TaskConfig, before: list[str], after: list[str], quorum: int
) -> None:
    gold = label_gold(nli, before, quorum)
    if gold is not None:
        assert before.count(str(gold)) >= quorum
        assert label_gold(nli, before + after, quorum) == gold


@given(TEXTS, TEXTS, st.integers(1, 3))
def test_later_votes_never_change_a_text(
    qa: TaskConfig, before: list[str], after: list[str], quorum: int
) -> None:
    gold = text_gold(qa, before, quorum)
    if gold is not None:
        assert gold in before
        assert text_gold(qa, before + after, quorum) == gold
