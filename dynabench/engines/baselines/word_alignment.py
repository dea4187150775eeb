"""Which word of a sentence translates which of its pair: IBM Model 1, learned by EM.

Brown et al., "The Mathematics of Statistical Machine Translation" (1993), with the
preference for the diagonal of Dyer, Chahuneau and Smith, "A Simple, Fast, and Effective
Reparameterization of IBM Model 2" (2013).
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Words = Sequence[str]
Links = frozenset[tuple[int, int]]
"""Pairs of positions: of the source's word, of the target's."""

_ROUNDS = 12
_DIAGONAL = 3.0
_NOTHING = ""
_NOTHING_SHARE = 0.15
_NEIGHBOURS = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def align(sources: Sequence[Words], targets: Sequence[Words]) -> list[Links]:
    """Return the links of each pair of sentences.

    Each direction links a word to its likeliest origin; what both say is kept and grows
    by neighbours that one of them says, as long as a word is without a link.
    """
    forth = _likeliest(sources, targets)
    back = _likeliest(targets, sources)
    return [
        _grow(frozenset(one), frozenset((first, second) for second, first in other))
        for one, other in zip(forth, back, strict=True)
    ]


def _likeliest(origins: Sequence[Words], words: Sequence[Words]) -> list[set[tuple[int, int]]]:
    """Link each word to the place in `origins` that most likely gave it, or to none."""
    pairs = _Pairs(origins, words)
    shares = pairs.learn()
    links: list[set[tuple[int, int]]] = [set() for _ in words]
    best: dict[tuple[int, int], tuple[float, int]] = {}
    for (sentence, place, origin), share in zip(pairs.places, shares.tolist(), strict=True):
        key = (sentence, place)
        if key not in best or share > best[key][0]:
            best[key] = (share, origin)
    for (sentence, place), (_, origin) in best.items():
        if origin >= 0:
            links[sentence].add((origin, place))
    return links


class _Pairs:
    """Every word beside every word that may have given it, as flat arrays."""

    def __init__(self, origins: Sequence[Words], words: Sequence[Words]) -> None:
        self.places: list[tuple[int, int, int]] = []
        known_origins: dict[str, int] = {}
        known_pairs: dict[tuple[str, str], int] = {}
        origin_of_pair: list[int] = []
        pair_ids: list[int] = []
        groups: list[int] = []
        priors: list[float] = []
        count = 0
        for sentence, (given, made) in enumerate(zip(origins, words, strict=True)):
            for place, word in enumerate(made):
                for origin in range(-1, len(given)):
                    from_word = _NOTHING if origin < 0 else given[origin]
                    pair = known_pairs.setdefault((from_word, word), len(known_pairs))
                    if pair == len(origin_of_pair):
                        origin_of_pair.append(
                            known_origins.setdefault(from_word, len(known_origins))
                        )
                    pair_ids.append(pair)
                    groups.append(count)
                    priors.append(_prior(origin, place, len(given), len(made)))
                    self.places.append((sentence, place, origin))
                count += 1
        self._pair_ids = np.array(pair_ids, dtype=np.int64)
        self._groups = np.array(groups, dtype=np.int64)
        self._priors = np.array(priors)
        self._origins = np.array(origin_of_pair, dtype=np.int64)

    def learn(self) -> NDArray[np.float64]:
        """Return how likely each word comes from each origin, after some rounds of EM."""
        chances = np.ones(len(self._origins))
        shares = self._shares(chances)
        for _ in range(_ROUNDS):
            counts = np.bincount(self._pair_ids, weights=shares, minlength=len(chances))
            totals = np.bincount(self._origins, weights=counts)
            chances = counts / totals[self._origins]
            shares = self._shares(chances)
        # Ties must fall the same way on every machine.
        return np.round(shares, 6)

    def _shares(self, chances: NDArray[np.float64]) -> NDArray[np.float64]:
        raw = chances[self._pair_ids] * self._priors
        totals = np.bincount(self._groups, weights=raw)
        shares: NDArray[np.float64] = raw / totals[self._groups]
        return shares


def _prior(origin: int, place: int, given: int, made: int) -> float:
    if origin < 0:
        return _NOTHING_SHARE
    distance = abs((origin + 0.5) / given - (place + 0.5) / made)
    return float(np.exp(-_DIAGONAL * distance))


def _grow(forth: Links, back: Links) -> Links:
    links = set(forth & back)
    union = forth | back
    is_growing = True
    while is_growing:
        is_growing = False
        for (source, target), (down, right) in product(sorted(links), _NEIGHBOURS):
            new = (source + down, target + right)
            if new not in union or new in links:
                continue
            has_source = any(one == new[0] for one, _ in links)
            has_target = any(other == new[1] for _, other in links)
            if not (has_source and has_target):
                links.add(new)
                is_growing = True
    return frozenset(links)
