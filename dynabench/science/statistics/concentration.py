"""How evenly work is spread over people: shares of the busiest, Gini's coefficient."""

from collections.abc import Sequence
from dataclasses import dataclass

from dynabench.science.statistics.rates import Rate

_TENTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Concentration:
    """How much the busiest people did.

    Attributes:
        people: How many there are.
        top: The part of the one who did most.
        top_tenth: The part of the busiest tenth of the people, of one at least.
        gini: 0 where everybody did equally much, towards 1 where one did everything.
    """

    people: int
    top: Rate
    top_tenth: Rate
    gini: float


def describe_concentration(counts: Sequence[int]) -> Concentration | None:
    """Return how concentrated work is, from what each person did; None for no work at all.

    Gini's coefficient is Σ_i (2i - n - 1) x_i / (n Σ x) over the counts in ascending order
    (Gini 1912, "Variabilità e mutabilità"). People who did nothing are left out.

    Example:
        >>> found = describe_concentration([1, 1, 6])
        >>> str(found.top), round(found.gini, 3)
        ('6 of 8', 0.417)
    """
    ordered = sorted(count for count in counts if count)
    if not ordered:
        return None
    people, everything = len(ordered), sum(ordered)
    tenth = max(1, people // _TENTH)
    weighted = sum((2 * rank - people - 1) * count for rank, count in enumerate(ordered, start=1))
    return Concentration(
        people=people,
        top=Rate(ordered[-1], everything),
        top_tenth=Rate(sum(ordered[-tenth:]), everything),
        gini=weighted / (people * everything),
    )
