"""Whether agreement fell: over other people, and not over other items alone."""

import numpy as np
import pytest

from dynabench.science.statistics.agreement import Judged, krippendorff_alpha
from dynabench.science.statistics.agreement_change import agreement_change
from tests.factories.validations import judged_by

UNITED = [*[["yes"] * 3, ["no"] * 3] * 60, ["yes", "yes", "no"], ["no", "no", "yes"]]
SPLIT = [["yes"] * 3, *[["yes", "yes", "no"], ["no", "no", "yes"]] * 60]


def test_agreement_that_falls_is_seen_and_noise_is_not() -> None:
    fallen = agreement_change(judged_by(UNITED), judged_by(SPLIT))
    same = agreement_change(judged_by(SPLIT), judged_by(SPLIT[:100]))

    was, is_ = krippendorff_alpha(UNITED), krippendorff_alpha(SPLIT)
    assert fallen is not None
    assert same is not None
    assert was is not None
    assert is_ is not None
    assert fallen.difference == pytest.approx(is_ - was)
    assert fallen.high < 0
    assert fallen.is_certain
    assert not same.is_certain


def test_few_items_few_people_and_all_alike_say_nothing() -> None:
    united = judged_by(UNITED)
    split = [["yes", "yes", "no"], ["no", "no", "yes"]]

    assert agreement_change(united, judged_by([["yes"]])) is None
    assert agreement_change(judged_by([["yes", "yes"], ["no", "no"]]), united) is None
    assert agreement_change(united, judged_by([*split * 4, ["yes"], ["no"]])) is None
    assert agreement_change(united, judged_by(SPLIT, authors=4)) is None
    assert agreement_change(united, judged_by(SPLIT, people=4)) is None
    # All agree, and go on to without anybody.
    assert agreement_change(judged_by([["yes"] * 3, ["no"] * 3] * 60), united) is None
    # Without the author of the one odd item there is one label alone.
    assert agreement_change(united, judged_by([["yes", "yes"]] * 39 + [["yes", "no"]])) is None


def drawn(random: np.random.Generator, *, authors: int, validators: int) -> list[Judged]:
    """Return 300 items of which some are unclear, more of one author's than of another's."""
    unclear = random.beta(0.2 * 9, 0.8 * 9, authors)
    careless = random.beta(0.05 * 19, 0.95 * 19, validators)
    items = []
    for author in random.integers(authors, size=300):
        gold, is_unclear = random.integers(3), random.random() < 0.6 * unclear[author]
        votes = []
        for one in random.choice(validators, 3, replace=False):
            is_guess = is_unclear or random.random() < careless[one]
            votes.append((one, random.integers(3) if is_guess else gold))
        items.append(Judged(author, votes))
    return items


@pytest.mark.parametrize(("authors", "validators"), [(5, 20), (12, 6), (30, 20)])
def test_rounds_of_other_people_alike_differ_surely_in_next_to_none(
    authors: int, validators: int
) -> None:
    random = np.random.default_rng(6)
    wrong, trials = 0, 40

    for _ in range(trials):
        found = agreement_change(
            drawn(random, authors=authors, validators=validators),
            drawn(random, authors=authors, validators=validators),
        )
        assert found is not None
        wrong += found.is_certain

    assert wrong <= 0.1 * trials
