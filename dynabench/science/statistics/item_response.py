"""Models and sets of items on one scale: an item response model over all sets at once.

P(model j is right on item i) = 1 / (1 + exp(-aᵢ·(θⱼ - bᵢ))) (Lord 1980, "Applications of item
response theory to practical testing problems"; for models in place of people: Lalor, Wu & Yu
2016; Rodriguez et al. 2021, "Evaluation examples are not equally informative"). Models are
few and items many, so that it is the items which are integrated out: a set's difficulties are
N(μ, σ²) with a mean and a spread of its own, ln a ~ N(0, 0.5²), θ ~ N(0, 1), and θ, μ and σ are
what is estimated, each from all the items that bear on it.

Sets of items share none. What links them are models that were scored on several.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, stdtrit

from dynabench.science.statistics.response_likelihood import (
    Block,
    Grid,
    Likelihood,
    Numbers,
    Responses,
    posteriors,
)

_MOST_STEPS = 100
_MOST_HALVINGS = 12
_MOST_PATTERNS_FOR_START = 1_000
# In units of the log-likelihood, of which one is much less than what chance moves.
_TOLERANCE = 1e-5
_HIGH = 0.975
_PAIR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Models and sets in logits; 0 is the average of the models.

    Attributes:
        abilities: Each model's θ.
        difficulties: Each set's mean difficulty μ.
        spreads: How far each set's items differ in difficulty: σ.
        covariance: Of θ, μ and ln σ, in this order, clustered by context.
        has_discrimination: Whether items differ in how well they tell models apart.
        freedom: Degrees of freedom of intervals.
        is_converged: Whether the last step changed nothing that matters.
    """

    abilities: Numbers
    difficulties: Numbers
    spreads: Numbers
    covariance: Numbers
    has_discrimination: bool
    freedom: int
    is_converged: bool

    def reach(self, errors: Numbers) -> Numbers:
        """Return how far 95 % intervals reach from their estimates."""
        return np.asarray(float(stdtrit(self.freedom, _HIGH)) * errors)

    @property
    def errors(self) -> Numbers:
        """Standard errors of θ, μ and ln σ."""
        return np.asarray(np.sqrt(np.maximum(np.diag(self.covariance), 0.0)))

    @property
    def ability_errors(self) -> Numbers:
        """Standard errors of θ, as distances from the average of the models."""
        return self.errors[: len(self.abilities)]

    @property
    def difficulty_errors(self) -> Numbers:
        """Standard errors of μ."""
        models, sets = len(self.abilities), len(self.difficulties)
        return self.errors[models : models + sets]

    def expected(self, which: int) -> tuple[Numbers, Numbers]:
        """Return the share of a set's items that each model is expected to get right.

        That is also said of models which were never scored there. The error is that of θ, μ
        and σ together, to first order.

        Args:
            which: The set's place.

        Returns:
            Shares, and their standard errors.
        """
        models, sets = len(self.abilities), len(self.difficulties)
        grid = Grid.of(1, is_free=self.has_discrimination)
        sigma = self.spreads[which]
        chance = expit(grid.logits(self.abilities - self.difficulties[which], sigma))
        weights = np.exp(grid.log_weights)
        slope = chance * (1 - chance) * grid.slopes
        by_ability = slope @ weights
        gradient = np.zeros((models, models + 2 * sets))
        gradient[np.arange(models), np.arange(models)] = by_ability
        gradient[:, models + which] = -by_ability
        gradient[:, models + sets + which] = -sigma * (slope * grid.places) @ weights
        variance = np.einsum("ij,jk,ik->i", gradient, self.covariance, gradient)
        return chance @ weights, np.sqrt(np.maximum(variance, 0.0))


def fit_scale(sets: Sequence[Responses], *, models: int) -> Scale:
    """Estimate every model's θ and every set's difficulty from all sets at once.

    The penalised marginal likelihood is climbed by steps of its scores' outer products
    (Berndt, Hall, Hall & Hausman 1974). Errors are H⁻¹ J H⁻¹ with J clustered by context, so
    that they hold where difficulties are not normal. The order of models and of items does
    not matter.

    Args:
        sets: At least one; models and sets must hang together (`linking.components`).
        models: How many models there are in all.

    Raises:
        ValueError: With fewer than two models, a set without items or with one context, or a
            set on which every answer is right or every one wrong: no difficulty is the likeliest.
    """
    if models < _PAIR:
        message = "A scale needs at least two models."
        raise ValueError(message)
    if not sets or any(one.right.shape[1] == 0 or one.groups.max() < 1 for one in sets):
        message = "Every set needs items of at least two contexts."
        raise ValueError(message)
    if any(one.right.all() or not one.right.any() for one in sets):
        message = "Every set needs a right answer and a wrong one."
        raise ValueError(message)
    fit = Likelihood.of(sets, models=models)
    # A part of very many patterns leads close to where all of them lead.
    near, _ = _climb(fit.sample(_MOST_PATTERNS_FOR_START), fit.start(sets))
    point, is_converged = _climb(fit, near)
    curvature = fit.curvature(point, fit.evaluate(point)[2])
    meat = fit.clustered(point)
    inverse = np.linalg.inv((curvature + curvature.T) / 2)
    count = len(sets)
    return Scale(
        abilities=point[:models],
        difficulties=point[models : models + count],
        spreads=np.exp(point[models + count :]),
        covariance=inverse @ meat @ inverse,
        has_discrimination=fit.is_free,
        freedom=min(int(one.groups.max()) for one in sets),
        is_converged=is_converged,
    )


def item_parameters(scale: Scale, which: int, responses: Responses) -> tuple[Numbers, Numbers]:
    """Return each item's difficulty and discrimination: posterior means, given the scale."""
    block = Block.of(responses, which=which)
    grid = Grid.of(len(responses.models), is_free=scale.has_discrimination)
    sigma = scale.spreads[which]
    logits = grid.logits(scale.abilities[block.models] - scale.difficulties[which], sigma)
    found = np.concatenate(
        [
            posterior @ np.column_stack([grid.places, grid.slopes])
            for _, _, posterior in posteriors(block, grid, logits)
        ]
    )[block.pattern_of]
    return scale.difficulties[which] + sigma * found[:, 0], found[:, 1]


def _climb(fit: Likelihood, point: Numbers) -> tuple[Numbers, bool]:
    value, gradient, products = fit.evaluate(point)
    for _ in range(_MOST_STEPS):
        step = np.linalg.solve(products, gradient)
        gain = float(gradient @ step)
        if gain < _TOLERANCE:
            return point, True
        length = 1.0
        for _ in range(_MOST_HALVINGS):
            tried = fit.evaluate(point + length * step)
            if tried[0] > value:
                break
            length /= 2
        else:
            return point, False
        point = point + length * step
        value, gradient, products = tried
    return point, False
