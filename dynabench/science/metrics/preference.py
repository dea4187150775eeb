"""Preference: how strong models are by which of their replies people chose."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import log

CENTRE = 1000.0
"""The mean strength of the ranked models."""

UNIT = 400.0
"""So many points are odds of ten to one."""

TIE = "tie"
"""The choice that finds all replies equally good."""

_POINTS = UNIT / log(10)
_PAIR = 2

Wins = Mapping[tuple[str, str], float]
Placed = tuple[float, float | None, float | None, int | None]
"""A strength, the ends of its interval, and its rank."""


@dataclass(frozen=True, slots=True)
class Battle:
    """Two models' replies to one message, and what share of the win is the first one's.

    `score` is 1 where the first was chosen, 0 where the other was, 0.5 where they tied.
    Battles of one `group`, such as those that one person judged, are not independent of each
    other.
    """

    one: str
    other: str
    score: float
    group: Hashable


class Unranked(StrEnum):
    """Why a model has no strength."""

    UNLINKED = "unlinked"
    """No comparisons link it to the ranked models."""

    NEVER_LOST = "never_lost"
    """It won every comparison, so that its strength has no upper end."""

    NEVER_WON = "never_won"
    """It lost every comparison, so that its strength has no lower end."""

    ONE_SIDED = "one_sided"
    """The comparisons that link its group to the ranked models all went one way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strength:
    """One model's strength with a 95 % interval, or why it has none.

    `wins` counts ties as halves. `rank` is 1 and the number of models that are surely
    stronger, by tests of all pairs after Holm; None where too few people tell of it.
    """

    model: str
    battles: int
    wins: float
    value: float | None = None
    low: float | None = None
    high: float | None = None
    rank: int | None = None
    unranked: Unranked | None = None


def preference(battles: Sequence[Battle]) -> list[Strength]:
    """Return the models' Bradley-Terry strengths, the strongest first.

    Formula: P(i is chosen over j) = 1 / (1 + 10^((s_j - s_i) / 400)), by maximum likelihood;
    a tie is half a win for each, and the mean of the ranked models is 1000. Intervals are
    s ± t·SE with the jackknife over people; a model of which fewer than five people in effect
    tell, or people unknown, has none and no rank. Ranks count who is surely stronger, by
    paired tests of all pairs after Holm.
    Range: every number; only differences count, and 400 points are odds of ten to one.
    Direction: higher is better.
    No data: null with the reason. Strengths can be compared only where a chain of wins leads
    from each model to each other (a tie is a win both ways): the largest such group is
    ranked, the others are listed with what keeps them out.
    Source: Bradley & Terry 1952, "Rank analysis of incomplete block designs: I. The method
    of paired comparisons"; Ford 1957, "Solution of a ranking problem from binary
    comparisons", for when there is a maximum; Liang & Zeger 1986, "Longitudinal data
    analysis using generalized linear models", for the errors.

    Example:
        >>> battles = [Battle("a", "b", score, n) for n, score in enumerate([1, 1, 1, 0])]
        >>> [(one.model, round(one.value or 0)) for one in preference(battles)]
        [('a', 1095), ('b', 905)]
    """
    wins = _count_wins(battles)
    models = sorted({model for pair in wins for model in pair})
    ranked = _largest_group(models, wins)
    places = _fit(sorted(ranked), battles) if len(ranked) >= _PAIR else {}
    backwards = {(other, one): count for (one, other), count in wins.items()}
    linked = _reached(wins, backwards, start=min(ranked, default=""))
    found = [
        _strength(model, battles, places, is_linked=bool(places) and model in linked)
        for model in models
    ]
    return sorted(found, key=_order)


def battles_of(models: Sequence[str], choice: str | None, *, group: Hashable) -> list[Battle]:
    """Return the battles of one message: the chosen reply beats every other.

    Args:
        models: Whose replies they were, in the order of the choice.
        choice: The number of the chosen reply, or "tie" for a tie of all; anything else
            compares nothing. A model never meets itself.
        group: What the battles have in common with others, such as their conversation.

    Example:
        >>> [(one.one, one.other, one.score) for one in battles_of(["a", "b"], "1", group=1)]
        [('b', 'a', 1.0)]
    """
    if choice == TIE:
        pairs = [(one, other) for place, one in enumerate(models) for other in models[place + 1 :]]
        return [Battle(one, other, 0.5, group) for one, other in pairs if one != other]
    chosen = {str(place): model for place, model in enumerate(models)}.get(choice or "")
    if chosen is None:
        return []
    return [Battle(chosen, model, 1.0, group) for model in models if model != chosen]


def _order(one: Strength) -> tuple[bool, float, float, str]:
    """Put the strongest first, and those without a strength last, by their share of wins."""
    return one.value is None, -(one.value or 0.0), -one.wins / one.battles, one.model


def _strength(
    model: str, battles: Sequence[Battle], places: Mapping[str, Placed], *, is_linked: bool
) -> Strength:
    fought = [one for one in battles if model in {one.one, one.other}]
    won = sum(one.score if one.one == model else 1 - one.score for one in fought)
    if model in places:
        value, low, high, rank = places[model]
        return Strength(
            model=model,
            battles=len(fought),
            wins=won,
            value=value,
            low=low,
            high=high,
            rank=rank,
        )
    why = Unranked.ONE_SIDED if is_linked else Unranked.UNLINKED
    if won in {0, len(fought)}:
        why = Unranked.NEVER_LOST if won else Unranked.NEVER_WON
    return Strength(model=model, battles=len(fought), wins=won, unranked=why)


def _count_wins(battles: Sequence[Battle]) -> dict[tuple[str, str], float]:
    """Return how often one model was chosen over another."""
    wins: dict[tuple[str, str], float] = {}
    for battle in battles:
        pair = (battle.one, battle.other)
        wins[pair] = wins.get(pair, 0.0) + battle.score
        wins[pair[::-1]] = wins.get(pair[::-1], 0.0) + 1 - battle.score
    return wins


def _largest_group(models: Sequence[str], wins: Wins) -> set[str]:
    """Return the largest group in which wins lead from each model to each other."""
    backwards = {(other, one): count for (one, other), count in wins.items()}
    groups = [_reached(wins, start=one) & _reached(backwards, start=one) for one in models]

    def weight(group: set[str]) -> tuple[int, float]:
        return len(group), sum(count for pair, count in wins.items() if group.issuperset(pair))

    return max(groups, key=weight, default=set())


def _reached(*wins: Wins, start: str) -> set[str]:
    """Return the models that a chain of wins leads to."""
    beaten: dict[str, set[str]] = {}
    for one, other in (pair for part in wins for pair, count in part.items() if count > 0):
        beaten.setdefault(one, set()).add(other)
    found, waiting = {start}, [start]
    while waiting:
        new = beaten.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _fit(models: Sequence[str], battles: Sequence[Battle]) -> dict[str, Placed]:
    """Return strength, interval and rank of models between which there is a maximum."""
    # It brings NumPy and SciPy along, which servers without a board do without.
    import numpy as np  # noqa: PLC0415

    from dynabench.science.statistics.bradley_terry import fit_strengths  # noqa: PLC0415
    from dynabench.science.statistics.ranks import ranks_by_p  # noqa: PLC0415

    place = {model: number for number, model in enumerate(models)}
    inside = [one for one in battles if one.one in place and one.other in place]
    found = fit_strengths(
        [(place[one.one], place[one.other]) for one in inside],
        [one.score for one in inside],
        [one.group for one in inside],
        players=len(models),
    )
    values = np.array(found.values)
    pairs = found.p_values[np.triu_indices(len(models), k=1)]
    ranks = ranks_by_p(pairs, values[:, None] < values[None, :]).lows
    placed: dict[str, Placed] = {}
    for number, model in enumerate(models):
        value, reach = CENTRE + _POINTS * found.values[number], found.reach[number]
        rank = int(ranks[number]) if found.is_known[number] else None
        wide = None if reach is None else _POINTS * reach
        ends = (None, None) if wide is None else (value - wide, value + wide)
        placed[model] = (value, *ends, rank)
    return placed
