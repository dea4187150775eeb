"""Separability of a set, and its agreement with the others, from the figures of a board."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dynabench.kit.sentences import Phrase
from dynabench.loop.leaderboards.ranking.values import Prepared
from dynabench.loop.leaderboards.scales.schemas import (
    PairsRead,
    SeparabilityRead,
    SetAgreementRead,
)
from dynabench.loop.leaderboards.scales.values import Tested
from dynabench.science.statistics.clusters import FEWEST_CONTEXTS, are_enough
from dynabench.science.statistics.influence import spread_of_sum
from dynabench.science.statistics.ranks import pair_variances
from dynabench.science.statistics.rates import Rate
from dynabench.science.statistics.separability import (
    agreement,
    apart_by_intervals,
    sure_signs,
    told_apart,
)

TOO_FEW = Phrase(
    "separations.lacks_models",
    "Fewer than two models were scored here, not counting its round's own targets.",
).say()
FEW_CONTEXTS = Phrase(
    "separations.few_contexts",
    "Its items are about fewer than {least} contexts of like sizes, which say too little of how "
    "contexts vary.",
).say(least=FEWEST_CONTEXTS)
NOWHERE_ELSE = Phrase(
    "separations.nowhere_else", "No two models were scored both here and on another set."
).say()

_PAIR = 2
_PERCENT = 100.0

Numbers = NDArray[np.float64]


def separability_of(prepared: Prepared, one: Tested) -> SeparabilityRead:
    """Return how well a set tells its models apart."""
    rows, place = one.models, one.place
    reason = _too_little(prepared, one)
    told, apart = Rate(0, 0), Rate(0, 0)
    if reason is None:
        figures = prepared.figures
        told = told_apart(
            figures.values[0, rows, place],
            prepared.covariances[place][np.ix_(rows, rows)],
            freedom=float(prepared.freedom[place]),
            contexts=float(prepared.contexts[place]),
        )
        apart = apart_by_intervals(figures.lows[0, rows, place], figures.highs[0, rows, place])
    return SeparabilityRead(
        models=len(rows), told_apart=_pairs(told), by_intervals=_pairs(apart), reason=reason
    )


def agreement_of(prepared: Prepared, one: Tested, sets: Sequence[Tested]) -> SetAgreementRead:
    """Return whether a set orders models as the average of the other sets does.

    Of each pair those sets count that both models were scored on, all alike.
    """
    reason = _too_little(prepared, one)
    others = [other for other in sets if other is not one and _too_little(prepared, other) is None]
    if reason is None and not others:
        reason = NOWHERE_ELSE
    if reason is not None:
        return _no_agreement(reason)
    differences, variances, seen = _differences(prepared, one)
    means, spread, counts = mean_differences(prepared, others)
    both = seen & (counts > 0)
    found = agreement(
        sure_signs(differences, variances, freedom=float(prepared.freedom[one.place])),
        sure_signs(
            means,
            spread,
            freedom=float(min(prepared.freedom[other.place] for other in others)),
        ),
        both=both,
    )
    if found.value is None:
        return _no_agreement(NOWHERE_ELSE)
    return SetAgreementRead(
        value=found.value,
        agreeing=found.agreeing,
        opposed=found.opposed,
        pairs=found.pairs,
        models=int((both & ~np.eye(len(both), dtype=bool)).any(axis=0).sum()),
        reason=None,
    )


def mean_differences(
    prepared: Prepared, sets: Sequence[Tested]
) -> tuple[Numbers, Numbers, Numbers]:
    """Return all models' mean differences on sets, their variances, and on how many sets.

    Sets on the same contexts go together as much as they can. Where one set's variance is not
    known, that of the mean is not.
    """
    count = len(prepared.figures.models)
    total, counts = np.zeros((count, count)), np.zeros((count, count))
    is_unknown = np.zeros((count, count), dtype=bool)
    errors = np.zeros((len(sets), count, count))
    for number, one in enumerate(sets):
        difference, variance, is_there = _differences(prepared, one)
        total += difference
        counts += is_there
        is_known = np.isfinite(variance)
        is_unknown |= ~is_known
        errors[number] = np.sqrt(np.where(is_known, variance, 0.0))
    places = [one.place for one in sets]
    overlaps = prepared.shared.overlaps[np.ix_(places, places)]
    # By rows of models, as all at once would take the memory of all sets again.
    spread = np.stack([spread_of_sum(errors[:, row], overlaps) for row in range(count)])
    spread[is_unknown] = np.inf
    least = np.maximum(counts, 1)
    return total / least, spread / least**2, counts


def _differences(prepared: Prepared, one: Tested) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """Return all models' differences on a set, their variances, and which pairs are there."""
    count = len(prepared.figures.models)
    differences, variances = np.zeros((count, count)), np.zeros((count, count))
    is_there = np.zeros((count, count), dtype=bool)
    where = np.ix_(one.models, one.models)
    values = prepared.figures.values[0, one.models, one.place]
    differences[where] = values[:, None] - values[None, :]
    variances[where] = pair_variances(prepared.covariances[one.place][where])
    is_there[where] = True
    return differences, variances, is_there


def _too_little(prepared: Prepared, one: Tested) -> str | None:
    if len(one.models) < _PAIR:
        return TOO_FEW
    return None if are_enough(float(prepared.contexts[one.place])) else FEW_CONTEXTS


def _pairs(rate: Rate) -> PairsRead:
    value = None if rate.value is None else _PERCENT * rate.value
    return PairsRead(value=value, part=rate.part, whole=rate.whole)


def _no_agreement(reason: str) -> SetAgreementRead:
    return SetAgreementRead(value=None, agreeing=0, opposed=0, pairs=0, models=0, reason=reason)
