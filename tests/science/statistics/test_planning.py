"""How much to collect, and what has changed from one round to the next."""

from hypothesis import given
from hypothesis import strategies as st

from dynabench.science.statistics.beta_binomial import clustered_interval
from dynabench.science.statistics.planning import (
    agreement_change,
    design_effect,
    rate_change,
    size_for_width,
)
from dynabench.science.statistics.rates import Rate, wilson

rates = st.integers(1, 500).flatmap(
    lambda whole: st.integers(0, whole).map(lambda part: Rate(part, whole))
)


@given(part=st.integers(0, 100), width=st.floats(0.02, 0.9))
def test_the_size_is_the_least_that_is_narrow_enough(part: int, width: float) -> None:
    size = size_for_width(part / 100, width)
    assert size is not None
    for share in (part, 100 - part):
        # Whole counts, so that the interval is the one that a reader would see.
        found = wilson(Rate(share * size, 100 * size))
        assert found is not None
        assert found.high - found.low <= width
    assert size_for_width(part / 100, width / 2) >= size  # type: ignore[operator]


@given(before=rates, after=rates)
def test_a_change_turns_round_with_the_rounds_and_holds_its_value(
    before: Rate, after: Rate
) -> None:
    there = rate_change(before=(before, wilson(before)), after=(after, wilson(after)))
    back = rate_change(before=(after, wilson(after)), after=(before, wilson(before)))
    assert there is not None
    assert back is not None
    assert there.low <= there.difference <= there.high
    assert abs(there.low + back.high) < 1e-12
    assert there.low >= -1
    assert there.high <= 1
    assert rate_change(before=(before, wilson(before)), after=(Rate(0, 0), None)) is None


def test_people_who_differ_make_every_attempt_say_less() -> None:
    alike = [Rate(5, 10)] * 20
    unlike = [Rate(10, 10), Rate(0, 10)] * 10
    rate = Rate(100, 200)
    # That they are alike is not known for certain.
    assert design_effect(rate, clustered_interval(alike)) < 1.2
    assert 7 < design_effect(rate, clustered_interval(unlike)) < 12
    assert design_effect(Rate(0, 0), None) == 1.0


def test_agreement_that_falls_is_seen_and_noise_is_not() -> None:
    united = [["yes"] * 3, ["no"] * 3] * 60
    split = [["yes", "yes", "no"], ["no", "no", "yes"]] * 60
    fallen = agreement_change(united, split)
    same = agreement_change(split, split[:100])
    assert fallen is not None
    assert same is not None
    assert fallen.high < 0
    assert fallen.is_certain
    assert not same.is_certain
    assert agreement_change(united, [["yes"]]) is None
