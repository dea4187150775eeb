"""What a plan proposes, and what it warns of."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynabench.loop.leaderboards.next_round.leaks.rules import ReleasedTexts, near_repeats
from dynabench.loop.leaderboards.next_round.rules import (
    in_order,
    plan_budget,
    plan_round,
    suggest_targets,
    warnings_of,
)
from dynabench.loop.leaderboards.next_round.values import (
    Budget,
    BudgetReason,
    Candidate,
    Leaks,
    PastRound,
    Period,
    Speed,
    TagUse,
    WarningCode,
)
from dynabench.loop.rounds.values import Round, RoundStatus, TargetPolicy
from dynabench.loop.validations.folds.values import Tally
from dynabench.science.statistics.agreement import Judged
from dynabench.science.statistics.concentration import describe_concentration
from dynabench.science.statistics.rates import Rate, wilson
from tests.factories.validations import judged_by

AT = datetime(2030, 1, 15, tzinfo=UTC)
TARGET = UUID(int=1)
CLEAN = Leaks(drawn=100, same=0, sampled=100, near=0, compared=50, examples=())
FRESH = TagUse(tag="news", contexts=100, used=10, annotators=20)
UNITED = judged_by([*[["yes"] * 3, ["no"] * 3] * 40, ["yes", "yes", "no"]])
SPLIT = judged_by([*[["yes", "yes", "no"], ["no", "no", "yes"]] * 40, ["yes"] * 3])


def candidate(
    number: int = 2,
    *,
    good: float | None = 0.5,
    rank: tuple[int, int] | None = None,
    is_published: bool = True,
    per_second: float | None = None,
) -> Candidate:
    return Candidate(
        model_id=UUID(int=number),
        name=f"model-{number}",
        version=1,
        scores=(),
        good=good,
        rank=rank,
        dynascore=None,
        speed=Speed(examples_per_second=per_second, is_measured_at_client=False),
        was_target_of=(),
        is_published=is_published,
    )


def round_of(number: int, *, status: RoundStatus = RoundStatus.RELEASED) -> Round:
    return Round(
        id=uuid4(),
        task_id=uuid4(),
        task_slug="nli",
        number=number,
        status=status,
        config_version=1,
        target_model_ids=(TARGET,),
        targets=(),
        arm_secret=UUID(int=3),
        is_replay=False,
        created_at=AT,
        opened_at=AT,
        closed_at=None,
        released_at=None,
        close_reason=None,
    )


def past(
    number: int,
    *,
    fooled: int = 100,
    collected: int = 400,
    judged: list[Judged] | None = None,
    people: int = 20,
    likeness: float | None = 0.1,
    votes_missing: int = 0,
) -> PastRound:
    rate = Rate(fooled, collected)
    return PastRound(
        round_=round_of(number),
        total=Tally(collected=collected, verified_fooled=fooled),
        rate=rate,
        interval=wilson(rate),
        votes_missing=votes_missing,
        likeness=None if votes_missing else likeness,
        tries_each=collected / people,
        judged=judged or [],
        work=describe_concentration([collected // people] * people),
    )


ranks = st.tuples(st.integers(1, 6), st.integers(0, 3)).map(lambda one: (one[0], sum(one)))
many = st.lists(
    st.builds(
        candidate,
        number=st.integers(1, 10**6),
        good=st.none() | st.floats(-1, 1),
        rank=st.none() | ranks,
        is_published=st.booleans(),
    ),
    max_size=8,
    unique_by=lambda one: one.model_id,
)


@given(candidates=many)
def test_what_is_suggested_can_be_opened_and_holds_the_best(candidates: list[Candidate]) -> None:
    ordered = in_order(candidates)
    found = suggest_targets(ordered, last_targets=())
    usable = [one for one in ordered if one.is_published]
    if not usable:
        assert found is None
        return
    assert found is not None
    assert found.target_model_ids[0] == usable[0].model_id
    assert set(found.target_model_ids) <= {one.model_id for one in usable}
    assert (found.policy is TargetPolicy.SINGLE) is (len(found.target_model_ids) == 1)
    assert len(found.target_model_ids) <= 3


@pytest.mark.parametrize(
    ("candidates", "numbers", "code", "reason"),
    [
        ([candidate(1, rank=(1, 1)), candidate(2, rank=(2, 2))], [1], "best", "surely the best"),
        (
            [candidate(1, rank=(1, 2)), candidate(2, rank=(1, 2))],
            [1, 2],
            "tied",
            "cannot be told apart",
        ),
        ([candidate(1, rank=(1, 2)), candidate(2, rank=(3, 3))], [1], "best", "surely the best"),
        ([candidate(1, good=None), candidate(2, good=None)], [1], "unscored", "No release says"),
        ([candidate(1, is_published=False), candidate(2)], [2], "only", "only public model"),
        ([candidate(1), candidate(2)], [1], "unranked", "none is ranked on all of them"),
    ],
)
def test_a_single_best_or_all_that_cannot_be_told_from_it(
    candidates: list[Candidate], numbers: list[int], code: str, reason: str
) -> None:
    found = suggest_targets(candidates, last_targets=())
    assert found is not None
    assert [one.int for one in found.target_model_ids] == numbers
    assert found.code == code
    assert reason in found.reason
    assert not found.is_repeated
    again = suggest_targets(candidates, last_targets=found.target_model_ids)
    assert again is not None
    assert again.is_repeated


def test_the_budget_follows_the_last_rounds_rate_people_and_pace() -> None:
    period = Period(opened_at=AT, ended_at=AT + timedelta(days=10))
    plan = plan_budget(past(1), width=0.1, period=period)
    # 285 attempts of as many people; 20 of one person say as much as 6.9 of others.
    assert plan.least_attempts == pytest.approx(285, abs=3)
    assert plan.people is not None
    assert plan.attempts is not None
    assert plan.people == pytest.approx(285 / 20 * 2.9, abs=4)
    assert (plan.tries_each, plan.attempts) == (20, 20 * plan.people)
    assert plan.validated_fooling == pytest.approx(plan.attempts / 4, abs=1)
    assert plan.days is not None
    assert plan.attempts_per_day == 40.0
    assert plan.days == pytest.approx(plan.attempts / 40, abs=1)
    assert plan.reason is None


def test_more_tries_of_the_same_people_are_no_plan() -> None:
    """What people differ by is not narrowed by any number of their attempts."""
    few = past(1, collected=120_000, fooled=30_000, people=4, likeness=0.2)
    plan = plan_budget(few, width=0.05, period=None)
    assert plan.people is not None
    assert plan.people > 150
    twice = plan_budget(replace(few, tries_each=60_000.0), width=0.05, period=None)
    assert twice.people == plan.people


def unplanned(last: PastRound | None) -> Budget:
    plan = plan_budget(last, width=0.1, period=Period(opened_at=AT, ended_at=AT))
    given = (plan.people, plan.tries_each, plan.attempts, plan.validated_fooling, plan.days)
    assert given == (None,) * 5
    assert plan.likeness is None
    return plan


def test_a_plan_that_nothing_tells_has_a_reason() -> None:
    first = unplanned(None)
    assert (first.reason, first.least_attempts) == (BudgetReason.NO_ROUND, 381)
    assert not first.is_rate_known
    empty = replace(past(1), rate=Rate(0, 0), total=Tally())
    assert unplanned(empty).reason is BudgetReason.NO_ROUND
    assert unplanned(past(1, people=1, likeness=None)).reason is BudgetReason.ONE_PERSON
    unknown = replace(past(1), round_=replace(round_of(1), people_are_known=False))
    assert unplanned(unknown).reason is BudgetReason.PEOPLE_UNKNOWN
    waiting = unplanned(past(1, votes_missing=1))
    assert waiting.reason is BudgetReason.PENDING
    # A rate of which half the votes are missing is none to plan by.
    assert (waiting.is_rate_known, waiting.expected_rate) == (False, 0.5)


@given(width=st.floats(0.05, 0.5), fooled=st.integers(0, 400))
def test_a_narrower_interval_never_costs_less(width: float, fooled: int) -> None:
    wide = plan_budget(past(1, fooled=fooled), width=width, period=None)
    narrow = plan_budget(past(1, fooled=fooled), width=width / 2, period=None)
    assert narrow.people is not None
    assert wide.people is not None
    assert narrow.people >= wide.people


def test_a_plan_grows_out_of_the_last_round_and_its_models() -> None:
    last = replace(round_of(3), context_tags=("news",), seed=7, max_tries=4)
    suggestion = suggest_targets([candidate(5)], last_targets=())
    budget = plan_budget(None, width=0.1, period=None)
    plan = plan_round(last, suggestion=suggestion, budget=budget, tags=None)
    assert plan.parent_round_ids == (last.id,)
    assert plan.parent_model_ids == plan.target_model_ids == (UUID(int=5),)
    assert (plan.context_tags, plan.max_tries, plan.seed) == (("news",), 4, 8)
    assert plan_round(last, suggestion=None, budget=budget, tags=["a"]).context_tags == ("a",)


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({}, set()),
        ({"has_release": False}, {WarningCode.NO_RELEASE}),
        ({"rounds": [round_of(3, status=RoundStatus.OPEN)]}, {WarningCode.ROUND_OPEN}),
        ({"past": [past(2), past(1)]}, {WarningCode.STALLED}),
        ({"past": [past(2, fooled=20), past(1)]}, set()),
        # What cannot be told apart yet may be once the votes are in.
        ({"past": [past(2, votes_missing=5), past(1)]}, set()),
        ({"past": [past(2), past(1, votes_missing=5)]}, set()),
        (
            {"past": [past(2, fooled=20, judged=SPLIT), past(1, judged=UNITED)]},
            {WarningCode.AGREEMENT_FELL},
        ),
        ({"past": [past(2, fooled=20, judged=UNITED), past(1, judged=SPLIT)]}, set()),
        ({"past": [past(1, people=4)]}, {WarningCode.FEW_ANNOTATORS}),
        ({"targets": []}, {WarningCode.NO_CANDIDATE}),
        ({"targets": [candidate(1)], "past": [past(1)]}, {WarningCode.SAME_TARGET}),
        ({"targets": [candidate(2, per_second=0.1)]}, {WarningCode.SLOW_TARGET}),
        ({"targets": [candidate(2, per_second=5.0)]}, set()),
        ({"tags": [replace(FRESH, used=100)]}, {WarningCode.NO_NEW_CONTEXTS}),
        ({"tags": []}, {WarningCode.NO_NEW_CONTEXTS}),
        ({"leaks": replace(CLEAN, same=20)}, {WarningCode.LEAKS}),
        ({"leaks": replace(CLEAN, near=20)}, {WarningCode.LEAKS}),
        ({"leaks": replace(CLEAN, near=2, same=2)}, set()),
    ],
)
def test_each_warning_has_its_cause(changes: dict[str, object], codes: set[WarningCode]) -> None:
    sound: dict[str, object] = {
        "has_release": True,
        "past": [],
        "rounds": [],
        "targets": [candidate(2)],
        "tags": [FRESH],
        "leaks": CLEAN,
    }
    # The parts of a plan are of many types; each case names the ones that it changes.
    found = warnings_of(**(sound | changes))  # type: ignore[arg-type]
    assert {one.code for one in found} == codes
    assert all(one.sentence.endswith(".") for one in found)


def test_a_context_that_nearly_repeats_a_released_text_is_found() -> None:
    text = "The quick brown fox jumps over the lazy dog near the river bank in the evening sun"
    released = ReleasedTexts([text, "Something else that has nothing in common with it at all."])
    near = {"premise": text.replace("evening", "evenings")}
    far = {"premise": "Nobody has ever written this sentence about boats and old mills before."}
    assert [pair[1] for pair in near_repeats([near, far, {"premise": ""}], released)] == [text]
