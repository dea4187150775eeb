"""Reads what came of a task's rounds: counts, rates, and how far people agreed."""

from collections.abc import Sequence

from dynabench.kit.clock import Clock
from dynabench.loop.leaderboards.next_round.values import PastRound, Period
from dynabench.loop.rounds.values import Round, RoundStatus
from dynabench.loop.validations.folds.service import FoldService
from dynabench.loop.validations.folds.values import Tally
from dynabench.loop.validations.rates.rules import error_rates
from dynabench.loop.validations.rates.service import ErrorRateService
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
            total = sum(people, start=Tally())
            rate = error_rates(
                people, people_are_known=one.people_are_known
            ).validated_model_error_rate
            is_compared = bool(total.collected) and compared < _COMPARED
            compared += is_compared
            found.append(
                PastRound(
                    round_=one,
                    total=total,
                    rate=rate.rate,
                    interval=rate.interval,
                    judged=await self._rates.judgements(one.id) if is_compared else [],
                    work=describe_concentration([tally.collected for tally in people])
                    if one.people_are_known
                    else None,
                )
            )
        return found

    def period(self, round_: Round) -> Period:
        """Return when a round collected."""
        return Period(opened_at=round_.opened_at, ended_at=round_.closed_at or self._clock.now())
