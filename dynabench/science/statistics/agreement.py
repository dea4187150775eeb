"""How far validators agree: unanimous items, Fleiss' kappa, Krippendorff's alpha.

Every function takes for each item the votes it got; a vote is a label. Who cast it matters
where agreement is compared (`agreement_change`).
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from dynabench.science.statistics.rates import Rate

Votes = Sequence[Hashable]

_PAIR = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """One item: who wrote it, and who voted what on it."""

    author: Hashable
    votes: Sequence[tuple[Hashable, Hashable]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Validators' agreement; `fleiss_kappa` is None where they voted unequally often."""

    items: int
    votes: int
    unanimous: Rate
    krippendorff_alpha: float | None
    fleiss_kappa: float | None


def describe_agreement(items: Sequence[Votes]) -> Agreement:
    """Return every measure of agreement over items with at least two votes."""
    voted = [votes for votes in items if len(votes) >= _PAIR]
    is_even = len({len(votes) for votes in voted}) == 1
    return Agreement(
        items=len(voted),
        votes=sum(len(votes) for votes in voted),
        unanimous=unanimous_share(items),
        krippendorff_alpha=krippendorff_alpha(items),
        fleiss_kappa=fleiss_kappa(voted) if is_even else None,
    )


def unanimous_share(items: Sequence[Votes]) -> Rate:
    """Return how many items with at least two votes got the same vote from everyone.

    Example:
        >>> str(unanimous_share([["a", "a"], ["a", "b"], ["b"]]))
        '1 of 2'
    """
    voted = [votes for votes in items if len(votes) >= _PAIR]
    return Rate(sum(len(set(votes)) == 1 for votes in voted), len(voted))


def fleiss_kappa(items: Sequence[Votes]) -> float | None:
    """Return Fleiss' kappa: 1 is full agreement, 0 that of chance, below it less.

    κ = (P̄ - P̄ₑ) / (1 - P̄ₑ), with P̄ the mean share of agreeing pairs of votes per item and
    P̄ₑ = Σ p_j² over the labels' shares of all votes (Fleiss 1971, "Measuring nominal scale
    agreement among many raters"). None without items, and where only one label was used.

    Raises:
        ValueError: If items got unequally many votes, or fewer than two.

    Example:
        >>> fleiss_kappa([["a", "a"], ["b", "b"], ["a", "b"], ["b", "a"]])
        0.0
    """
    if not items:
        return None
    sizes = {len(votes) for votes in items}
    size = min(sizes)
    if len(sizes) > 1 or size < _PAIR:
        message = "Fleiss' kappa needs equally many votes on every item, at least two."
        raise ValueError(message)
    pairs = size * (size - 1)
    agreeing = sum(count * (count - 1) for votes in items for count in Counter(votes).values()) / (
        pairs * len(items)
    )
    shares = Counter(vote for votes in items for vote in votes)
    by_chance = sum((count / (size * len(items))) ** 2 for count in shares.values())
    return None if len(shares) == 1 else (agreeing - by_chance) / (1 - by_chance)


def krippendorff_alpha(items: Sequence[Votes]) -> float | None:
    """Return Krippendorff's alpha for labels: 1 is full agreement, 0 that of chance.

    alpha = 1 - Dₒ / Dₑ over the coincidences of votes within items, each item weighing by
    1 / (votes - 1); items with one vote are left out (Krippendorff 2011, "Computing
    Krippendorff's alpha-reliability"). None without pairs, and where only one label was
    used. Items may have got unequally many votes.

    Example:
        >>> round(krippendorff_alpha([["a", "a"], ["b", "b"], ["a", "b"]]), 4)
        0.4444
    """
    voted = [votes for votes in items if len(votes) >= _PAIR]
    shares = Counter(vote for votes in voted for vote in votes)
    everything = shares.total()
    if len(shares) < _PAIR:
        return None
    observed = 0.0
    for votes in voted:
        same = sum(count * count for count in Counter(votes).values())
        observed += (len(votes) ** 2 - same) / (len(votes) - 1)
    expected = everything**2 - sum(count * count for count in shares.values())
    return 1 - (everything - 1) * observed / expected
