"""Use case of a run: time a warm model on a fixed sample, one item at a time."""

from collections.abc import Sequence

from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.service import Asker
from dynabench.loop.evaluations.runs.asking.values import Answer, Inputs
from dynabench.loop.evaluations.runs.measures.rules import (
    REPEATS,
    WARM_UP_ITEMS,
    Pace,
    Timed,
    is_enough_for_parts,
    most_in_a_repeat,
    parts_of,
    places_of_different,
)


async def measure_pace(asker: Asker, sample: Sequence[Inputs]) -> Timed:
    """Return the pace of a model with a process of its own, and what it answered meanwhile.

    The process is a new one and no item is asked twice, so that no model is fast for having
    kept its answers: each repeat has items of its own or, where there are few, a process of
    its own. It has one thread for each of the libraries that take more by default.
    """
    places = places_of_different([asker.seen(value) for value in sample])
    if not places:
        return Timed(None)
    timing = _Timing(asker, sample)
    try:
        if is_enough_for_parts(len(places)):
            rates = await timing.by_parts(places)
        else:
            rates = await timing.by_processes(places)
    except ModelFailedError:
        return Timed(None)
    return Timed(Pace.of(rates), timing.answers)


class _Timing:
    """Times a model, and keeps what it answers."""

    def __init__(self, asker: Asker, sample: Sequence[Inputs]) -> None:
        self._asker = asker
        self._sample = sample
        self.answers: dict[int, Answer] = {}

    async def by_parts(self, places: Sequence[int]) -> list[float]:
        """Return items per second of repeats with items of their own."""
        await self._begin_anew()
        warm = places[:WARM_UP_ITEMS]
        await self._ask(warm[:1])
        seconds = await self._ask(warm)
        parts = parts_of(len(places), warm_items=len(warm), warm_seconds=seconds)
        return [await self._rate([places[one] for one in part]) for part in parts]

    async def by_processes(self, places: Sequence[int]) -> list[float]:
        """Return items per second of repeats with processes of their own; one item warms each."""
        rates: list[float] = []
        for _ in range(REPEATS):
            await self._begin_anew()
            # A single item there is has nothing before it.
            rest = places[1:] or places
            if len(places) > 1:
                seconds = await self._ask(places[:1])
                rest = rest[: most_in_a_repeat(items=1, seconds=seconds)]
            rates.append(await self._rate(rest))
        return rates

    async def _begin_anew(self) -> None:
        await self._asker.begin_anew()
        await self._asker.warm()

    async def _rate(self, places: Sequence[int]) -> float:
        return len(places) / max(await self._ask(places, is_kept=True), 1e-9)

    async def _ask(self, places: Sequence[int], *, is_kept: bool = False) -> float:
        seconds, answers = await self._asker.pace([self._sample[place] for place in places])
        if is_kept:
            self.answers |= zip(places, answers, strict=True)
        return seconds
