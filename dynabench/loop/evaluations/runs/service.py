"""Use case of the worker: ask a model every item of a version, then compute its scores."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Protocol
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.inference.errors import TargetBusyError
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError, UnavailableError
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetItem, DatasetVersion, Split
from dynabench.loop.evaluations.repository import EvaluationRepository
from dynabench.loop.evaluations.rules import Outputs, item_scores, needs_sentencepiece
from dynabench.loop.evaluations.runs.repository import RunRepository
from dynabench.loop.evaluations.values import (
    SCORED_SPLITS,
    Evaluation,
    EvaluationState,
    Findings,
    ItemPrediction,
    MetricScore,
)
from dynabench.loop.models.service import ModelService
from dynabench.loop.tasks.service import TaskService
from dynabench.science.metrics.registry import Resources
from dynabench.science.metrics.sp_bleu import SentencePieceMissingError, sp_bleu_over
from dynabench.science.task_config.problems import FieldValueError
from dynabench.science.task_config.schema import TaskConfig

SHARD_ITEMS = 256
_ASKED_AT_ONCE = 64
_BUSY_PAUSE_SECONDS = 0.2


class Steps(Protocol):
    """What a run needs of its job: each step is done once, however often the job is started."""

    async def step(self, key: str, work: Callable[[], Awaitable[JsonValue]]) -> JsonValue:
        """Do a step, or return what it gave before."""
        ...

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is."""
        ...

    async def log(self, line: str) -> None:
        """Add a line to the job's log."""
        ...


class EvaluationRunner:
    """Does the evaluations that `EvaluationService` asks for."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        models: ModelService,
        datasets: DatasetService,
        sentencepiece: Path | None = None,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._datasets = datasets
        self._sentencepiece = sentencepiece

    async def run(self, *, model_id: UUID, version_id: UUID, steps: Steps) -> Evaluation:
        """Score a model on a version; finished shards of an interrupted run are kept.

        Raises:
            UnavailableError: If the model cannot be asked at all; the evaluation says so.
        """
        evaluation = await self._find(model_id=model_id, version_id=version_id)
        if evaluation.state is EvaluationState.DONE:
            return evaluation
        try:
            await self._score(evaluation, steps)
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
        assert found is not None, "its row is written with the job"
        return found

    async def _score(self, evaluation: Evaluation, steps: Steps) -> None:
        version = await self._datasets.get(evaluation.dataset_version_id)
        config = (await self._tasks.get_by_id(version.task_id)).config
        resources = await asyncio.to_thread(self._resources, config)
        failed, seconds = await self._ask_all(evaluation, version, config, resources, steps)
        found: list[MetricScore] = []
        for split in SCORED_SPLITS:
            items: list[DatasetItem] = []
            outputs: list[dict[str, object]] = []
            async for page in self._datasets.pages(version.id, split, size=SHARD_ITEMS):
                async with self._db.read() as session:
                    answered = await EvaluationRepository(session).predictions(
                        evaluation.id, [item.uid for item in page]
                    )
                items += page
                outputs += [answered[item.uid].outputs for item in page]
            if items:
                found += await asyncio.to_thread(_measure, config, split, items, outputs, resources)
        async with self._db.transaction() as session:
            await RunRepository(session).finish(
                evaluation.id,
                Findings(
                    scores=found, tags=[], measurement=None, failed_items=failed, seconds=seconds
                ),
                now=self._clock.now(),
            )
        await steps.log(f"Scored on {version.name}; {failed} items failed.")

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

    async def _ask_all(
        self,
        evaluation: Evaluation,
        version: DatasetVersion,
        config: TaskConfig,
        resources: Resources,
        steps: Steps,
    ) -> tuple[int, float]:
        """Ask every item in shards; returns how many failed and the seconds that took."""
        total = sum(version.sizes[split] for split in SCORED_SPLITS)
        done, failed, seconds = 0, 0, 0.0
        for split in SCORED_SPLITS:
            async for page in self._datasets.pages(version.id, split, size=SHARD_ITEMS):

                async def work(page: Sequence[DatasetItem] = page) -> JsonValue:
                    return await self._ask_shard(evaluation, page, config, resources)

                kept = await steps.step(f"{split}-{page[0].position}", work)
                assert isinstance(kept, dict), "a shard keeps its counts"
                failed += int(str(kept["failed"]))
                seconds += float(str(kept["seconds"]))
                done += len(page)
                await steps.progress(done, total, f"{done} of {total} items")
        return failed, seconds

    async def _ask_shard(
        self,
        evaluation: Evaluation,
        items: Sequence[DatasetItem],
        config: TaskConfig,
        resources: Resources,
    ) -> JsonValue:
        started = perf_counter()
        places = asyncio.Semaphore(_ASKED_AT_ONCE)
        lost: list[UnavailableError] = []

        async def ask(item: DatasetItem) -> ItemPrediction:
            async with places:
                try:
                    return await self._ask(evaluation.model_id, item, config)
                except UnavailableError as error:
                    if error.code.startswith("database."):
                        raise
                    lost.append(error)
                    return _failed(item, error.message)

        found = await asyncio.gather(*(ask(item) for item in items))
        if lost and len(lost) == len(items):
            # Not one item got an answer: the model is gone, rather than bad at these items.
            raise lost[0]
        seconds = perf_counter() - started
        outputs = [one.outputs for one in found]
        scores = item_scores(config, items, outputs, resources)
        rows = [
            ItemPrediction(
                uid=one.uid,
                outputs=one.outputs,
                probabilities=one.probabilities,
                error=one.error,
                score=score,
            )
            for one, score in zip(found, scores, strict=True)
        ]
        async with self._db.transaction() as session:
            await RunRepository(session).add_predictions(evaluation.id, rows)
        return {"failed": sum(one.error is not None for one in rows), "seconds": seconds}

    async def _ask(self, model_id: UUID, item: DatasetItem, config: TaskConfig) -> ItemPrediction:
        values = {**item.context, **item.inputs}
        while True:
            try:
                prediction = await self._models.predict(model_id, values)
                break
            except TargetBusyError:
                # Annotators go first; an evaluation has time.
                await asyncio.sleep(_BUSY_PAUSE_SECONDS)
        if prediction.error is not None:
            return _failed(item, prediction.error)
        try:
            outputs = config.check_prediction(prediction.outputs, context=values)
        except FieldValueError as error:
            return _failed(item, error.message)
        return ItemPrediction(
            uid=item.uid,
            outputs=outputs,
            probabilities=prediction.probabilities,
            error=None,
            score=None,
        )


def _measure(
    config: TaskConfig,
    split: Split,
    items: Sequence[DatasetItem],
    outputs: Sequence[Outputs],
    resources: Resources,
) -> list[MetricScore]:
    # It brings 60 MB along, which processes that never score do without.
    from dynabench.loop.evaluations.runs.rules import measure  # noqa: PLC0415

    return measure(config, split, items, outputs, resources)


def _failed(item: DatasetItem, reason: str) -> ItemPrediction:
    return ItemPrediction(
        uid=item.uid,
        outputs={},
        probabilities=None,
        # What a model says when it fails may hold what PostgreSQL does not store.
        error=reason.replace("\0", ""),
        score=None,
    )
