"""Whether people agree less, or more, on one set of items than on another."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from dynabench.science.statistics.agreement import Judged
from dynabench.science.statistics.planning import Change

FEWEST_ITEMS = 30
"""Fewer items than these with two votes say nothing of how far their agreement might differ."""

FEWEST_EACH = 5
"""Fewer authors, or fewer validators, say nothing of others."""

_PAIR = 2
_HIGH = 0.975
_ROUNDING = 1e-12

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class _Table:
    """Votes on items with at least two: of each its item, its label and who cast it."""

    items: Places
    labels: Places
    validators: Places
    authors: Places
    """Of the items."""

    counts: Numbers
    """Items by labels."""


def agreement_change(before: Sequence[Judged], after: Sequence[Judged]) -> Change | None:
    """Return how much Krippendorff's alpha differs between two sets of items.

    Items of one author are alike, and so are votes of one validator. The variance of each
    alpha is the sum of two jackknives, which leave out each author and each validator in turn
    (Efron & Tibshirani 1993, chapter 11); what both have in common is counted twice. The
    interval is t with one degree of freedom less than there are authors or validators, in the
    set with the fewest.

    Args:
        before: The first set; items with one vote are left out.
        after: The second set.

    Returns:
        The change; None where an alpha is not defined, also not without one of the people,
        where fewer than thirty items of a set have two votes, where fewer than five people
        wrote or voted, and where leaving out people changes nothing.
    """
    found = [_with_variance(one) for one in (before, after)]
    if found[0] is None or found[1] is None:
        return None
    (was, first, few), (is_, second, fewer) = found[0], found[1]
    if min(first, second) <= _ROUNDING:
        return None
    reach = float(stdtrit(min(few, fewer) - 1, _HIGH)) * sqrt(first + second)
    change = is_ - was
    return Change(difference=change, low=change - reach, high=change + reach)


def _with_variance(judged: Sequence[Judged]) -> tuple[float, float, int] | None:
    """Return alpha, its variance, and how many authors or validators there are at least."""
    voted = [one for one in judged if len(one.votes) >= _PAIR]
    if len(voted) < FEWEST_ITEMS:
        return None
    table = _tabled(voted)
    people = (int(table.authors.max()) + 1, int(table.validators.max()) + 1)
    if min(people) < FEWEST_EACH:
        return None
    observed = _observed(table.counts)
    alpha = _alpha(observed.sum(), table.counts.sum(axis=0))
    left = [_without_authors(table, observed), _without_validators(table, observed)]
    if not np.isfinite([alpha, *left[0], *left[1]]).all():
        return None
    variance = sum((len(one) - 1) * float(np.var(one)) for one in left)
    return alpha, variance, min(people)


def _tabled(voted: Sequence[Judged]) -> _Table:
    validators: dict[Hashable, int] = {}
    labels: dict[Hashable, int] = {}
    authors: dict[Hashable, int] = {}
    rows = [
        (
            item,
            labels.setdefault(label, len(labels)),
            validators.setdefault(validator, len(validators)),
        )
        for item, one in enumerate(voted)
        for validator, label in one.votes
    ]
    places = np.array(rows, dtype=np.int64).T
    counts = np.zeros((len(voted), len(labels)))
    np.add.at(counts, (places[0], places[1]), 1.0)
    written = [authors.setdefault(one.author, len(authors)) for one in voted]
    items, chosen, cast_by = places
    return _Table(items, chosen, cast_by, np.array(written, dtype=np.int64), counts)


def _observed(counts: Numbers) -> Numbers:
    """Return what each item adds to the observed disagreement; 0 of fewer than two votes."""
    sizes = counts.sum(axis=1)
    differing = np.square(sizes) - np.square(counts).sum(axis=1)
    found = np.divide(differing, sizes - 1, out=np.zeros_like(sizes), where=sizes > 1)
    return np.asarray(found)


def _alpha(observed: float, shares: Numbers) -> float:
    """Return Krippendorff's alpha, as `krippendorff_alpha` does; NaN of one label alone."""
    everything = float(shares.sum())
    expected = everything**2 - float(np.square(shares).sum())
    return 1 - (everything - 1) * float(observed) / expected if expected > 0 else np.nan


def _without_authors(table: _Table, observed: Numbers) -> list[float]:
    count = int(table.authors.max()) + 1
    theirs = np.zeros((count, table.counts.shape[1]))
    np.add.at(theirs, table.authors, table.counts)
    disagreed = np.bincount(table.authors, weights=observed, minlength=count)
    everything, total = table.counts.sum(axis=0), observed.sum()
    return [_alpha(total - disagreed[one], everything - theirs[one]) for one in range(count)]


def _without_validators(table: _Table, observed: Numbers) -> list[float]:
    everything, total = table.counts.sum(axis=0), observed.sum()
    order = np.argsort(table.validators, kind="stable")
    starts = np.searchsorted(table.validators[order], np.arange(table.validators.max() + 2))
    found = []
    for first, last in pairwise(starts):
        votes = order[first:last]
        items, places = np.unique(table.items[votes], return_inverse=True)
        before = table.counts[items]
        after = before.copy()
        np.subtract.at(after, (places, table.labels[votes]), 1.0)
        # One vote left on an item agrees with nobody.
        after[after.sum(axis=1) < _PAIR] = 0.0
        shares = everything - (before - after).sum(axis=0)
        found.append(_alpha(total - observed[items].sum() + _observed(after).sum(), shares))
    return found
