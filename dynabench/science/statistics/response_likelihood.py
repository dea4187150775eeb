"""The marginal likelihood of an item response model: items integrated out, models estimated.

What `item_response` climbs. A point is every model's θ, every set's mean difficulty μ and the
logarithm of its spread σ.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, logsumexp

FEWEST_FOR_DISCRIMINATION = 20
"""With fewer models every item discriminates alike: a = 1."""

_SPREAD_OF_LOG_A = 0.5
_SPREAD_OF_LOG_SIGMA = 0.5
_REACH = 4.5
_REACH_OF_LOG_A = 3.5
_FEWEST_NODES, _MOST_NODES = 21, 61
_NODES_PER_CHUNK = 2_000_000
_SEED = 17

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Responses:
    """Who was right on which items of one set.

    Attributes:
        models: The places, among all models, of those who were scored on the set.
        right: Models by items.
        groups: Each item's context, numbered from 0; items of one are not independent.
        contexts: By these numbers, what tells a context of the others, in all sets alike;
            without it no other set has any of them.
    """

    models: Places
    right: NDArray[np.bool_]
    groups: Places
    contexts: NDArray[np.uint64] | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """Where difficulty and discrimination are looked at: every node's z, a and log weight.

    Sums over evenly spaced nodes are exact to many digits while the nodes lie closer than an
    item's likelihood is wide, which more models make narrower.
    """

    places: Numbers
    slopes: Numbers
    log_weights: Numbers

    @classmethod
    def of(cls, models: int, *, is_free: bool) -> "Grid":
        """Return a grid fine enough for so many models."""
        wide = np.sqrt(1 + 0.15 * models)
        nodes = int(np.clip(np.ceil(2 * _REACH * wide), _FEWEST_NODES, _MOST_NODES))
        places = np.linspace(-_REACH, _REACH, nodes)
        logs = np.zeros(1)
        if is_free:
            count = int(np.clip(np.ceil(2 * _REACH_OF_LOG_A * np.sqrt(1 + models / 50)), 9, 15))
            logs = np.linspace(-_REACH_OF_LOG_A, _REACH_OF_LOG_A, count)
        z, log_a = (axis.ravel() for axis in np.meshgrid(places, logs, indexing="ij"))
        weights = -0.5 * (z**2 + log_a**2)
        weights -= logsumexp(weights)
        return cls(z, np.exp(_SPREAD_OF_LOG_A * log_a), weights)

    def logits(self, above: Numbers, sigma: float) -> Numbers:
        """Return models by nodes: a·(θ - μ - σ·z), given θ - μ."""
        return np.asarray(self.slopes * (above[:, None] - sigma * self.places))


@dataclass(frozen=True, slots=True)
class Block:
    """A set's responses by pattern: items that the same models got right are one row."""

    which: int
    models: Places
    patterns: Numbers
    counts: Numbers
    pattern_of: Places
    groups: Places
    contexts: NDArray[np.uint64] | None

    @classmethod
    def of(cls, one: Responses, *, which: int) -> "Block":
        """Return the responses of the set with this place."""
        packed = np.packbits(one.right, axis=0).T
        rows = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
        _, first, of, counts = np.unique(
            rows, return_index=True, return_inverse=True, return_counts=True
        )
        patterns = one.right[:, first].T.astype(np.float64)
        sizes = counts.astype(np.float64)
        return cls(which, one.models, patterns, sizes, of, one.groups, one.contexts)

    def sample(self, most: int) -> "Block":
        """Return at most so many patterns, drawn by chance and weighed up to all of them."""
        if len(self.patterns) <= most:
            return self
        drawn = np.random.default_rng(_SEED).choice(len(self.patterns), most, replace=False)
        counts = self.counts[drawn] * (self.counts.sum() / self.counts[drawn].sum())
        return replace(self, patterns=self.patterns[drawn], counts=counts)


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The likelihood of θ, μ and ln σ, written as one point."""

    models: int
    blocks: Sequence[Block]
    is_free: bool

    @classmethod
    def of(cls, sets: Sequence[Responses], *, models: int) -> "Likelihood":
        """Return the likelihood of all sets."""
        blocks = [Block.of(one, which=place) for place, one in enumerate(sets)]
        return cls(models, blocks, models >= FEWEST_FOR_DISCRIMINATION)

    def sample(self, most: int) -> "Likelihood":
        """Return the likelihood of at most so many patterns of each set."""
        return Likelihood(self.models, [one.sample(most) for one in self.blocks], self.is_free)

    @property
    def priors(self) -> Numbers:
        """How strongly each number is drawn to 0; a set may be as hard as it is."""
        count = len(self.blocks)
        sigmas = np.full(count, _SPREAD_OF_LOG_SIGMA**-2)
        return np.concatenate([np.ones(self.models), np.zeros(count), sigmas])

    def start(self, sets: Sequence[Responses]) -> Numbers:
        """Return where to begin: logits of accuracies against those of the sets."""
        sums, seen = np.zeros(self.models), np.zeros(self.models)
        difficulties = np.zeros(len(sets))
        for place, one in enumerate(sets):
            items = one.right.shape[1]
            levels = logit((one.right.sum(axis=1) + 1) / (items + 2))
            difficulties[place] = -levels.mean()
            sums[one.models] += levels - levels.mean()
            seen[one.models] += 1
        return np.concatenate([sums / np.maximum(seen, 1), difficulties, np.zeros(len(sets))])

    def columns(self, block: Block) -> Places:
        """Return the places in a point of what a set bears on."""
        mean = self.models + block.which
        return np.concatenate([block.models, [mean, mean + len(self.blocks)]])

    def scores(self, block: Block, point: Numbers) -> Iterator[tuple[slice, Numbers, Numbers]]:
        """Give patterns' log-likelihoods and scores, a part at a time."""
        columns = self.columns(block)
        above = point[block.models] - point[columns[-2]]
        sigma = float(np.exp(point[columns[-1]]))
        grid = Grid.of(len(block.models), is_free=self.is_free)
        logits = grid.logits(above, sigma)
        chance = expit(logits) * grid.slopes
        # One product gives what each score needs of the posterior.
        needed = np.column_stack(
            [
                chance.T,
                grid.slopes,
                grid.slopes * grid.places,
                chance.sum(axis=0) * grid.places,
            ]
        )
        for part, likelihood, posterior in posteriors(block, grid, logits):
            patterns = block.patterns[part]
            means = posterior @ needed
            scores = np.empty((len(patterns), len(columns)))
            scores[:, :-2] = patterns * means[:, -3:-2] - means[:, :-3]
            scores[:, -2] = -scores[:, :-2].sum(axis=1)
            scores[:, -1] = -sigma * (patterns.sum(axis=1) * means[:, -2] - means[:, -1])
            yield part, likelihood, scores

    def evaluate(self, point: Numbers) -> tuple[float, Numbers, Numbers]:
        """Return the penalised log-likelihood, its gradient, and the scores' outer products."""
        priors = self.priors
        value = -0.5 * float(priors @ point**2)
        gradient = -priors * point
        products = np.diag(priors)
        for block in self.blocks:
            columns = self.columns(block)
            for part, likelihood, scores in self.scores(block, point):
                counts = block.counts[part]
                value += float(counts @ likelihood)
                gradient[columns] += counts @ scores
                products[np.ix_(columns, columns)] += (scores * counts[:, None]).T @ scores
        return value, gradient, products

    def curvature(self, point: Numbers, products: Numbers) -> Numbers:
        """Return minus the second derivatives, by Louis 1982.

        They are what is expected of those given difficulties, less the spread of the scores.
        What one model's θ moves, every θ and μ move together the other way.

        Args:
            point: Where.
            products: The scores' outer products there, with the priors.
        """
        found = products.copy()
        for block in self.blocks:
            columns = self.columns(block)
            by_ability, mixed, by_spread = self._known(block, point)
            inner = np.block([[by_ability, mixed[:, None]], [mixed, by_spread]])
            with_mean = np.insert(inner, -1, -inner[:-1].sum(axis=0), axis=0)
            with_mean = np.insert(with_mean, -1, -with_mean[:, :-1].sum(axis=1), axis=1)
            found[np.ix_(columns, columns)] += with_mean
        return found

    def _known(self, block: Block, point: Numbers) -> tuple[Numbers, Numbers, float]:
        """Return the parts of θ, of θ with ln σ, and of ln σ, less the squares of scores."""
        mean, spread = self.columns(block)[-2:]
        sigma = float(np.exp(point[spread]))
        grid = Grid.of(len(block.models), is_free=self.is_free)
        logits = grid.logits(point[block.models] - point[mean], sigma)
        chance = expit(logits)
        # Of one node: how θ and ln σ move the logits.
        first, second = grid.slopes, -sigma * grid.slopes * grid.places
        weights = (first * first, first * second, second * second)
        count = len(block.models)
        squares = np.zeros((len(weights), count, count))
        at_node, pull = np.zeros(len(first)), 0.0
        for part, _, posterior in posteriors(block, grid, logits):
            patterns, counts = block.patterns[part], block.counts[part]
            at_node += counts @ posterior
            weighed = patterns * counts[:, None]
            residual = patterns.sum(axis=1) * (posterior @ second)
            pull += float(counts @ (residual - posterior @ (second * chance.sum(axis=0))))
            for place, weight in enumerate(weights):
                cross = weighed.T @ (posterior @ (chance * weight).T)
                squares[place] -= cross + cross.T
                squares[place] += (weighed * (posterior @ weight)[:, None]).T @ patterns
        for place, weight in enumerate(weights):
            squares[place] += (chance * (at_node * weight)) @ chance.T
        varied = [(chance * (1 - chance)) @ (at_node * weight) for weight in weights]
        return (
            np.diag(varied[0]) - squares[0],
            varied[1] - squares[1].sum(axis=1),
            float(varied[2].sum() - squares[2].sum()) - pull,
        )

    def clustered(self, point: Numbers) -> Numbers:
        """Return the outer products of contexts' scores; what sets share counts as one."""
        numbers, total = self._contexts()
        found = np.zeros((total, len(point)))
        for block in self.blocks:
            columns = self.columns(block)
            scores = np.concatenate([part for _, _, part in self.scores(block, point)])
            order = np.argsort(block.groups, kind="stable")
            count = int(block.groups.max()) + 1
            starts = np.searchsorted(block.groups[order], np.arange(count))
            sums = np.add.reduceat(scores[block.pattern_of[order]], starts, axis=0)
            # At the optimum a set's scores need not add up to 0: the priors pull too.
            sums -= sums.mean(axis=0)
            found[np.ix_(numbers[block.which], columns)] += sums * np.sqrt(count / (count - 1))
        return np.asarray(found.T @ found)

    def _contexts(self) -> tuple[list[Places], int]:
        """Number all sets' contexts: for each set its contexts' numbers, and how many in all."""
        known: dict[Hashable, int] = {}
        found = []
        for block in self.blocks:
            count = int(block.groups.max()) + 1
            keys: list[Hashable] = [(block.which, one) for one in range(count)]
            if block.contexts is not None:
                keys = list(block.contexts.tolist())
            found.append(np.array([known.setdefault(one, len(known)) for one in keys]))
        return found, len(known)


def posteriors(
    block: Block, grid: Grid, logits: Numbers
) -> Iterator[tuple[slice, Numbers, Numbers]]:
    """Give patterns' log-likelihoods and the weight of each node, a part at a time."""
    base = grid.log_weights - np.logaddexp(0.0, logits).sum(axis=0)
    size = max(_NODES_PER_CHUNK // len(grid.places), 1)
    for begin in range(0, len(block.patterns), size):
        part = slice(begin, begin + size)
        joint = block.patterns[part] @ logits
        joint += base
        top = joint.max(axis=1, keepdims=True)
        joint -= top
        np.exp(joint, out=joint)
        total = joint.sum(axis=1, keepdims=True)
        joint /= total
        yield part, (np.log(total) + top)[:, 0], joint
