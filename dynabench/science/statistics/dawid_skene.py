"""Labels from votes where validators differ in how reliable they are.

Dawid & Skene 1979, "Maximum likelihood estimation of observer error-rates using the EM
algorithm". The majority with quorum decides; this stands beside it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SMALLEST = 1e-10
_TOLERANCE = 1e-6
_MAX_STEPS = 200
# Keeps a validator of few votes from being sure of anything.
_PRIOR = 0.1

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class VoteOf:
    """One validator's label for one item."""

    item: Hashable
    validator: Hashable
    label: str


@dataclass(frozen=True, slots=True)
class Consensus:
    """What the votes say together.

    Attributes:
        labels: The labels, in alphabetical order.
        posterior: For each item the probability of each label.
        confusion: For each validator, by true label, how often each label is given; each row
            adds up to 1.
        shares: How frequent each label is.
    """

    labels: tuple[str, ...]
    posterior: Mapping[Hashable, Numbers]
    confusion: Mapping[Hashable, Numbers]
    shares: Numbers

    def best(self, item: Hashable) -> tuple[str, float]:
        """Return an item's most probable label and its probability."""
        chances = self.posterior[item]
        place = int(chances.argmax())
        return self.labels[place], float(chances[place])


def dawid_skene(votes: Sequence[VoteOf]) -> Consensus | None:
    """Estimate items' labels and validators' confusions by EM, from the shares of votes.

    P(votes of item i) = Σ_k π_k Π_v θ_v[k, label]: every validator has a confusion of their
    own, and labels differ in how frequent they are. A tenth of a vote is added to every
    cell. None without votes.

    Example:
        >>> votes = [VoteOf(i, v, "a" if i < 2 else "b") for i in range(4) for v in "xyz"]
        >>> dawid_skene(votes).best(3)[0]
        'b'
    """
    if not votes:
        return None
    labels = sorted({vote.label for vote in votes})
    items = {item: place for place, item in enumerate(dict.fromkeys(one.item for one in votes))}
    people = {one: place for place, one in enumerate(dict.fromkeys(one.validator for one in votes))}
    places = {label: place for place, label in enumerate(labels)}
    at = np.array([items[one.item] for one in votes])
    by = np.array([people[one.validator] for one in votes])
    said = np.array([places[one.label] for one in votes])
    posterior = np.zeros((len(items), len(labels)))
    np.add.at(posterior, (at, said), 1.0)
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(_MAX_STEPS):
        shares, confusion = _maximise(posterior, at=at, by=by, said=said, people=len(people))
        before, posterior = posterior, _expect(shares, confusion, at=at, by=by, said=said)
        if float(np.abs(posterior - before).max()) < _TOLERANCE:
            break
    shares, confusion = _maximise(posterior, at=at, by=by, said=said, people=len(people))
    return Consensus(
        labels=tuple(labels),
        posterior={item: posterior[place] for item, place in items.items()},
        confusion={person: confusion[place] for person, place in people.items()},
        shares=shares,
    )


def _maximise(
    posterior: Numbers,
    *,
    at: NDArray[np.int64],
    by: NDArray[np.int64],
    said: NDArray[np.int64],
    people: int,
) -> tuple[Numbers, Numbers]:
    labels = posterior.shape[1]
    counts = np.full((people, labels, labels), _PRIOR)
    for true in range(labels):
        np.add.at(counts[:, true], (by, said), posterior[at, true])
    shares = posterior.mean(axis=0)
    return shares, counts / counts.sum(axis=2, keepdims=True)


def _expect(
    shares: Numbers,
    confusion: Numbers,
    *,
    at: NDArray[np.int64],
    by: NDArray[np.int64],
    said: NDArray[np.int64],
) -> Numbers:
    chances = np.tile(np.log(np.maximum(shares, _SMALLEST)), (int(at.max()) + 1, 1))
    np.add.at(chances, at, np.log(np.maximum(confusion[by, :, said], _SMALLEST)))
    chances -= chances.max(axis=1, keepdims=True)
    found = np.exp(chances)
    return np.asarray(found / found.sum(axis=1, keepdims=True))
