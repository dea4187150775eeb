"""Which released examples should be looked at again."""

from collections.abc import Mapping
from uuid import UUID

import numpy as np

from dynabench.loop.leaderboards.scales.values import Material, Tested
from dynabench.loop.leaderboards.suspicions.values import ResponseEvidence, SuspectedItem
from dynabench.science.statistics.suspicion import are_suspected, correlations

MOST_PER_SET = 200
"""So many of a set are shown to experts at a time, the clearest first."""

LEAST_PROBABLE = 0.2
"""A gold answer that weighed votes give no more than this is suspected."""

_MOST_NAMED = 3


def suspected_items(
    material: Material, one: Tested, abilities: Mapping[UUID, float]
) -> list[SuspectedItem]:
    """Return the items of a set that strong models get wrong and weak ones right.

    Without a scale a model is as strong as its score on this set.

    Args:
        material: What the scale is computed from.
        one: The set.
        abilities: Each model's θ; empty where there is no scale.
    """
    right = one.right >= 1
    models = [material.models[int(row)] for row in one.models]
    if not models:
        return []
    scores = one.right.mean(axis=1)
    theta = np.array(
        [abilities.get(model, float(score)) for model, score in zip(models, scores, strict=True)]
        if abilities
        else scores,
        dtype=np.float64,
    )
    places = np.flatnonzero(are_suspected(theta, right))
    if not len(places):
        return []
    found = correlations(theta, right)
    order = np.argsort(theta, kind="stable")
    chosen = sorted(places.tolist(), key=lambda place: (found[place], place))[:MOST_PER_SET]
    return [
        SuspectedItem(
            position=place,
            evidence=ResponseEvidence(
                correlation=float(found[place]),
                models=len(models),
                strongest_wrong=[models[row] for row in order[::-1] if not right[row, place]][
                    :_MOST_NAMED
                ],
                weakest_right=[models[row] for row in order if right[row, place]][:_MOST_NAMED],
            ),
        )
        for place in chosen
    ]
