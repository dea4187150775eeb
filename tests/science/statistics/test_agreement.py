"""Agreement, against published examples and against statsmodels."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from statsmodels.stats import inter_rater

from dynabench.science.statistics.agreement import (
    describe_agreement,
    fleiss_kappa,
    krippendorff_alpha,
    unanimous_share,
)
from dynabench.science.statistics.rates import Rate

EVEN = st.integers(2, 5).flatmap(
    lambda size: st.lists(
        st.lists(st.sampled_from("abc"), min_size=size, max_size=size), min_size=1, max_size=12
    )
)


@given(EVEN)
def test_fleiss_kappa_is_that_of_statsmodels(items: list[list[str]]) -> None:
    assume(len({vote for votes in items for vote in votes}) > 1)
    counts = np.array([[votes.count(label) for label in "abc"] for votes in items])
    assert fleiss_kappa(items) == pytest.approx(inter_rater.fleiss_kappa(counts))


@pytest.mark.parametrize(
    ("first", "second", "alpha"),
    [("0000000001", "0000011111", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)],
)
def test_krippendorffs_own_examples_of_two_observers(first: str, second: str, alpha: float) -> None:
    items = [list(pair) for pair in zip(first, second, strict=True)]
    assert krippendorff_alpha(items) == pytest.approx(alpha, abs=0.0005)


def test_alpha_weighs_items_by_their_votes() -> None:
    # Votes: aab, bb, and a lone a that is left out. n = 5, nₐ = 2, n_b = 3.
    # Observed: (9 - 5) / 2 + 0 = 2; expected: 25 - 4 - 9 = 12; alpha = 1 - 4 · 2 / 12.
    assert krippendorff_alpha([["a", "a", "b"], ["b", "b"], ["a"]]) == pytest.approx(1 / 3)


def test_nothing_to_agree_on_is_none() -> None:
    assert fleiss_kappa([]) is None
    assert fleiss_kappa([["a", "a"]]) is None
    assert krippendorff_alpha([["a"], []]) is None
    assert krippendorff_alpha([["a", "a"]]) is None
    assert unanimous_share([]).value is None


@pytest.mark.parametrize("items", [[["a", "b"], ["a"]], [["a"], ["b"]]])
def test_kappa_needs_equally_many_votes(items: list[list[str]]) -> None:
    with pytest.raises(ValueError, match="equally many"):
        fleiss_kappa(items)


def test_all_measures_stand_together() -> None:
    found = describe_agreement([["a", "a"], ["b", "b"], ["a", "b"], ["b"]])
    assert (found.items, found.votes, found.unanimous) == (3, 6, Rate(2, 3))
    assert found.fleiss_kappa == pytest.approx(1 / 3)
    assert found.krippendorff_alpha == pytest.approx(4 / 9)
    uneven = describe_agreement([["a", "a"], ["b", "b", "a"]])
    assert uneven.fleiss_kappa is None
    assert uneven.krippendorff_alpha is not None


@given(EVEN)
def test_full_agreement_is_1_and_more_agreement_is_never_more_than_that(
    items: list[list[str]],
) -> None:
    alpha = krippendorff_alpha(items)
    assume(alpha is not None)
    assert alpha is not None
    assert alpha <= 1 + 1e-12
    is_full = unanimous_share(items).value == 1
    assert (alpha == pytest.approx(1)) is is_full
