"""Use cases of prediction files: check one line by line, and have it scored."""

import asyncio
from collections.abc import AsyncIterator, Collection
from pathlib import Path
from uuid import UUID

from dynabench.engines.row_files.json_lines import read_json_lines
from dynabench.engines.row_files.reading import next_rows
from dynabench.kit.actor import Actor, require_signed_in
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.under_way import UnderWay
from dynabench.loop.datasets.errors import DatasetNotFoundError
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetVersion
from dynabench.loop.evaluations.prediction_files.errors import (
    NotPredictionsError,
    PredictionFileError,
    PredictionsThereError,
)
from dynabench.loop.evaluations.prediction_files.repository import PredictionFileRepository
from dynabench.loop.evaluations.prediction_files.rules import FileCheck
from dynabench.loop.evaluations.prediction_files.schemas import PredictionFileRead
from dynabench.loop.evaluations.prediction_files.values import LineProblem, PredictionFile
from dynabench.loop.evaluations.service import EvaluationService
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore, Received
from dynabench.loop.models.submissions.errors import UploadsBusyError
from dynabench.loop.models.submissions.leftovers.service import Leftovers
from dynabench.loop.models.submissions.permissions import require_author
from dynabench.loop.models.submissions.service import SubmissionService
from dynabench.loop.models.values import Model, ModelKind
from dynabench.loop.tasks.service import TaskService
from dynabench.science.task_config.schema import TaskConfig

# The items that they answer are in memory beside them.
_LINES_AT_ONCE = 250
_MOST_COMING = 2


class PredictionFileService:
    """Takes the answers of models that run elsewhere.

    Args:
        db: Where the files are named.
        clock: The clock.
        tasks: Whose models they are of.
        models: Who may see a model.
        submissions: Makes a model ready with its first file.
        artifacts: Where files go.
        leftovers: Waits for files that are being stored.
        datasets: What the files answer.
        evaluations: Scores them.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        models: ModelService,
        submissions: SubmissionService,
        artifacts: ArtifactStore,
        leftovers: Leftovers,
        datasets: DatasetService,
        evaluations: EvaluationService,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._models = models
        self._submissions = submissions
        self._artifacts = artifacts
        self._leftovers = leftovers
        self._datasets = datasets
        self._evaluations = evaluations
        self._coming = UnderWay(most=_MOST_COMING, refuse=UploadsBusyError)

    async def upload(
        self,
        model_id: UUID,
        version_id: UUID,
        *,
        chunks: AsyncIterator[bytes],
        announced_bytes: int | None,
        actor: Actor,
    ) -> PredictionFileRead:
        """Take a model's answers to a dataset version; the same file again changes nothing.

        The first file makes the model ready.

        Raises:
            NotYourModelError: If another person submitted it.
            NotPredictionsError: If it is of another kind.
            DatasetNotFoundError: If there is no such version in its task, or not for the actor.
            PredictionsThereError: If it has another file for the version.
            PredictionFileError: With up to a hundred wrong lines.
            ArtifactTooLargeError: If the file has too many bytes.
            StorageFullError: If there is no room.
            FilesQuotaError: If the submitter, or the task, may not keep so much.
            JobTimeError: If their jobs or the task's have taken all the time of a day.
            UploadsBusyError: If too many of the actor's files are coming in.
        """
        user_id = require_signed_in(actor)
        model, task = await self._models.get_visible(model_id, actor)
        require_author(model, actor=actor, role=await self._tasks.role_of(task.id, actor))
        if model.kind is not ModelKind.PREDICTIONS:
            raise NotPredictionsError(kind=model.kind)
        version = (await self._datasets.require_visible(version_id, actor=actor)).version
        if version.task_id != model.task_id:
            raise DatasetNotFoundError
        with self._coming.one_more(user_id):
            async with self._artifacts.receive(
                chunks, kind=model.kind, announced_bytes=announced_bytes
            ) as received:
                known = await self._known(model, version, digest=received.digest)
                if known is not None:
                    return PredictionFileRead.model_validate(known)
                items = await self._check(received.path, version, task.config)
                file = await self._keep(model, version, received, items=items)
        return PredictionFileRead.model_validate(file)

    async def needed(
        self, session: Session, digests: Collection[str], *, but_of: UUID | None = None
    ) -> set[str]:
        """Return those of some digests that are files of predictions, but of one model."""
        return await PredictionFileRepository(session).named(digests, but_of=but_of)

    async def of_model(self, session: Session, model_id: UUID) -> list[str]:
        """Return the digests of a model's files."""
        return await PredictionFileRepository(session).of_model(model_id)

    async def forget(self, session: Session, model_id: UUID) -> None:
        """Forget which files a model has."""
        await PredictionFileRepository(session).delete(model_id)

    async def _keep(
        self, model: Model, version: DatasetVersion, received: Received, *, items: int
    ) -> PredictionFile:
        """Store a file that was checked, name it, and have it scored."""
        async with self._db.transaction() as session:
            await self._leftovers.hold_off(session)
            await self._submissions.require_time(session, model)
            await self._submissions.require_file_room(session, model, received.size_bytes)
            artifact = await self._artifacts.keep(received)
            file = PredictionFile(
                model_id=model.id,
                dataset_version_id=version.id,
                digest=artifact.digest,
                items=items,
                created_at=self._clock.now(),
            )
            repository = PredictionFileRepository(session)
            # Who holds the model's row adds to it one after the other.
            await self._submissions.take_predictions(
                session, model, file.digest, size_bytes=artifact.size_bytes
            )
            known = await repository.find(model_id=model.id, version_id=version.id)
            if known is not None:
                raise PredictionsThereError(name=model.name, dataset=version.name)
            await repository.add(file)
            await self._evaluations.enqueue_one(
                session, model.id, version.id, created_by=model.submitted_by
            )
        return file

    async def _known(
        self, model: Model, version: DatasetVersion, *, digest: str
    ) -> PredictionFile | None:
        """Return the file that is there if it is the very same."""
        async with self._db.read() as session:
            found = await PredictionFileRepository(session).find(
                model_id=model.id, version_id=version.id
            )
        if found is not None and found.digest != digest:
            raise PredictionsThereError(name=model.name, dataset=version.name)
        return found

    async def _check(self, path: Path, version: DatasetVersion, config: TaskConfig) -> int:
        """Go through a file; return how many items it answers."""
        check = FileCheck(config, sizes=version.sizes)
        with await asyncio.to_thread(path.open, "rb") as stream:
            lines = read_json_lines(stream)
            while rows := await asyncio.to_thread(next_rows, lines, most_rows=_LINES_AT_ONCE):
                items = await self._datasets.items_called(version.id, check.uids_of(rows))
                await asyncio.to_thread(check.add, rows, items)
        for split in check.missing_splits():
            async for page in self._datasets.pages(version.id, split):
                check.add_missing(page)
        if not check.items and not check.problems:
            check.note(LineProblem(None, None, None, "The file answers no item."))
        if check.problems:
            raise PredictionFileError(problems=check.problems, more=check.more)
        return check.items
