"""Use case of a run: ask one model very many items, whatever becomes of its process.

Whoever asks gets an answer or an error for every item, and at most one of each; only a model
that cannot be asked at all ends the run.
"""

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import AsyncGenerator, Coroutine, Iterable, Iterator, Sequence
from time import perf_counter

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.errors import (
    TargetAnswerInvalidError,
    TargetBusyError,
    TargetStatusError,
    TargetStoppedError,
    TargetTimeoutError,
    TargetUnavailableError,
)
from dynabench.engines.inference.files import Complete, input_weight
from dynabench.engines.inference.metering import Usage
from dynabench.engines.inference.protocol import Prediction, TargetModel, TargetSpec
from dynabench.kit.errors import UnavailableError
from dynabench.loop.evaluations.errors import ModelFailedError
from dynabench.loop.evaluations.runs.asking.values import Answer, Inputs, Patience, Streams

Answered = tuple[Sequence[int], Sequence[Answer]]
"""The places of items among those that were asked, and what was answered to each."""

# A single item whose process ended is asked once more: something else may have ended it.
_MOST_TRIES = 2
_REMOTE_WINDOW = 64


class Asker:
    """Asks one model; the same process serves every call until `close`.

    Args:
        spec: How the model is reached.
        factory: Builds the target; called again for each new process.
        patience: The limits.
        complete: Puts the bytes of named files into an input; None where there are none.
    """

    def __init__(
        self,
        spec: TargetSpec,
        *,
        factory: TargetFactory,
        patience: Patience,
        complete: Complete | None = None,
    ) -> None:
        self._spec = spec
        self._factory = factory
        self._patience = patience
        self._complete = complete
        self._target: TargetModel = factory(spec)
        self._batch_items = patience.batch_items
        self._answered = 0
        self._deaths = 0
        self._lost_seconds = 0.0
        self._failures = 0
        self._past = Usage()
        self._logs: deque[str] = deque(maxlen=5)

    @property
    def is_remote(self) -> bool:
        """Whether the model answers somewhere else."""
        return not isinstance(self._target, Streams)

    @property
    def shard_items(self) -> int:
        """How many answers are stored at once."""
        patience = self._patience
        return patience.remote_shard_items if self.is_remote else patience.shard_items

    @property
    def log(self) -> str:
        """What the model printed, of its last processes."""
        now = self._target.log if isinstance(self._target, Streams) else ""
        return "\n".join([*self._logs, *([now] if now else [])])

    def usage(self) -> Usage:
        """Return what all its processes together used."""
        if not isinstance(self._target, Streams):
            return Usage()
        return _together(self._past, self._target.usage())

    async def warm(self) -> None:
        """Load the model.

        Raises:
            ModelFailedError: If it cannot be loaded.
        """
        if not isinstance(self._target, Streams):
            return
        started = perf_counter()
        try:
            await self._target.warm()
        except TargetUnavailableError as error:
            self._keep_log(error.log)
            raise self._failed(error.reason) from error
        if self._deaths:
            self._lost_seconds += perf_counter() - started

    async def begin_anew(self) -> None:
        """Let the model's process go, with all that it remembers; the next call starts another."""
        await self._take_over()

    async def ask(self, inputs: Sequence[Inputs]) -> AsyncGenerator[Answered, None]:
        """Give the answers to inputs, some at a time and in any order.

        The model is sent what it may see, under numbers that begin anew with each batch.

        Raises:
            ModelFailedError: If the model cannot be asked any more.
        """
        if isinstance(self._target, Streams):
            answers = self._ask_process(inputs)
        else:
            answers = self._ask_elsewhere(inputs)
        async with contextlib.aclosing(answers):
            async for answered in answers:
                self._answered += len(answered[0])
                yield answered

    def seen(self, value: Inputs) -> Inputs:
        """Return what of an input the model may see."""
        return self._spec.visible(value)

    async def pace(self, inputs: Sequence[Inputs]) -> tuple[float, list[Answer]]:
        """Ask inputs one at a time, each when the one before is answered.

        Returns:
            The seconds, and what was answered to each.

        Raises:
            ModelFailedError: If the model cannot be asked any more.
        """
        assert isinstance(self._target, Streams), "a model elsewhere is timed as it is asked"
        full = [await self._full(value) for value in inputs]
        answers: list[Answer] = []
        started = perf_counter()
        try:
            stream = self._target.stream(
                ([value] for value in full),
                in_flight=1,
                batch_timeout_seconds=self._patience.item_seconds,
            )
            async with contextlib.aclosing(stream):
                async for results in stream:
                    answers.extend(results)
        except TargetStoppedError as error:
            await self._restart(error)
            raise self._failed(error.reason) from error
        return perf_counter() - started, answers

    async def probe(self, inputs: Sequence[Inputs]) -> tuple[list[Prediction], list[float]]:
        """Ask a model elsewhere one input after the other; return also what each took.

        Raises:
            ModelFailedError: If the model cannot be asked.
        """
        found, seconds = [], []
        for value in inputs:
            full = await self._full(value)
            started = perf_counter()
            found.append(await self._ask_patiently(full))
            seconds.append(perf_counter() - started)
        return found, seconds

    async def close(self) -> None:
        """Let the model go."""
        await self._target.close()

    async def _ask_process(self, inputs: Sequence[Inputs]) -> AsyncGenerator[Answered, None]:
        waiting = deque(_batches(range(len(inputs)), self._batch_items))
        died: Counter[int] = Counter()
        while waiting:
            await self.warm()
            assert isinstance(self._target, Streams)
            is_single = len(waiting[0]) == 1
            seconds = self._patience.item_seconds if is_single else self._patience.batch_seconds
            stream = self._target.stream(
                await self._next_batches(waiting, inputs),
                in_flight=self._patience.in_flight,
                batch_timeout_seconds=seconds,
            )
            told_at = perf_counter()
            try:
                async with contextlib.aclosing(stream):
                    async for results in stream:
                        yield waiting.popleft(), results
                        told_at = perf_counter()
            except TargetStoppedError as error:
                # Batches are answered in order: the first that waits was the process's last.
                last = waiting.popleft()
                await self._restart(error)
                if perf_counter() - told_at >= seconds:
                    self._batch_items = max(1, self._batch_items // 8)
                    waiting = deque(_batches(_flat(waiting), self._batch_items))
                if len(last) > 1:
                    waiting.extendleft([place] for place in reversed(last))
                    continue
                died[last[0]] += 1
                if died[last[0]] < _MOST_TRIES:
                    waiting.append(last)
                else:
                    yield last, [{"error": f"The model failed while answering: {error.reason}"}]

    async def _next_batches(
        self, waiting: deque[Sequence[int]], inputs: Sequence[Inputs]
    ) -> Iterator[list[Inputs]]:
        """Return what is sent next: everything, or as many files as are held at once."""
        visible = self._spec.visible
        if self._complete is None:
            return ([visible(inputs[place]) for place in batch] for batch in [*waiting])
        weight = 0
        found: list[list[Inputs]] = []
        for batch in [*waiting]:
            if found and weight >= self._patience.batch_bytes:
                break
            full: list[Inputs] = []
            for place in batch:
                value = await self._complete(visible(inputs[place]))
                weight += input_weight(value)
                full.append(value)
            found.append(full)
        return iter(found)

    async def _full(self, value: Inputs) -> Inputs:
        seen = self._spec.visible(value)
        return seen if self._complete is None else await self._complete(seen)

    async def _restart(self, error: TargetStoppedError) -> None:
        """Take a process that ended for over, and another one in its place.

        Raises:
            ModelFailedError: If this happens too often.
        """
        await self._take_over()
        self._deaths += 1
        patience = self._patience
        most = patience.deaths + self._answered // patience.items_per_death
        if self._lost_seconds < patience.death_seconds:
            most = max(most, patience.quick_deaths)
        if self._deaths > most:
            raise self._failed(
                f"its process ended {self._deaths} times, and {self._answered} items were "
                f"answered; the last time {error.reason}"
            ) from error

    async def _take_over(self) -> None:
        """End the process, keep what it used and printed, and put another one in its place."""
        assert isinstance(self._target, Streams), "a model elsewhere has no process here"
        await self._target.close()
        self._past = _together(self._past, self._target.usage())
        self._keep_log(self._target.log)
        self._target = self._factory(self._spec)

    async def _ask_elsewhere(self, inputs: Sequence[Inputs]) -> AsyncGenerator[Answered, None]:
        at_once = asyncio.Semaphore(self._patience.remote_at_once)

        async def ask(place: int) -> Prediction:
            async with at_once:
                return await self._ask_patiently(await self._full(inputs[place]))

        for places in _batches(range(len(inputs)), _REMOTE_WINDOW):
            yield places, await _all_or_none([ask(place) for place in places])

    async def _ask_patiently(self, value: Inputs) -> Prediction:
        tries = 0
        while True:
            tries += 1
            try:
                (prediction,) = await self._target.predict([value])
            except (TargetStatusError, TargetTimeoutError, TargetAnswerInvalidError) as error:
                if tries >= self._patience.remote_tries:
                    return self._note_failure(error)
            except (UnavailableError, TargetBusyError) as error:
                if tries >= self._patience.reach_tries:
                    reason = error.reason if isinstance(error, TargetUnavailableError) else None
                    raise self._failed(reason or error.message) from error
            else:
                self._failures = 0
                return prediction
            await asyncio.sleep(self._patience.pause_seconds * 2 ** (tries - 1))

    def _note_failure(self, error: UnavailableError) -> Prediction:
        """Return what is kept of an item that failed, unless all of them do."""
        self._failures += 1
        if self._failures > self._patience.remote_failures:
            reason = f"{self._failures} items failed one after the other. {error.message}"
            raise self._failed(reason) from error
        return Prediction(error=error.message)

    def _keep_log(self, log: str) -> None:
        if log:
            self._logs.append(log)

    def _failed(self, reason: str) -> ModelFailedError:
        return ModelFailedError(name=self._spec.name, reason=reason, log=self.log)


async def _all_or_none(work: Sequence[Coroutine[object, object, Prediction]]) -> list[Prediction]:
    """Wait for all of them; if one fails, the others are stopped."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _batches(places: Sequence[int], size: int) -> list[Sequence[int]]:
    return [places[start : start + size] for start in range(0, len(places), size)]


def _flat(batches: Iterable[Sequence[int]]) -> list[int]:
    return [place for batch in batches for place in batch]


def _together(one: Usage, other: Usage) -> Usage:
    """Return what two processes used that ran one after the other."""
    means = [mean for mean in (one.memory_mean_bytes, other.memory_mean_bytes) if mean is not None]
    peaks = [peak for peak in (one.memory_peak_bytes, other.memory_peak_bytes) if peak is not None]
    spent = [cpu for cpu in (one.cpu_seconds, other.cpu_seconds) if cpu is not None]
    return Usage(
        memory_mean_bytes=round(sum(means) / len(means)) if means else None,
        memory_peak_bytes=max(peaks, default=None),
        cpu_seconds=sum(spent) if spent else None,
    )
