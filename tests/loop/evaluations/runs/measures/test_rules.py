"""Which timed answers are those of the scores."""

import pytest

from dynabench.loop.evaluations.runs.measures.rules import difference_of

KNOWN = [{"label": "a", "sure": 0.5, "parts": [1, 2]}] * 100


@pytest.mark.parametrize(
    ("differing", "is_told"), [(0, False), (1, False), (10, False), (11, True), (100, True)]
)
def test_a_tenth_of_the_answers_may_differ(differing: int, *, is_told: bool) -> None:
    timed = {place: {**KNOWN[place], "label": "b"} for place in range(differing)}
    timed |= {place: KNOWN[place] for place in range(differing, 100)}
    said = difference_of(timed, KNOWN)
    assert (said is not None) is is_told
    if said is not None:
        assert said.told.values == {"differing": differing, "timed": 100}


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"label": "a", "sure": 0.5},
        {"label": "a", "sure": 0.52, "parts": [1, 2]},
        {"label": "a", "sure": 0.5, "parts": [1]},
        {"label": "a", "sure": "0.5", "parts": [1, 2]},
    ],
)
def test_an_answer_of_other_fields_or_numbers_is_another_one(answer: dict[str, object]) -> None:
    assert difference_of(dict.fromkeys(range(3), answer), KNOWN) is not None


def test_numbers_may_differ_by_what_batches_do() -> None:
    answer = {"label": "a", "sure": 0.5001, "parts": [1.0, 2]}
    assert difference_of(dict.fromkeys(range(3), answer), KNOWN) is None
