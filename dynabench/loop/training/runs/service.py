"""Does what a training was ordered to do, from the items to the model of the task."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeAlias
from uuid import UUID

from pydantic import JsonValue

from dynabench.engines.finetuning.values import FineTuningOrder
from dynabench.engines.inference.adapters import ISOLATION, TargetFactory
from dynabench.engines.jobs.errors import JobCancelled, JobInterrupted
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.values import JobState
from dynabench.engines.runners.installed import require_runner
from dynabench.engines.runners.options import read_options
from dynabench.engines.storage.store import parse_digest
from dynabench.kit.db.database import Database, Session
from dynabench.kit.errors import InvalidError, UnavailableError
from dynabench.kit.sentences import Phrase
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.models.checks.service import check_folder
from dynabench.loop.models.rules import spec_for
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.errors import CodeRefusedError
from dynabench.loop.models.submissions.values import ChooseIsolation
from dynabench.loop.models.values import (
    Model,
    ModelIsolation,
    ModelKind,
    ModelPurpose,
    Submission,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.training.checkpoints.service import Checkpoints
from dynabench.loop.training.checkpoints.values import Checkpoint
from dynabench.loop.training.errors import TrainedModelUnusableError
from dynabench.loop.training.gathering.service import Gatherer
from dynabench.loop.training.learners.service import Learners, Progress
from dynabench.loop.training.learners.values import (
    CHECKPOINT_FOLDER,
    MODEL_FOLDER,
    LearningOrder,
)
from dynabench.loop.training.provenance.rules import describe_source, write_card
from dynabench.loop.training.provenance.values import Lineage
from dynabench.loop.training.rules import require_learnable, summarise
from dynabench.loop.training.runs.values import Outcome, Steps
from dynabench.loop.training.values import (
    TRAIN_MODEL,
    LabelledItem,
    Origin,
    RecipeName,
    TrainingOrder,
)
from dynabench.loop.training.workspaces.service import Workspaces

_GATHERED = Phrase("doing.gathered_items", "gathered {count} items")
_LOOKING = Phrase("doing.looking_at_answers", "looking at the model's answers").say()

# The rest is looking at the model and storing it.
_LEARNT_SHARE = 0.95
_MOST_AT_ONCE = 1_000
_SEEDS = 2**32

Ending: TypeAlias = Callable[[Session, Model], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What a learned model of another library needs to be looked at and run.

    Attributes:
        checkpoints: What it starts from.
        factory: Builds it for a look at its answers.
        isolate: Says how it is kept apart where this machine can.
    """

    checkpoints: Checkpoints
    factory: TargetFactory
    isolate: ChooseIsolation


class TrainingRunner:
    """Carries orders out; what was finished of one is not done again."""

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        models: ModelService,
        evaluations: EvaluationService,
        gatherer: Gatherer,
        learners: Learners,
        workspaces: Workspaces,
        surroundings: Surroundings,
        queue: JobQueue,
    ) -> None:
        self._db = db
        self._tasks = tasks
        self._models = models
        self._evaluations = evaluations
        self._gatherer = gatherer
        self._learners = learners
        self._workspaces = workspaces
        self._surroundings = surroundings
        self._queue = queue

    async def run(self, order: TrainingOrder, *, steps: Steps, submitted_by: UUID | None) -> Model:
        """Do what a job was ordered; a model that was trained is not trained again.

        Its folder stays where the learning process or the worker was lost, so that somebody
        may go on in it; with any other end it goes.

        Raises:
            NoTrainingDataError: If the items do not suffice.
            CheckpointError: If what it starts from is no model.
            TrainingProcessError: If the learning process ended without a model.
            TrainedModelUnusableError: If the model does not answer as the task asks.
        """
        task = await self._tasks.get_by_id(order.task_id)
        await self._sweep()
        try:
            told = await steps.step("learn", partial(self._learn, task, order, steps))
            model = await self._submit_ordered(
                task, order, Outcome.of_json(told), steps=steps, submitted_by=submitted_by
            )
        except asyncio.CancelledError:
            await self._let_go(order, steps)
            raise
        except (JobCancelled, InvalidError):
            await asyncio.to_thread(self._workspaces.remove, order.work_id)
            raise
        await asyncio.to_thread(self._workspaces.remove, order.work_id)
        return model

    async def run_at_once(
        self,
        task: Task,
        submission: Submission,
        lineage: Lineage,
        *,
        items: Sequence[LabelledItem],
        progress: Progress,
    ) -> Model:
        """Train on items at hand and submit the result; again gives the same model.

        Raises:
            NoTrainingDataError: If the items do not suffice.
        """
        config = summarise(task.config)
        answers = {str(item.answer.get(config.answer_name)) for item in items}
        require_learnable(items=len(items), answers=answers, config=config)
        order = LearningOrder(
            recipe=lineage.recipe, config=config, seed=lineage.seed, options=lineage.options
        )
        digest, learnt = await self._learners.fit_items(items, order, progress=progress)
        return await self.submit(
            task, replace(submission, digest=digest), replace(lineage, learnt=learnt)
        )

    async def submit(
        self, task: Task, submission: Submission, lineage: Lineage, *, ending: Ending | None = None
    ) -> Model:
        """Take trained files as a model with its source and its card; see `take`."""
        title = task.config.text(task.config.title) or task.slug
        card = write_card(lineage, task_title=title, model_digest=submission.digest)
        submission = replace(submission, source=describe_source(lineage), card=card)
        return await self.take(task, submission, ending=ending)

    async def take(
        self, task: Task, submission: Submission, *, ending: Ending | None = None
    ) -> Model:
        """Take stored files as a model, and have it scored on every dataset of the task.

        Args:
            task: Whose model it is.
            submission: What is known of it.
            ending: Called last in the transaction that writes the model; raises to undo it.
        """
        async with self._db.transaction() as session:
            model = await self._models.register_handler(session, submission, task=task)
            if submission.purpose is ModelPurpose.TARGET:
                await self._evaluations.enqueue_model(
                    session, model.id, task_id=task.id, created_by=submission.submitted_by
                )
            if ending is not None:
                await ending(session, model)
        return model

    async def _learn(self, task: Task, order: TrainingOrder, steps: Steps) -> JsonValue:
        folder = await asyncio.to_thread(self._workspaces.open, order.work_id)

        async def tell(items: int) -> None:
            await steps.progress(0, 1, _GATHERED.say(count=items))

        gathered = await self._gatherer.gather(task, order, folder, tell=tell)
        for part in gathered.ingredients:
            await steps.log(f"Learns from {part.name}: {part.items:,} items x {part.weight}.")
        checkpoint = await self._checkpoint(order, folder)
        learning = _learning_order(task, order, checkpoint)
        narrator = _Narrator(steps)
        learnt = await self._learners.learn(folder, learning, progress=narrator.tell)
        if checkpoint is not None:
            await steps.progress(_LEARNT_SHARE, 1, _LOOKING)
            await self._require_usable(task, order, folder / MODEL_FOLDER, steps)
        outcome = Outcome(
            digest=await self._learners.keep(folder),
            gathered=gathered,
            learnt=learnt,
            checkpoint=None if checkpoint is None else checkpoint.to_json(),
        )
        return outcome.to_json()

    async def _checkpoint(self, order: TrainingOrder, folder: Path) -> Checkpoint | None:
        name, revision = order.options.get("checkpoint"), order.options.get("revision")
        if order.recipe is not RecipeName.TRANSFORMERS:
            return None
        require_runner("huggingface")
        return await self._surroundings.checkpoints.get(
            str(name),
            revision=None if revision is None else str(revision),
            into=folder / CHECKPOINT_FOLDER,
        )

    async def _require_usable(
        self, task: Task, order: TrainingOrder, folder: Path, steps: Steps
    ) -> None:
        """Make the folder one that a worker can run, and ask the model trial inputs.

        Raises:
            TrainedModelUnusableError: With what is wrong with its answers.
        """
        options = _runner_options(order)
        spec = spec_for(
            task.config,
            kind=ModelKind.HUGGINGFACE,
            name=order.name,
            options={**options, ISOLATION: (await self._isolation()).value},
        )
        report = await check_folder(folder, spec, task.config, factory=self._surroundings.factory)
        for line in report.log.splitlines():
            await steps.log(line)
        if report.problems:
            raise TrainedModelUnusableError(reason=str(report.problems[0]))

    async def _isolation(self) -> ModelIsolation:
        """Return what stands between the model and the server: the sandbox, where there is one.

        Elsewhere it runs as what the installation brings does: its code is the runner's own, and
        its weights are numbers.
        """
        try:
            return await asyncio.to_thread(self._surroundings.isolate)
        except CodeRefusedError:
            return ModelIsolation.BUILT_IN

    async def _submit_ordered(
        self,
        task: Task,
        order: TrainingOrder,
        outcome: Outcome,
        *,
        steps: Steps,
        submitted_by: UUID | None,
    ) -> Model:
        submission = Submission(
            name=order.name,
            digest=parse_digest(outcome.digest),
            description=order.description,
            submitted_by=submitted_by,
        )
        if outcome.checkpoint is not None:
            submission = replace(
                submission,
                kind=ModelKind.HUGGINGFACE,
                options=_runner_options(order),
                isolation=await self._isolation(),
            )
        parts = outcome.gathered.ingredients
        lineage = Lineage(
            recipe=order.recipe,
            seed=order.seed,
            options=order.options,
            origin=Origin(
                starter_digest=outcome.gathered.starter_digest,
                dataset_digests=tuple(one.digest for one in parts if one.version_id is not None),
                ingredients=parts,
                selection=order.selection,
            ),
            learnt=outcome.learnt,
            checkpoint=outcome.checkpoint,
        )
        return await self.submit(task, submission, lineage, ending=partial(_end, steps))

    async def _let_go(self, order: TrainingOrder, steps: Steps) -> None:
        """Remove what a cancelled job leaves; where the worker ends, the next one goes on."""
        try:
            await steps.log("The worker stops; the training goes on where it is.")
        except JobCancelled:
            await asyncio.to_thread(self._workspaces.remove, order.work_id)
        except (JobInterrupted, UnavailableError):
            return

    async def _sweep(self) -> None:
        """Remove folders that were left long ago by trainings that nobody goes on with."""
        going_on = [JobState.QUEUED, JobState.RUNNING]
        async with self._db.read() as session:
            found = await self._queue.list_jobs(
                session, name=TRAIN_MODEL, states=going_on, limit=_MOST_AT_ONCE
            )
        in_use = {TrainingOrder.of_payload(job.payload).work_id for job in found}
        await asyncio.to_thread(self._workspaces.sweep, in_use=in_use)


async def _end(steps: Steps, session: Session, model: Model) -> None:
    """End the training's job with its model: a cancelled one leaves none."""
    line = f"Trained {model.name} version {model.version}: {model.digest}."
    await steps.end(session, {"model_id": str(model.id)}, line=line)


class _Narrator:
    """Tells a job's progress, and writes each new thing that is done into its log."""

    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._doing = ""

    async def tell(self, done: float, total: float, doing: str) -> None:
        """Pass on how far the learning process is."""
        if doing != self._doing:
            self._doing = doing
            await self._steps.log(f"{doing[:1].upper()}{doing[1:]}.")
        share = done / total if total else 0.0
        await self._steps.progress(_LEARNT_SHARE * share, 1, doing)


def _learning_order(
    task: Task, order: TrainingOrder, checkpoint: Checkpoint | None
) -> LearningOrder:
    learning = LearningOrder(
        recipe=order.recipe,
        config=summarise(task.config),
        seed=order.seed,
        options=order.options,
    )
    if checkpoint is None:
        return learning
    options = read_options("huggingface", _runner_options(order), config=task.config)
    assert options is not None, "this kind of model has options"
    told = order.options
    return replace(
        learning,
        checkpoint=str(checkpoint.folder),
        fine_tuning=FineTuningOrder(
            pipeline=options.pipeline.value,
            inputs=options.inputs,
            answer=options.answer,
            labels=options.task_labels,
            epochs=int(str(told["epochs"])),
            batch_size=int(str(told["batch_size"])),
            learning_rate=float(str(told["learning_rate"])),
            max_length=options.max_length,
            seed=order.seed % _SEEDS,
        ),
    )


def _runner_options(order: TrainingOrder) -> dict[str, object]:
    """Return how the fine-tuned model is to be run: it reads as much as it has learned to."""
    return {"max_length": order.options["max_length"]}
