"""Who fooled what: skill of annotators, strength of models, difficulty of contexts.

logit P(fooled) = skill(annotator) - strength(model) - difficulty(context). Skills and
difficulties are drawn to 0 by a ridge, as draws from N(0, 1); strengths hardly are. A round's
model error rate hangs on who played: with everybody's skill put in place of the players' it is
corrected for that.

Annotators are a sample of those who might have played: errors are to first order those of
drawing annotators with replacement (the infinitesimal jackknife, Jaeckel 1972).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.sparse.linalg import LinearOperator, cg
from scipy.special import expit, stdtrit

from dynabench.science.statistics.clusters import effective_clusters
from dynabench.science.statistics.rates import Z_95

FEWEST_ANNOTATORS = 2
"""One person's skill cannot be told from the strength of what they tried to fool."""

MIN_CLUSTERS = 10
"""With fewer annotators than this their spread says too little to be used.

They count in effect: for a model, or a round, those who tried it, by how much they did.
"""

_RIDGE = 1.0
_RIDGE_OF_STRENGTH = 0.01
_MOST_STEPS = 50
_MOST_TURNS = 2_000
_SHORTEST = 1e-6
_TOLERANCE = 1e-8
_SOLVER_TOLERANCE = 1e-9
_PAIRS_PER_CHUNK = 2_000
_HIGH = 0.975

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """Attempts that are alike in annotator, model, context and round, counted.

    All four are places from 0 without gaps.
    """

    annotators: Places
    models: Places
    contexts: Places
    rounds: Places
    tried: Numbers
    fooled: Numbers


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval; without an interval where annotators are too few."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """What attempts say of everybody in them, in logits, and of rounds, as rates.

    Attributes:
        skills: Of annotators; 0 is the average person.
        strengths: Of models, against the average person and context.
        rates: By round, the model error rate that the average of all annotators would have.
    """

    skills: Sequence[Estimate]
    strengths: Sequence[Estimate]
    rates: Sequence[Estimate]


def fit_attempts(attempts: Attempts) -> Contest:
    """Estimate skills, strengths and corrected rates.

    Skills' intervals are those of posteriors, given the strengths; those of strengths and rates
    are over annotators, of whom ten in effect must have tried the model, or played the round.

    Raises:
        ValueError: With fewer than two annotators.
    """
    fit = _Fit.of(attempts)
    if fit.annotators < FEWEST_ANNOTATORS:
        message = "Skill and strength need at least two annotators."
        raise ValueError(message)
    solved = _Solved.of(fit)
    places = range(fit.annotators, fit.annotators + fit.models)
    return Contest(
        skills=solved.skills(),
        strengths=[solved.strength(place) for place in places],
        rates=[solved.rate(number) for number in range(int(attempts.rounds.max()) + 1)],
    )


@dataclass(frozen=True, slots=True)
class _Fit:
    """The penalised likelihood of skills, strengths and difficulties, in this order."""

    attempts: Attempts
    design: csr_array
    ridge: Numbers
    annotators: int
    models: int

    @classmethod
    def of(cls, attempts: Attempts) -> "_Fit":
        annotators, models, contexts = (
            int(one.max()) + 1 for one in (attempts.annotators, attempts.models, attempts.contexts)
        )
        rows = len(attempts.tried)
        model_columns = annotators + attempts.models
        context_columns = annotators + models + attempts.contexts
        columns = np.column_stack([attempts.annotators, model_columns, context_columns])
        values = np.tile([1.0, -1.0, -1.0], rows)
        size = annotators + models + contexts
        design = csr_array(
            (values, columns.ravel(), np.arange(0, 3 * rows + 1, 3)), shape=(rows, size)
        )
        ridge = np.full(size, _RIDGE)
        ridge[annotators : annotators + models] = _RIDGE_OF_STRENGTH
        return cls(attempts, design, ridge, annotators, models)

    def value(self, point: Numbers) -> float:
        """Return the penalised log-likelihood."""
        logits = self.design @ point
        likelihood = self.attempts.fooled @ logits
        likelihood -= self.attempts.tried @ np.logaddexp(0.0, logits)
        return float(likelihood - 0.5 * self.ridge @ point**2)

    def residuals(self, point: Numbers) -> Numbers:
        """Return row by row how many more attempts fooled than was expected."""
        return np.asarray(self.attempts.fooled - self.attempts.tried * expit(self.design @ point))

    def weights(self, point: Numbers) -> Numbers:
        """Return row by row what an attempt says of its logit."""
        chance = expit(self.design @ point)
        return np.asarray(self.attempts.tried * chance * (1 - chance))

    def solve(self, point: Numbers, wanted: Numbers) -> Numbers:
        """Return H⁻¹ · wanted, with H minus the second derivatives at a point."""
        weights = self.weights(point)
        diagonal = abs(self.design).T @ weights + self.ridge
        scale = 1 / np.sqrt(diagonal)

        def multiply(vector: Numbers) -> Numbers:
            inner = scale * vector
            moved = self.design.T @ (weights * (self.design @ inner)) + self.ridge * inner
            return np.asarray(scale * moved)

        size = len(wanted)
        curvature = LinearOperator((size, size), matvec=multiply, dtype=np.float64)
        found, _ = cg(curvature, scale * wanted, rtol=_SOLVER_TOLERANCE, maxiter=_MOST_TURNS)
        return np.asarray(scale * found)

    def climb(self) -> Numbers:
        """Return where the penalised likelihood is highest, by Newton's steps."""
        point = np.zeros(len(self.ridge))
        value = self.value(point)
        for _ in range(_MOST_STEPS):
            gradient = self.design.T @ self.residuals(point) - self.ridge * point
            step = self.solve(point, gradient)
            if gradient @ step < _TOLERANCE:
                break
            length = 1.0
            while (tried := self.value(point + length * step)) < value and length > _SHORTEST:
                length /= 2
            point = point + length * step
            value = tried
        return point


@dataclass(frozen=True, slots=True)
class _Solved:
    """The likelihood at its highest point, and what estimates there vary by."""

    fit: _Fit
    point: Numbers
    residuals: Numbers

    @classmethod
    def of(cls, fit: _Fit) -> "_Solved":
        point = fit.climb()
        return cls(fit, point, fit.residuals(point))

    def skills(self) -> list[Estimate]:
        """Return annotators' skills: what their contexts explain is not theirs."""
        fit, attempts = self.fit, self.fit.attempts
        weights = fit.weights(self.point)
        size = (fit.annotators, int(attempts.contexts.max()) + 1)
        together = coo_array((weights, (attempts.annotators, attempts.contexts)), shape=size)
        shared = together.tocsr()
        by_context = np.asarray(shared.sum(axis=0)).ravel() + _RIDGE
        own = np.asarray(shared.sum(axis=1)).ravel() + _RIDGE
        own -= np.asarray(shared.multiply(shared) @ (1 / by_context)).ravel()
        reaches = Z_95 / np.sqrt(own)
        return [
            Estimate(float(value), float(value - reach), float(value + reach))
            for value, reach in zip(self.point[: fit.annotators], reaches, strict=True)
        ]

    def strength(self, place: int) -> Estimate:
        """Return the strength of the model with this place in the point."""
        wanted = np.zeros(len(self.point))
        wanted[place] = 1.0
        value = float(self.point[place])
        chosen = self.fit.attempts.models == place - self.fit.annotators
        error = self._error(wanted, np.zeros(self.fit.annotators), chosen)
        if error is None:
            return Estimate(value, None, None)
        return Estimate(value, value - error, value + error)

    def rate(self, number: int) -> Estimate:
        """Return a round's model error rate, had everybody played it alike."""
        fit, attempts = self.fit, self.fit.attempts
        chosen = attempts.rounds == number
        pairs, of = np.unique(
            np.column_stack([attempts.models[chosen], attempts.contexts[chosen]]),
            axis=0,
            return_inverse=True,
        )
        shares = np.bincount(of.ravel(), weights=attempts.tried[chosen])
        shares = shares / shares.sum()
        columns = fit.annotators + pairs + np.array([0, fit.models])
        offsets = self.point[columns].sum(axis=1)
        skills = self.point[: fit.annotators]
        by_person = np.zeros(fit.annotators)
        wanted = np.zeros(len(self.point))
        for begin in range(0, len(pairs), _PAIRS_PER_CHUNK):
            part = slice(begin, begin + _PAIRS_PER_CHUNK)
            chance = expit(skills[None, :] - offsets[part, None])
            slope = chance * (1 - chance) / fit.annotators
            by_person += shares[part] @ chance
            wanted[: fit.annotators] += shares[part] @ slope
            np.subtract.at(wanted, columns[part], (shares[part] * slope.sum(axis=1))[:, None])
        value = float(by_person.mean())
        error = self._error(wanted, (by_person - value) / fit.annotators, chosen)
        if error is None:
            return Estimate(value, None, None)
        reach = error / (value * (1 - value))
        middle = float(np.log(value / (1 - value)))
        return Estimate(value, float(expit(middle - reach)), float(expit(middle + reach)))

    def _error(self, wanted: Numbers, own: Numbers, chosen: NDArray[np.bool_]) -> float | None:
        """Return how far a 95 % interval reaches; None with too few annotators.

        Args:
            wanted: How the estimate moves with each number of the point.
            own: How it moves with each annotator beside that.
            chosen: The attempts on what is estimated.
        """
        fit, attempts = self.fit, self.fit.attempts
        tried = np.bincount(attempts.annotators[chosen], weights=attempts.tried[chosen])
        if effective_clusters(tried / tried.sum()) < MIN_CLUSTERS - _SHORTEST:
            return None
        moved = fit.solve(self.point, wanted)
        # A second one of an annotator is another person of equal skill: only what models and
        # contexts have of their attempts is moved.
        moved[: fit.annotators] = 0.0
        rows = self.residuals * (fit.design @ moved)
        people = own + np.bincount(fit.attempts.annotators, weights=rows, minlength=fit.annotators)
        count = fit.annotators
        error = float(np.sqrt((people**2).sum() * count / (count - 1)))
        return float(stdtrit(count - 1, _HIGH)) * error
