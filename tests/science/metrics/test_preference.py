"""Strengths from which reply was chosen."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from dynabench.science.metrics.preference import (
    CENTRE,
    UNIT,
    Battle,
    Unranked,
    battles_of,
    preference,
)

MODELS = "abcd"
POINTS = UNIT / math.log(10)

battles = st.lists(
    st.tuples(
        st.sampled_from(list(itertools.combinations(MODELS, 2))),
        st.sampled_from([0.0, 0.5, 1.0]),
        st.integers(0, 9),
    ).map(lambda drawn: Battle(*drawn[0], drawn[1], drawn[2])),
    max_size=40,
)


@settings(max_examples=60)
@given(found=battles)
def test_strengths_are_where_a_general_optimiser_finds_the_maximum(found: list[Battle]) -> None:
    board = preference(found)
    ranked = {one.model: one.value for one in board if one.value is not None}
    # The mean of those is 1000 of whom enough people tell, or of all.
    known = [one.model for one in board if one.rank is not None] or [*ranked]
    inside = [one for one in found if one.one in ranked and one.other in ranked]
    names = sorted(ranked)
    assert len(names) != 1

    def loss(theta: np.ndarray) -> float:
        gaps = np.array([theta[names.index(b.one)] - theta[names.index(b.other)] for b in inside])
        scores = np.array([b.score for b in inside])
        return float((np.logaddexp(0, -gaps) * scores + np.logaddexp(0, gaps) * (1 - scores)).sum())

    if names:
        best = minimize(loss, np.zeros(len(names)), tol=1e-12)
        middle = np.mean([best.x[names.index(one)] for one in known])
        expected = CENTRE + POINTS * (best.x - middle)
        assert [ranked[name] for name in names] == pytest.approx(expected.tolist(), abs=0.5)
        assert np.mean([ranked[one] for one in known]) == pytest.approx(CENTRE)


def test_two_models_differ_by_the_log_odds_of_winning() -> None:
    found = [Battle("a", "b", float(n < 9), n) for n in range(12)]
    first, second = preference(found)
    assert first.value is not None
    assert second.value is not None
    assert first.value - second.value == pytest.approx(POINTS * math.log(9 / 3))
    assert (first.battles, first.wins, second.wins) == (12, 9, 3)
    # The error of the log odds is √(1/p + 1/q) / √n; each of the two shows half of the gap. The
    # step that leaving one of twelve out makes is 12/11 of its own part.
    error = math.sqrt(1 / 9 + 1 / 3) * 12 / 11
    reach = 2.2009851600829387 * error * POINTS / 2
    assert first.high == pytest.approx(first.value + reach)
    assert first.low == pytest.approx(first.value - reach)


def test_a_tie_is_half_a_win_for_each() -> None:
    tied = preference([Battle("a", "b", 0.5, n) for n in range(2)])
    assert [one.value for one in tied] == [CENTRE, CENTRE]
    halves = preference([Battle("a", "b", one, n) for n, one in enumerate([1.0, 0.0])])
    assert [one.value for one in halves] == pytest.approx([CENTRE, CENTRE])


@given(found=battles, seed=st.integers(0, 99))
def test_neither_names_nor_order_matter(found: list[Battle], seed: int) -> None:
    turned = [Battle(one.other, one.one, 1 - one.score, one.group) for one in found]
    random.Random(seed).shuffle(turned)
    before = {one.model: one for one in preference(found)}
    after = {one.model: one for one in preference(turned)}
    assert before.keys() == after.keys()
    for model, one in before.items():
        assert after[model].value == pytest.approx(one.value)
        assert after[model].unranked is one.unranked
        assert (one.value is None) == (one.unranked is not None)
        assert one.rank is not None or one.low is None
        assert after[model].wins == pytest.approx(one.wins)


def test_who_never_lost_has_no_strength() -> None:
    found = [
        *(Battle("a", other, 1.0, 1) for other in "bcd"),
        Battle("b", "c", 1.0, 2),
        Battle("c", "b", 1.0, 3),
        Battle("b", "d", 1.0, 4),
    ]
    listed = {one.model: one for one in preference(found)}
    assert listed["a"].unranked is Unranked.NEVER_LOST
    assert listed["d"].unranked is Unranked.NEVER_WON
    assert listed["b"].value == listed["c"].value == CENTRE


def test_groups_that_never_met_cannot_be_compared() -> None:
    linked = [Battle("a", "b", 0.5, 1), Battle("b", "c", 0.5, 2)]
    apart = [Battle("x", "y", 0.5, 3), Battle("x", "y", 1.0, 4)]
    listed = {one.model: one for one in preference([*linked, *apart])}
    assert {name for name, one in listed.items() if one.value is None} == {"x", "y"}
    assert listed["x"].unranked is listed["y"].unranked is Unranked.UNLINKED
    one_way = [Battle("a", "x", 1.0, 5)]
    listed = {one.model: one for one in preference([*linked, *apart, *one_way])}
    assert listed["x"].unranked is Unranked.ONE_SIDED


def test_nobody_is_ranked_alone_or_without_data() -> None:
    assert preference([]) == []
    assert [one.unranked for one in preference([Battle("a", "b", 1.0, 1)])] == [
        Unranked.NEVER_LOST,
        Unranked.NEVER_WON,
    ]


def test_one_conversation_says_nothing_of_the_spread() -> None:
    found = preference([Battle("a", "b", 0.5, 1), Battle("a", "b", 1.0, 1)])
    assert all(one.value is not None and one.low is None and one.rank is None for one in found)


def test_people_who_all_chose_alike_say_nothing_of_others() -> None:
    # Each of six people chose each model once.
    found = preference([Battle("a", "b", score, n) for n in range(6) for score in (1.0, 0.0)])
    assert all(one.value == CENTRE and one.low is None and one.rank is None for one in found)


@pytest.mark.parametrize("models", [3, 12])
def test_equal_models_judged_by_people_of_own_taste_are_seldom_ordered(models: int) -> None:
    drawn = np.random.default_rng(2)
    wrong = covered = ranked = 0
    for _ in range(60):
        found = []
        for person in range(12):
            taste = drawn.normal(0, 0.7, models)
            for _ in range(20 * models // 3):
                one, other = drawn.choice(models, 2, replace=False)
                chance = 1 / (1 + math.exp(taste[other] - taste[one]))
                score = float(drawn.random() < chance)
                found.append(Battle(f"{one:02}", f"{other:02}", score, person))
        board = preference(found)
        wrong += any(one.rank != 1 for one in board)
        for one in board:
            assert one.low is not None
            assert one.high is not None
            covered += one.low <= CENTRE <= one.high
            ranked += 1
    assert wrong <= 0.12 * 60
    assert covered >= 0.9 * ranked


@pytest.mark.parametrize(
    ("people", "unevenness", "busiest"), [(15, 1.2, 0.0), (30, 0.0, 0.3), (20, 0.0, 0.6)]
)
def test_a_few_who_choose_most_order_no_equal_models(
    people: int, unevenness: float, busiest: float
) -> None:
    drawn = np.random.default_rng(4)
    wrong = covered = told = 0
    for _ in range(60):
        sizes = drawn.lognormal(0, unevenness, people)
        if busiest:
            sizes[0] = busiest / (1 - busiest) * sizes[1:].sum()
        found = []
        for person, votes in enumerate(np.ceil(20 * people * sizes / sizes.sum()).astype(int)):
            taste = drawn.standard_normal(3)
            for _ in range(votes):
                one, other = drawn.choice(3, 2, replace=False)
                chance = 1 / (1 + math.exp(taste[other] - taste[one]))
                score = float(drawn.random() < chance)
                found.append(Battle(str(one), str(other), score, person))
        board = preference(found)
        wrong += any(one.rank not in {1, None} for one in board)
        for one in board:
            if one.low is not None and one.high is not None:
                covered += one.low <= CENTRE <= one.high
                told += 1
    assert wrong <= 0.1 * 60
    assert (told == 0) if busiest > 0.5 else (covered >= 0.9 * told)


@pytest.mark.parametrize(
    "design",
    [
        [(20, "abc"), (1, "ad")],
        [(20, "abc"), (3, "ad")],
        [(8, "ab"), (8, "bc"), (3, "cd")],
        [(3, "ab"), (3, "bc"), (3, "cd"), (3, "de"), (3, "ef")],
        [(6, "ab"), (6, "bc"), (6, "cd")],
    ],
)
def test_a_model_that_few_people_judged_is_known_by_few(design: list[tuple[int, str]]) -> None:
    drawn = np.random.default_rng(8)
    wrong = covered = told = 0
    for _ in range(60):
        found, person = [], 0
        for people, models in design:
            for _ in range(people):
                person += 1
                taste = dict(zip(models, drawn.standard_normal(len(models)), strict=True))
                for _ in range(20):
                    one, other = drawn.choice(list(models), 2, replace=False)
                    chance = 1 / (1 + math.exp(taste[other] - taste[one]))
                    found.append(Battle(one, other, float(drawn.random() < chance), person))
        board = preference(found)
        wrong += any(one.rank not in {1, None} for one in board)
        for one in board:
            if one.low is not None and one.high is not None:
                covered += one.low <= CENTRE <= one.high
                told += 1
    assert wrong <= 0.1 * 60
    assert covered >= 0.9 * told


def test_a_rank_counts_who_is_clearly_stronger() -> None:
    drawn = random.Random(5)
    found = [
        Battle(one, other, float(drawn.random() < chance), n)
        for n in range(300)
        for one, other, chance in [("a", "b", 0.8), ("a", "c", 0.8), ("b", "c", 0.5)]
    ]
    first, *others = preference(found)
    assert (first.model, first.rank) == ("a", 1)
    assert {one.rank for one in others} == {2}


def test_intervals_cover_the_truth() -> None:
    drawn = random.Random(11)
    truth = {"a": 0.6, "b": 0.0, "c": -0.6}
    inside = 0
    for _ in range(150):
        found = []
        for group in range(60):
            one, other = drawn.sample("abc", 2)
            chance = 1 / (1 + math.exp(truth[other] - truth[one]))
            found.append(Battle(one, other, float(drawn.random() < chance), group))
        for place in preference(found):
            assert place.low is not None
            assert place.high is not None
            inside += place.low <= CENTRE + POINTS * truth[place.model] <= place.high
    assert 0.92 <= inside / 450 <= 0.98


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("1", [("b", "a", 1.0), ("b", "c", 1.0)]),
        ("tie", [("a", "b", 0.5), ("a", "c", 0.5), ("b", "c", 0.5)]),
        ("all_bad", []),
        (None, []),
        ("3", []),
    ],
)
def test_a_choice_beats_all_others(
    choice: str | None, expected: list[tuple[str, str, float]]
) -> None:
    found = battles_of(["a", "b", "c"], choice, group="chat")
    assert [(one.one, one.other, one.score) for one in found] == expected
    assert all(one.one != one.other for one in battles_of(["a", "a"], choice, group=1))
