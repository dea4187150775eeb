"""Covariances of all models on all datasets: what no weights change."""

from collections.abc import Mapping
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from dynabench.loop.leaderboards.figures.values import Figures, ItemScores, Numbers, Small
from dynabench.loop.leaderboards.ranking.values import Prepared, Shared
from dynabench.science.metrics.registry import VALUE_OF
from dynabench.science.statistics.clusters import effective_clusters, freedom_of, parts_of
from dynabench.science.statistics.influence import (
    covariance,
    influence_of_means,
    overlap,
    shared_covariance,
)
from dynabench.science.statistics.rates import Z_95

MOST_FOR_MCNEMAR = 200
"""Exact tests of all pairs of more models than this would take too long for a reader."""

_POINTS = 100.0
_MOST_SHARED_BYTES = 128 * 2**20
_BYTES_EACH = 4
Places = NDArray[np.int64]


def prepare(figures: Figures) -> Prepared:
    """Return figures with the covariances that tests and intervals need."""
    models, versions = len(figures.models), len(figures.versions)
    places = {model: place for place, model in enumerate(figures.models)}
    covariances = np.full((versions, models, models), np.nan, dtype=np.float32)
    freedom, contexts = np.zeros(versions), np.zeros(versions)
    common = _common(figures)
    # Of a metric that is no mean of its items nobody knows how two scores of it go together:
    # rare labels or long items may set it, and its spread is that of its own interval.
    is_mean = figures.metrics[0] not in VALUE_OF
    is_exact = is_mean and len(common) * models**2 * _BYTES_EACH <= _MOST_SHARED_BYTES
    influences: dict[int, Small] = {}
    for place, version in enumerate(figures.versions):
        found = figures.item_scores.get(version)
        if found is None or int(found.groups.max(initial=0)) < 1:
            continue
        rows = np.array([places[model] for model in found.models])
        influence = _influence(found)
        if is_mean:
            spread = covariance(influence)
        else:
            reach = figures.highs[0, rows, place] - figures.lows[0, rows, place]
            spread = np.diag((reach / (2 * Z_95)) ** 2)
        covariances[place][np.ix_(rows, rows)] = spread
        if is_exact and any(place in pair for pair in common):
            influences[place] = np.zeros((models, influence.shape[1]), dtype=np.float32)
            influences[place][rows] = influence
        parts = parts_of(found.groups)
        freedom[place], contexts[place] = freedom_of(parts), effective_clusters(parts)
    return Prepared(
        figures=figures,
        places=places,
        covariances=covariances,
        shared=Shared(
            overlaps=_overlaps(figures, common),
            pairs=np.array(list(common), dtype=np.int64).reshape(-1, 2),
            covariances=_shared_covariances(figures, common, influences) if is_exact else None,
        ),
        together=_together(figures, places),
        freedom=freedom,
        contexts=contexts,
    )


def _influence(found: ItemScores) -> NDArray[np.float32]:
    """Return what each context adds to each model's mean score, in points."""
    scores = found.scores.astype(np.float64)
    return (influence_of_means(scores, found.groups) * _POINTS).astype(np.float32)


def _common(figures: Figures) -> dict[tuple[int, int], tuple[Places, Places]]:
    """Return the contexts that each two versions share, by their numbers in the first and second.

    Versions without any in common are not named.
    """
    keys = {
        place: figures.item_scores[version].contexts
        for place, version in enumerate(figures.versions)
        if version in figures.item_scores
    }
    known = np.unique(np.concatenate([np.empty(0, dtype=np.uint64), *keys.values()]))
    numbers = np.full((len(figures.versions), len(known)), -1, dtype=np.int64)
    for place, mine in keys.items():
        numbers[place, np.searchsorted(known, mine)] = np.arange(len(mine))
    found: dict[tuple[int, int], tuple[Places, Places]] = {}
    for first in keys:
        for second in range(first + 1, len(numbers)):
            both = np.flatnonzero((numbers[first] >= 0) & (numbers[second] >= 0))
            if len(both):
                found[first, second] = numbers[first, both], numbers[second, both]
    return found


def _overlaps(figures: Figures, common: Mapping[tuple[int, int], tuple[Places, Places]]) -> Numbers:
    """Return versions by versions: about how much their scores can have in common."""
    found = np.eye(len(figures.versions))
    parts = {
        place: parts_of(figures.item_scores[figures.versions[place]].groups)
        for pair in common
        for place in pair
    }
    for (first, second), shared in common.items():
        found[first, second] = found[second, first] = overlap(parts[first], parts[second], shared)
    return found


def _shared_covariances(
    figures: Figures,
    common: Mapping[tuple[int, int], tuple[Places, Places]],
    influences: Mapping[int, Small],
) -> Small:
    """Return what each two versions' sharing contexts adds, in the order of the pairs.

    A version of one context has no influences, and no ranks either.
    """
    models = len(figures.models)
    found = np.zeros((len(common), models, models), dtype=np.float32)
    for number, ((first, second), (mine, theirs)) in enumerate(common.items()):
        if first in influences and second in influences:
            found[number] = shared_covariance(
                influences[first][:, mine], influences[second][:, theirs]
            )
    return found


def _together(figures: Figures, places: Mapping[UUID, int]) -> NDArray[np.int64] | None:
    models = len(figures.models)
    sets = figures.item_scores
    is_binary = all(bool(np.isin(one.scores, (0.0, 1.0)).all()) for one in sets.values())
    if models > MOST_FOR_MCNEMAR or not is_binary or len(sets) < len(figures.versions):
        return None
    found = np.full((len(figures.versions), models, models), -1, dtype=np.int64)
    for place, version in enumerate(figures.versions):
        scores: Numbers = sets[version].scores.astype(np.float64)
        rows = np.array([places[model] for model in sets[version].models])
        found[place][np.ix_(rows, rows)] = np.rint(scores @ scores.T).astype(np.int64)
    return found
