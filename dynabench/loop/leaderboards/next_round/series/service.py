"""Reads what came of a task's rounds: counts, rates, and how far people agreed."""

from collections.abc import Sequence
from statistics import median

from dynabench.kit.clock import Clock
from dynabench.loop.leaderboards.next_round.values import PastRound, Period
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import (
    error_rates,
    validated_model_error_rate,
    votes_missing,
)
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.science.statistics.agreement import Judged
from dynabench.science.statistics.beta_binomial import likeness
from dynabench.science.statistics.concentration import describe_concentration

_COMPARED = 2


class SeriesService:
    """The rounds of all tasks, one after the other."""

    def __init__(self, *, clock: Clock, folds: FoldService, rates: ErrorRateService) -> None:
        self._clock = clock
        self._folds = folds
        self._rates = rates

    async def read(self, rounds: Sequence[Round]) -> list[PastRound]:
        """Return what came of rounds, in their order; drafts are left out.

        The judgements of the first two that hold anything are read as well.
        """
        begun = [one for one in rounds if one.status is not RoundStatus.DRAFT]
        await self._folds.catch_up()
        tallies = await self._folds.per_annotator([one.id for one in begun])
        found: list[PastRound] = []
        compared = 0
        for one in begun:
            people = list(tallies.get(one.id, {}).values())
            is_compared = any(tally.collected for tally in people) and compared < _COMPARED
            compared += is_compared
            judged = await self._rates.judgements(one.id) if is_compared else []
            found.append(_past(one, people, judged))
        return found

    def period(self, round_: Round) -> Period:
        """Return when a round collected."""
        return Period(opened_at=round_.opened_at, ended_at=round_.closed_at or self._clock.now())


def _past(round_: Round, people: Sequence[Tally], judged: Sequence[Judged]) -> PastRound:
    rate = error_rates(people, people_are_known=round_.people_are_known).validated_model_error_rate
    missing = sum(votes_missing(tally) for tally in people)
    tries = [tally.collected for tally in people if tally.collected]
    is_told = round_.people_are_known and not missing
    return PastRound(
        round_=round_,
        total=sum(people, start=Tally()),
        rate=rate.rate,
        interval=rate.interval,
        votes_missing=missing,
        likeness=likeness([validated_model_error_rate(tally) for tally in people])
        if is_told
        else None,
        tries_each=median(tries) if tries and round_.people_are_known else None,
        judged=judged,
        work=describe_concentration(tries) if round_.people_are_known else None,
    )
