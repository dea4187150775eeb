"""Models and sets on one scale: parameters come back, links are needed, order does not matter."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from dynabench.science.statistics.item_response import fit_scale, item_parameters
from dynabench.science.statistics.linking import components
from dynabench.science.statistics.response_likelihood import (
    FEWEST_FOR_DISCRIMINATION,
    Likelihood,
    Numbers,
    Responses,
)
from dynabench.science.statistics.suspicion import are_suspected, correlations

MEANS = (-0.5, 0.7)
LOW, HIGH = 0.935, 0.965


def draw(
    random: np.random.Generator,
    abilities: Numbers,
    *,
    items: int,
    means: tuple[float, ...] = MEANS,
    per_context: int = 1,
    is_free: bool = False,
) -> tuple[list[Responses], Numbers, Numbers]:
    """Return responses, and the first set's true difficulties and discriminations."""
    found, truths = [], []
    groups = np.arange(items) // per_context
    for mean in means:
        shared = random.standard_normal(items)[groups]
        hard = mean + np.sqrt(0.5) * (shared + random.standard_normal(items))
        slope = np.exp(0.5 * random.standard_normal(items)) if is_free else np.ones(items)
        chance = expit(slope * (abilities[:, None] - hard))
        right = random.random(chance.shape) < chance
        found.append(Responses(np.arange(len(abilities)), right, groups))
        truths.append((hard, slope))
    return found, *truths[0]


def skilled(count: int, *, seed: int) -> Numbers:
    found = np.random.default_rng(seed).standard_normal(count)
    return np.asarray(found - found.mean())


def test_known_parameters_come_back() -> None:
    random = np.random.default_rng(3)
    abilities = skilled(60, seed=4)
    sets, hard, slope = draw(random, abilities, items=600, is_free=True)

    scale = fit_scale(sets, models=60)
    difficulties, slopes = item_parameters(scale, 0, sets[0])

    assert scale.has_discrimination
    assert scale.is_converged
    assert np.corrcoef(scale.abilities, abilities)[0, 1] > 0.95
    assert np.corrcoef(difficulties, hard)[0, 1] > 0.9
    assert np.corrcoef(np.log(slopes), np.log(slope))[0, 1] > 0.7
    assert scale.difficulties == pytest.approx(MEANS, abs=0.2)
    assert scale.spreads == pytest.approx([1, 1], abs=0.2)
    shares, errors = scale.expected(1)
    seen = sets[1].right.mean(axis=1)
    assert np.abs(shares - seen).max() < 0.06
    assert (errors < 0.04).all()


def test_intervals_cover_what_they_should_with_items_in_contexts() -> None:
    random = np.random.default_rng(5)
    abilities = skilled(8, seed=6)
    held, held_means = [], []
    for _ in range(150):
        sets, *_ = draw(random, abilities, items=300, per_context=3)
        scale = fit_scale(sets, models=8)
        held.append(np.abs(scale.abilities - abilities) <= scale.reach(scale.ability_errors))
        reach = scale.reach(scale.difficulty_errors)
        held_means.append(np.abs(scale.difficulties - MEANS) <= reach)

    assert LOW <= np.mean(held) <= HIGH
    assert 0.92 <= np.mean(held_means) <= 0.98


def test_an_old_model_is_placed_beside_a_new_one_that_never_met_its_round() -> None:
    random = np.random.default_rng(7)
    abilities = np.array([-1.0, 1.0, 0.0, 0.3])
    (first, second), *_ = draw(random, abilities, items=1500, means=(-1.0, 1.0))
    # The weak one knows the easy round alone, the strong one the hard round alone.
    old = replace(first, models=np.array([0, 2, 3]), right=first.right[[0, 2, 3]])
    new = replace(second, models=np.array([1, 2, 3]), right=second.right[[1, 2, 3]])

    scale = fit_scale([old, new], models=4)

    assert old.right[0].mean() == pytest.approx(new.right[0].mean(), abs=0.05)
    wanted = abilities - abilities.mean()
    assert np.abs(scale.abilities - wanted).max() < 0.25
    assert scale.abilities[1] - scale.abilities[0] > 1.5
    # The old model on the new round, where it never was.
    shares, _ = scale.expected(1)
    assert shares[0] == pytest.approx(second.right[0].mean(), abs=0.06)


@settings(max_examples=5)
@given(st.randoms(use_true_random=False))
def test_the_order_of_models_and_items_does_not_matter(chance: object) -> None:
    random = np.random.default_rng(8)
    abilities = skilled(6, seed=9)
    sets, *_ = draw(random, abilities, items=80, per_context=2)
    shuffle = chance.shuffle  # type: ignore[attr-defined] # Hypothesis hands in a Random.
    models, items = list(range(6)), list(range(80))
    shuffle(models)
    shuffle(items)
    # The model at place j is now called `name[j]`.
    name = np.empty(6, dtype=np.int64)
    name[models] = np.arange(6)
    turned = [
        Responses(name[np.array(models)], one.right[models][:, items], one.groups[items])
        for one in sets
    ]

    one, other = fit_scale(sets, models=6), fit_scale(turned[::-1], models=6)

    assert other.abilities == pytest.approx(one.abilities[models], abs=1e-3)
    assert other.ability_errors == pytest.approx(one.ability_errors[models], abs=1e-3)
    assert other.difficulties[::-1] == pytest.approx(one.difficulties, abs=1e-3)


@pytest.mark.parametrize("count", [4, FEWEST_FOR_DISCRIMINATION])
def test_gradient_and_curvature_are_those_of_the_likelihood(count: int) -> None:
    random = np.random.default_rng(10)
    abilities = skilled(count, seed=11)
    sets, *_ = draw(random, abilities, items=40)
    fit = Likelihood.of(sets, models=count)
    point = fit.start(sets) + 0.1 * random.standard_normal(count + 4)

    _, gradient, products = fit.evaluate(point)
    curvature = fit.curvature(point, products)

    steps = 1e-4 * np.eye(len(point))
    ahead = [fit.evaluate(point + step) for step in steps]
    behind = [fit.evaluate(point - step) for step in steps]
    slopes = [(one[0] - other[0]) / 2e-4 for one, other in zip(ahead, behind, strict=True)]
    bends = [(other[1] - one[1]) / 2e-4 for one, other in zip(ahead, behind, strict=True)]
    assert gradient == pytest.approx(slopes, abs=1e-4)
    assert curvature == pytest.approx(np.array(bends), abs=1e-3)


def test_a_model_that_is_always_right_stays_on_the_scale() -> None:
    random = np.random.default_rng(12)
    sets, *_ = draw(random, np.zeros(3), items=50)
    right = sets[0].right.copy()
    right[0] = True

    scale = fit_scale([replace(sets[0], right=right)], models=3)

    assert np.isfinite(scale.abilities).all()
    assert np.isfinite(scale.ability_errors).all()
    assert scale.abilities.argmax() == 0


def test_too_little_is_refused() -> None:
    one = Responses(np.array([0, 1]), np.ones((2, 3), bool), np.array([0, 0, 0]))

    with pytest.raises(ValueError, match="two models"):
        fit_scale([one], models=1)
    with pytest.raises(ValueError, match="two contexts"):
        fit_scale([one], models=2)
    for right in (np.ones((2, 3), bool), np.zeros((2, 3), bool)):
        with pytest.raises(ValueError, match="a right answer and a wrong one"):
            fit_scale([Responses(one.models, right, np.array([0, 1, 2]))], models=2)


def test_what_no_model_links_falls_apart() -> None:
    parts = components({"r1": ["a", "b"], "r2": ["c"], "r3": ["b", "d"], "r4": []})

    assert [part.sets for part in parts] == [("r1", "r3"), ("r2",), ("r4",)]
    assert [set(part.models) for part in parts] == [{"a", "b", "d"}, {"c"}, set()]


def test_an_item_that_only_weak_models_get_right_is_suspected() -> None:
    abilities = np.linspace(-2, 2, 8)
    # Weak ones right, strong ones right, everybody, one model alone.
    right = np.array([abilities < 0, abilities > 0, abilities < 9, abilities < -1.9]).T

    found = correlations(abilities, right)

    assert found[0] == pytest.approx(-found[1])
    assert np.isnan(found[2])
    assert are_suspected(abilities, right).tolist() == [True, False, False, False]
    # Of five models the worst order comes by chance one time in ten.
    assert not are_suspected(abilities[1:6], abilities[1:6, None] < 0).any()


@pytest.mark.parametrize("models", [6, 8, 12, 20, 60])
def test_of_items_that_tell_nothing_one_in_twenty_is_suspected(models: int) -> None:
    random = np.random.default_rng(15)
    shares = []
    for _ in range(10):
        right = random.random((models, 2000)) < random.uniform(0.1, 0.9, 2000)
        shares.append(are_suspected(random.standard_normal(models), right).mean())

    assert np.mean(shares) <= 0.053
    assert np.mean(shares) >= (0.005 if models < 8 else 0.02)


def test_wrong_gold_is_found_among_items_of_twenty_models() -> None:
    random = np.random.default_rng(13)
    abilities = 1.5 * skilled(20, seed=14)
    (one, _), *_ = draw(random, abilities, items=400)
    right = one.right.copy()
    right[:, :40] = ~right[:, :40]

    found = are_suspected(abilities, right)

    assert found[:40].mean() > 0.6
    assert found[40:].mean() < 0.01


def test_a_set_that_is_there_twice_tells_no_more_than_once() -> None:
    (one,), _, _ = draw(
        np.random.default_rng(8), skilled(6, seed=9), items=300, means=(0.0,), per_context=3
    )
    known = replace(one, contexts=np.arange(100, dtype=np.uint64))

    once = fit_scale([one], models=6).covariance[:6, :6]
    shared = fit_scale([known, known], models=6).covariance[:6, :6]
    apart = fit_scale([one, one], models=6).covariance[:6, :6]

    assert np.diag(shared) == pytest.approx(2 * np.diag(apart), rel=1e-3)
    # But for the priors, which weigh less beside twice the answers.
    assert np.diag(shared) == pytest.approx(np.diag(once), rel=0.1)
