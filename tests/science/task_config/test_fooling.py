"""When one model is wrong, and when a round's targets are together."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.task_config.fooling import TargetPolicy, combine_fooled
from dynabench.science.task_config.schema import TaskConfig
from dynabench.science.texts.normalise import token_f1

WORDS = st.lists(st.sampled_from(["old", "stone", "bridge", "the"]), max_size=4).map(" ".join)
MAYBE = st.sampled_from([True, False, None])


@pytest.mark.parametrize(("said", "fooled"), [("neutral", False), ("entailed", True)])
def test_exact_match_is_fooled_by_another_label(
    nli: TaskConfig, said: str, *, fooled: bool
) -> None:
    prediction = {"label": said, "prob": {}}
    assert nli.decide_fooled(answer={"label": "neutral"}, prediction=prediction) is fooled
    assert nli.answers_match({"label": "neutral"}, {"label": said}) is not fooled


@pytest.mark.parametrize(
    ("said", "fooled"),
    [("the old bridge", False), ("an old stone bridge", False), ("stone", True), ("...", True)],
)
def test_string_f1_is_fooled_below_its_threshold(
    qa: TaskConfig, said: str, *, fooled: bool
) -> None:
    answer = {"answer": {"text": "old bridge", "start": 0, "end": 10}}
    assert qa.decide_fooled(answer=answer, prediction={"answer": said}) is fooled


def test_string_f1_at_its_threshold_is_not_fooled(qa: TaskConfig) -> None:
    answer, said = {"answer": "old bridge"}, {"answer": "old stone"}
    assert token_f1("old bridge", "old stone") == 0.5
    assert qa.decide_fooled(answer=answer, prediction=said) is False


@pytest.mark.parametrize("says", [True, False, None])
def test_ask_user_is_what_the_annotator_says(ask: TaskConfig, *, says: bool | None) -> None:
    assert ask.decide_fooled(answer={}, prediction={"reply": "x"}, user_says=says) is says


def test_ask_user_compares_no_answers(ask: TaskConfig) -> None:
    with pytest.raises(ValueError, match="compares no answers"):
        ask.answers_match({}, {})


@given(WORDS, WORDS)
def test_matching_is_symmetric_and_reflexive(qa: TaskConfig, one: str, other: str) -> None:
    first: Mapping[str, object] = {"answer": one}
    second: Mapping[str, object] = {"answer": other}
    assert qa.answers_match(first, first)
    assert qa.answers_match(first, second) is qa.answers_match(second, first)


@pytest.mark.parametrize(
    ("policy", "wrong", "fooled"),
    [
        ("single", [True], True),
        ("single", [False], False),
        ("random", [None], None),
        ("any-fooled", [False, True], True),
        ("any-fooled", [False, False], False),
        ("any-fooled", [False, None], None),
        ("all-fooled", [True, True], True),
        ("all-fooled", [True, None], None),
        ("all-fooled", [False, None], False),
        ("majority", [True, False], False),
        ("majority", [True, True, False], True),
        ("majority", [True, None, False], None),
        ("majority", [True, None, False, False], False),
    ],
)
def test_the_policy_decides_over_all_targets(
    policy: str, wrong: list[bool | None], *, fooled: bool | None
) -> None:
    assert combine_fooled(policy, wrong) is fooled


@pytest.mark.parametrize(
    ("policy", "wrong"), [("single", []), ("any-fooled", []), ("random", [True, False])]
)
def test_a_policy_needs_the_answers_it_judges(
    nli: TaskConfig, policy: str, wrong: list[bool | None]
) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        nli.combine_fooled(policy, wrong)


def test_an_unknown_policy_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="most"):
        combine_fooled("most", [True])


@given(
    st.sampled_from([TargetPolicy.ANY_FOOLED, TargetPolicy.ALL_FOOLED, TargetPolicy.MAJORITY]),
    st.lists(MAYBE, min_size=1, max_size=5),
    st.data(),
)
def test_what_is_decided_stays_so_whatever_open_answers_become(
    policy: TargetPolicy, wrong: list[bool | None], data: st.DataObject
) -> None:
    decided = combine_fooled(policy, wrong)
    later = [data.draw(st.booleans()) if one is None else one for one in wrong]
    final = combine_fooled(policy, later)
    assert final is not None
    assert decided in {None, final}
