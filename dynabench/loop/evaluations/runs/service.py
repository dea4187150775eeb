"""Use case of the worker: ask a model every item of a version, then compute its scores."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from uuid import UUID

from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.kit.sentences import Phrase
from dynabench.loop.datasets.scans.service import ItemScan
from dynabench.loop.datasets.scans.values import ItemBlock
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion, Split
from dynabench.loop.evaluations.errors import (
    EvaluationNotFoundError,
    ModelFailedError,
    NothingAnsweredError,
)
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.rules import needs_sentencepiece
from dynabench.loop.evaluations.runs.checking.rules import Checked
from dynabench.loop.evaluations.runs.deltas.service import DeltaFinder
from dynabench.loop.evaluations.runs.measures.rules import (
    SAMPLE_ITEMS,
    UNTIMED,
    best_of_batches,
    difference_of,
)
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.runs.rows.rules import encode_rows
from dynabench.loop.evaluations.runs.sources.values import Source, Timing
from dynabench.loop.evaluations.runs.tallies.rules import SplitTally
from dynabench.loop.evaluations.runs.targets.service import SourceOpener
from dynabench.loop.evaluations.values import (
    SCORED_SPLITS,
    Evaluation,
    EvaluationState,
    Findings,
    FinishedShard,
    Measurement,
    MetricScore,
    TagScore,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.science.metrics.registry import Resources
from dynabench.science.metrics.sp_bleu import SentencePieceMissingError, sp_bleu_over
from dynabench.science.task_config.schema import TaskConfig

_ASKED = Phrase("doing.items_asked", "{done} of {items} items")

_LOG_LINES = 50


class Steps(Protocol):
    """What a run needs of its job."""

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is."""
        ...

    async def log(self, line: str) -> None:
        """Add a line to the job's log."""
        ...


@dataclass(slots=True)
class _Pass:
    """One run over one version: what is known of its shards, and what they scored."""

    evaluation: Evaluation
    version: DatasetVersion
    source: Source
    steps: Steps
    finished: dict[tuple[Split, int], FinishedShard]
    tallies: dict[Split, SplitTally]
    sample: ItemBlock | None = None
    asking: set[asyncio.Task[None]] = field(default_factory=set)
    storing: asyncio.Task[None] | None = None
    # Blocks that are asked at the same time are scored and stored one after the other.
    writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    shards: list[FinishedShard] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """How many items there are to be asked."""
        return sum(self.version.sizes[split] for split in SCORED_SPLITS)

    async def wait(self, *, until_left: int) -> None:
        """Wait until no more blocks than these are being asked; the first failure ends it."""
        while len(self.asking) > until_left:
            done, _ = await asyncio.wait(self.asking, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
            self.asking -= done

    async def count(self, shard: FinishedShard) -> None:
        """Count a shard in, and tell how far the run is."""
        self.shards.append(shard)
        done = sum(one.items for one in self.shards)
        await self.steps.progress(done, self.total, _ASKED.say(done=done, items=self.total))


class EvaluationRunner:
    """Does the evaluations that `EvaluationService` asks for."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        datasets: DatasetService,
        scan: ItemScan,
        sources: SourceOpener,
        deltas: DeltaFinder,
        sentencepiece: Path | None = None,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._datasets = datasets
        self._scan = scan
        self._sources = sources
        self._deltas = deltas
        self._sentencepiece = sentencepiece

    async def run(self, *, model_id: UUID, version_id: UUID, steps: Steps) -> Evaluation:
        """Score a model on a version; finished shards of an interrupted run are kept.

        Raises:
            DynabenchError: If the model cannot be scored; the evaluation says so.
        """
        evaluation = await self._find(model_id=model_id, version_id=version_id)
        try:
            if evaluation.state is EvaluationState.PENDING:
                await self._score(evaluation, steps)
            await self._deltas.refresh(model_id=model_id, version_id=version_id)
        except DynabenchError as error:
            # A lost database is no fault of the model: the job goes on later.
            if not error.code.startswith("database."):
                async with self._db.transaction() as session:
                    repository = EvaluationRepository(session)
                    await repository.fail(evaluation.id, reason=error.message)
            raise
        return await self._find(model_id=model_id, version_id=version_id)

    async def _find(self, *, model_id: UUID, version_id: UUID) -> Evaluation:
        async with self._db.read() as session:
            found = await EvaluationRepository(session).find(
                model_id=model_id, version_id=version_id
            )
        # Its row is written with the job, and goes with its model.
        if found is None:
            raise EvaluationNotFoundError
        return found

    async def _score(self, evaluation: Evaluation, steps: Steps) -> None:
        version = await self._datasets.get(evaluation.dataset_version_id)
        config = (await self._tasks.get_by_id(version.task_id)).config
        resources = await asyncio.to_thread(self._resources, config)
        try:
            source = await self._sources.open(evaluation, version, config)
        except ModelFailedError as error:
            await _write_log(error.log, steps)
            raise
        try:
            tallies = {split: SplitTally(config, resources) for split in SCORED_SPLITS}
            run = _Pass(evaluation, version, source, steps, {}, tallies)
            await self._load_finished(run)
            await self._ask_all(run)
            _require_an_answer(run)
            await self._finish(run)
        finally:
            await source.close()
            await _write_log(source.log, steps)

    def _resources(self, config: TaskConfig) -> Resources:
        """Return what the task's metrics need beside answers, before any model is asked.

        Raises:
            SentencePieceMissingError: If a metric needs a model that the server lacks.
        """
        if not needs_sentencepiece(config):
            return Resources()
        try:
            found = None if self._sentencepiece is None else self._sentencepiece.read_bytes()
        except OSError as error:
            raise SentencePieceMissingError(
                "the file that DYNABENCH_SENTENCEPIECE_MODEL names cannot be read."
            ) from error
        sp_bleu_over(found)
        return Resources(sentencepiece=found)

    async def _load_finished(self, run: _Pass) -> None:
        """Read which shards are finished; answers that no shard vouches for are forgotten."""
        evaluation_id = run.evaluation.id
        async with self._db.read() as session:
            found = await RunRepository(session).shards(evaluation_id)
        size = run.source.shard_items
        is_whole = all(_fits(one, run.version, size) for one in found)
        # Where nothing at all was answered, trying again means asking again.
        if is_whole and any(one.failed < one.items for one in found):
            run.finished = {(one.split, one.number): one for one in found}
            return
        async with self._db.transaction() as session:
            await RunRepository(session).clear(evaluation_id)

    async def _ask_all(self, run: _Pass) -> None:
        try:
            for split in SCORED_SPLITS:
                number = 0
                size = run.source.shard_items
                async for block in self._scan.blocks(run.version.id, split, size=size):
                    if number == 0 and not run.source.covers(block):
                        break
                    run.sample = run.sample or block
                    known = run.finished.get((split, number))
                    if known is None:
                        shard = self._do_shard(run, split, number, block)
                        run.asking.add(asyncio.create_task(shard))
                        await run.wait(until_left=run.source.at_once - 1)
                    else:
                        await self._take_up(run, known, block)
                    number += 1
            await run.wait(until_left=0)
            if run.storing is not None:
                await asyncio.shield(run.storing)
        finally:
            for task in run.asking:
                task.cancel()
            await asyncio.gather(*run.asking, return_exceptions=True)
            if run.storing is not None:
                # What is answered is stored, whatever else ends the run.
                await asyncio.gather(run.storing, return_exceptions=True)

    async def _do_shard(self, run: _Pass, split: Split, number: int, block: ItemBlock) -> None:
        """Have a block answered and scored, and store it while the next one is answered."""
        found = await run.source.answers(block, number=number)
        shard = FinishedShard(
            split=split,
            number=number,
            items=len(block),
            failed=sum(error is not None for _, _, error in found.checked),
            seconds=found.seconds,
            cpu_seconds=found.cpu_seconds,
            memory_peak_bytes=found.memory_peak_bytes,
        )
        run.errors.update(error for _, _, error in found.checked if error is not None)
        async with run.writing:
            rows = await asyncio.to_thread(_score_block, run, split, block, found.checked)
            if run.storing is not None:
                await asyncio.shield(run.storing)
            run.storing = asyncio.create_task(self._store(run.evaluation.id, shard, rows))
            await run.count(shard)

    async def _store(self, evaluation_id: UUID, shard: FinishedShard, rows: bytes) -> None:
        async with self._db.transaction() as session:
            await RunRepository(session).add_shard(evaluation_id, shard, rows)

    async def _take_up(self, run: _Pass, known: FinishedShard, block: ItemBlock) -> None:
        """Count in what was answered before."""
        async with self._db.read() as session:
            outputs = await RunRepository(session).outputs(run.evaluation.id, block.uids)
        answers: list[Checked] = [(outputs.get(uid, {}), None, None) for uid in block.uids]
        async with run.writing:
            await asyncio.to_thread(_score_block, run, known.split, block, answers)
            await run.count(known)

    async def _finish(self, run: _Pass) -> None:
        scores, tags = await asyncio.to_thread(_results, run)
        measurement = await self._measure(run)
        failed = sum(one.failed for one in run.shards)
        findings = Findings(
            scores=scores,
            tags=tags,
            measurement=measurement,
            failed_items=failed,
            seconds=sum(one.seconds for one in run.shards),
        )
        async with self._db.transaction() as session:
            await RunRepository(session).finish(run.evaluation.id, findings, now=self._clock.now())
        await run.steps.log(f"Scored on {run.version.name}; {failed} items failed.")

    async def _measure(self, run: _Pass) -> Measurement | None:
        """Time the warm model; on changed texts nothing is timed."""
        if run.version.perturbs_id is not None:
            return None
        sample = None if run.sample is None else _cut(run.sample)
        timing = await run.source.timing(sample)
        if timing is None:
            return None
        reason = await self._timing_fault(run, sample, timing)
        usage = run.source.usage()
        peaks = [one.memory_peak_bytes for one in run.shards if one.memory_peak_bytes is not None]
        spent = [one.cpu_seconds for one in run.shards if one.cpu_seconds is not None]
        pace = timing.pace if reason is None else None
        return Measurement(
            throughput=None if pace is None else pace.median,
            throughput_low=None if pace is None else pace.low,
            throughput_high=None if pace is None else pace.high,
            throughput_reason=reason,
            batched_throughput=best_of_batches(run.shards),
            is_measured_at_client=timing.is_measured_at_client,
            memory_mean_bytes=usage.memory_mean_bytes,
            memory_peak_bytes=max([*peaks, usage.memory_peak_bytes or 0]) or None,
            cpu_seconds=sum(spent) if spent else None,
            machine=timing.machine,
            reference_seconds=timing.reference_seconds,
            measured_at=self._clock.now(),
        )

    async def _timing_fault(
        self, run: _Pass, sample: ItemBlock | None, timing: Timing
    ) -> str | None:
        """Say why a pace does not count: the model failed, or answered otherwise than before."""
        if sample is None or timing.is_measured_at_client:
            return None
        if timing.pace is None:
            return UNTIMED.say()
        async with self._db.read() as session:
            outputs = await RunRepository(session).outputs(run.evaluation.id, sample.uids)
        return difference_of(timing.answers, [outputs.get(uid, {}) for uid in sample.uids])


def _require_an_answer(run: _Pass) -> None:
    """Fail a model that answered nothing: scores of 0 would say that it was wrong.

    Raises:
        NothingAnsweredError: If every item failed.
    """
    items = sum(one.items for one in run.shards)
    if not items or sum(one.failed for one in run.shards) < items:
        return
    common = run.errors.most_common(1)
    raise NothingAnsweredError(items=items, error=common[0][0] if common else None)


def _score_block(run: _Pass, split: Split, block: ItemBlock, answers: Sequence[Checked]) -> bytes:
    """Add a block to its split's tally; return its rows for the database."""
    scores = run.tallies[split].add(
        gold=block.gold,
        outputs=[outputs for outputs, _, _ in answers],
        contexts=block.contexts,
        tags=block.tags,
    )
    return encode_rows(run.evaluation.id, block.uids, answers, scores)


def _results(run: _Pass) -> tuple[list[MetricScore], list[TagScore]]:
    # It brings 60 MB along, which processes that never score do without.
    from dynabench.loop.evaluations.runs.rules import measure, measure_tags  # noqa: PLC0415

    found = [(split, tally) for split, tally in run.tallies.items() if len(tally)]
    return (
        [score for split, tally in found for score in measure(tally, split)],
        [score for split, tally in found for score in measure_tags(tally, split)],
    )


def _fits(shard: FinishedShard, version: DatasetVersion, size: int) -> bool:
    """Tell whether a shard was cut as shards are cut now."""
    left = version.sizes[shard.split] - shard.number * size
    return shard.items == min(size, left)


def _cut(block: ItemBlock) -> ItemBlock:
    """Return the first items of a block: the fixed sample on which a model is timed."""
    size = slice(SAMPLE_ITEMS)
    return ItemBlock(
        position=block.position,
        uids=block.uids[size],
        values=block.values[size],
        sizes=block.sizes[size],
        gold=block.gold[size],
        tags=block.tags[size],
        contexts=block.contexts[size],
    )


async def _write_log(log: str, steps: Steps) -> None:
    lines = [line for line in log.splitlines() if line.strip()]
    if lines:
        await steps.log("\n".join(lines[-_LOG_LINES:]))
