"""Use case of the worker: check a submitted model, and take or reject it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeAlias
from uuid import UUID

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.protocol import TargetSpec
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.runners.hub import fetch_from_hub
from dynabench.engines.storage.store import Digest, parse_digest
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.errors import InvalidError, UnavailableError
from dynabench.kit.sentences import Phrase
from dynabench.loop.models.checks.service import check_folder, check_target
from dynabench.loop.models.checks.values import CheckProblem, CheckReport
from dynabench.loop.models.repository import ModelRepository
from dynabench.loop.models.rules import SPEC, stored_spec
from dynabench.loop.models.submissions.allowances.service import FileQuota
from dynabench.loop.models.submissions.artifacts.service import ArtifactStore, folder_bytes
from dynabench.loop.models.submissions.errors import FilesQuotaError, InspectionFailedError
from dynabench.loop.models.submissions.repository import SubmissionRepository
from dynabench.loop.models.submissions.rules import artifact_of
from dynabench.loop.models.submissions.values import ARTIFACT, Artifact, ArtifactFormat
from dynabench.loop.models.values import (
    CODE_KINDS,
    MODEL_FILES_LEFT,
    MODEL_SUBMITTED,
    Model,
    ModelKind,
    ModelStatus,
)
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.people.notifications.service import NotificationService
from dynabench.people.notifications.values import News, NotificationKind
from dynabench.science.task_config.characters import without_refused

_READING = Phrase("doing.reading_files", "reading its files").say()
_STORING = Phrase("doing.storing_model", "storing it").say()
_ASKING = Phrase("doing.asking_trials", "asking it trial inputs").say()

Unpack: TypeAlias = Callable[[Path, Path], object]
"""Unpacks an archive into an empty folder; a hostile or broken one is an `InvalidError`."""

_UNDECIDED = (ModelStatus.SUBMITTED, ModelStatus.CHECKING)
_PLATFORM = Actor(user_id=None)
_MOST_PROBLEMS = 100
_LONGEST_PROBLEM = 2_000
_LONGEST_LINE = 2_000
_MEGABYTE = 1_000_000
_MOST_LINES = 2_000
_PAUSES_SECONDS = (2.0, 15.0)


class InspectionSteps(Protocol):
    """What an inspection needs of its job."""

    async def progress(self, done: float, total: float, message: str = "") -> None:
        """Tell how far the job is."""
        ...

    async def log(self, line: str) -> None:
        """Add a line to the job's log."""
        ...


@dataclass(frozen=True, slots=True)
class _Found:
    """What an inspection came to; `digest` is there where the model passed."""

    problems: Sequence[CheckProblem]
    digest: str | None = None
    log: str = ""


class InspectionService:
    """Checks models. What the platform itself lacks never counts against one.

    Args:
        db: Where models are.
        clock: The clock.
        tasks: Whose models they are.
        artifacts: Where their files are.
        quota: How many bytes of files may be kept.
        unpack: How archives are unpacked.
        factory: Builds the target, in the sandbox where there is one.
        queue: Where evaluations of the model wait.
        notifications: Tells its submitter.
        pauses_seconds: How long to wait before each further try where the platform failed.
    """

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        tasks: TaskService,
        artifacts: ArtifactStore,
        quota: FileQuota,
        unpack: Unpack,
        factory: TargetFactory,
        queue: JobQueue,
        notifications: NotificationService,
        pauses_seconds: Sequence[float] = _PAUSES_SECONDS,
    ) -> None:
        self._db = db
        self._clock = clock
        self._tasks = tasks
        self._artifacts = artifacts
        self._quota = quota
        self._unpack = unpack
        self._factory = factory
        self._queue = queue
        self._notifications = notifications
        self._pauses = tuple(pauses_seconds)

    async def inspect(self, model_id: UUID, *, steps: InspectionSteps) -> ModelStatus | None:
        """Check a model and write what came of it; None if there was nothing to check.

        Raises:
            InspectionFailedError: If the platform could not do it; the model waits as before
                and may be checked again.
            UnavailableError: If the database was lost; the job goes on later.
        """
        model = await self._begin(model_id)
        if model is None:
            return None
        task = await self._tasks.get_by_id(model.task_id)
        pauses = [*self._pauses]
        while True:
            try:
                return await self._decide(model, task, steps)
            except (UnavailableError, OSError) as error:
                if isinstance(error, UnavailableError) and error.code.startswith("database."):
                    raise
                reason = _sentence(error)
                await steps.log(f"The platform could not check it: {reason}")
                if not pauses:
                    await self._give_back(model, reason)
                    raise InspectionFailedError(reason=reason) from error
                await asyncio.sleep(pauses.pop(0))

    async def _begin(self, model_id: UUID) -> Model | None:
        async with self._db.transaction() as session:
            is_due = await SubmissionRepository(session).change(
                model_id, {"status": ModelStatus.CHECKING}, states=_UNDECIDED
            )
            return await ModelRepository(session).get(model_id) if is_due else None

    async def _decide(self, model: Model, task: Task, steps: InspectionSteps) -> ModelStatus:
        await steps.progress(0, 3, _READING)
        with self._artifacts.room(2 * (model.artifact_bytes or 0)) as room:
            folder = room / "model"
            folder.mkdir()
            found = await self._look(model, task, room, folder, steps)
            for line in found.log.splitlines()[-_MOST_LINES:]:
                await steps.log(line[:_LONGEST_LINE])
            if found.problems:
                for problem in found.problems[:_MOST_PROBLEMS]:
                    await steps.log(f"Rejected: {problem}"[:_LONGEST_LINE])
                return await self._reject(model, task, found.problems)
            await steps.progress(2, 3, _STORING)
            try:
                return await self._accept(model, task, folder, found.digest)
            except FilesQuotaError as error:
                return await self._reject(model, task, [_too_much(model, error)])

    async def _look(
        self, model: Model, task: Task, room: Path, folder: Path, steps: InspectionSteps
    ) -> _Found:
        """Unpack a model and ask it trial inputs."""
        spec = stored_spec(model)
        if model.kind not in CODE_KINDS:
            await steps.progress(1, 3, _ASKING)
            return _found(await check_target(spec, task.config, factory=self._factory))
        artifact = artifact_of(model)
        if artifact is not None:
            try:
                await self._lay_out(artifact, room / "artifact", folder)
            except InvalidError as error:
                return _Found([CheckProblem(item=None, field="artifact", problem=error.message)])
        hub = spec.options.get("hub")
        if artifact is None and hub is not None:
            try:
                await self._fetch(str(hub), spec, folder, steps)
            except InvalidError as error:
                return _Found([CheckProblem(item=None, field="options", problem=error.message)])
        await steps.progress(1, 3, _ASKING)
        return _found(await check_folder(folder, spec, task.config, factory=self._factory))

    async def _lay_out(self, artifact: Artifact, path: Path, folder: Path) -> None:
        if artifact.format is ArtifactFormat.ONNX:
            await self._artifacts.fetch(artifact, folder / "model.onnx")
            return
        await self._artifacts.fetch(artifact, path)
        await asyncio.to_thread(self._unpack, path, folder)
        await asyncio.to_thread(path.unlink)

    async def _fetch(
        self, hub_id: str, spec: TargetSpec, folder: Path, steps: InspectionSteps
    ) -> None:
        """Fetch a model from a hub, outside of the sandbox, where nothing of it runs."""
        revision = spec.options.get("revision")
        commit = await asyncio.to_thread(
            fetch_from_hub,
            hub_id,
            into=folder,
            max_bytes=self._artifacts.max_bytes,
            revision=None if revision is None else str(revision),
        )
        await steps.log(f"Fetched {hub_id} at commit {commit}.")

    async def _accept(
        self, model: Model, task: Task, folder: Path, digest: str | None
    ) -> ModelStatus:
        """Store the folder that was checked, and let the model be scored.

        Raises:
            FilesQuotaError: If its submitter, or its task, may not keep the folder.
        """
        async with self._db.transaction() as session:
            repository = SubmissionRepository(session)
            await repository.keep_files()
            same, size = None, model.artifact_bytes
            if model.kind in CODE_KINDS:
                size = await asyncio.to_thread(folder_bytes, folder)
                # The folder takes the place of what was handed in.
                await self._quota.require(
                    session,
                    size,
                    task_id=model.task_id,
                    user_id=model.submitted_by,
                    instead_of=model.id,
                )
                self._artifacts.require_room(size)
                digest = await self._artifacts.keep_folder(folder)
                same = await ModelRepository(session).by_digest(
                    task_id=model.task_id, name=model.name, kind=model.kind, digest=digest
                )
            if same is None:
                values: dict[str, object] = {
                    "status": ModelStatus.READY,
                    "problems": None,
                    "passed_at": self._clock.now(),
                    "source": _final_source(model, digest),
                    "digest": digest or model.digest,
                    "artifact_bytes": size,
                }
                if await repository.change(model.id, values, states=_UNDECIDED):
                    await self._announce(session, model, task)
                elif model.kind in CODE_KINDS and digest is not None:
                    await self._leave(session, parse_digest(digest))
                return ModelStatus.READY
        sentence = (
            f"Its files are the very same as those of v{same.version}, so there is nothing new to "
            "score."
        )
        problem = CheckProblem(item=None, field=None, problem=sentence)
        return await self._reject(model, task, [problem])

    async def _leave(self, session: Session, digest: Digest) -> None:
        """Forget a folder whose model was deleted meanwhile: nobody else knows its files."""
        left = [digest, *await self._artifacts.files_of(digest)]
        await self._queue.enqueue(session, MODEL_FILES_LEFT, {"digests": [*left]})

    async def _announce(self, session: Session, model: Model, task: Task) -> None:
        """Have a model that passed scored, and its submitter told."""
        payload = {"model_id": str(model.id)}
        await self._queue.enqueue(session, MODEL_SUBMITTED, payload, created_by=model.submitted_by)
        artifact = artifact_of(model)
        if artifact is not None:
            await self._queue.enqueue(session, MODEL_FILES_LEFT, {"digests": [artifact.digest]})
        await self._tell(session, NotificationKind.MODEL_READY, model, task)

    async def _tell(
        self, session: Session, kind: NotificationKind, model: Model, task: Task
    ) -> None:
        if model.submitted_by is not None:
            news = _news(kind, model, task)
            await self._notifications.notify(session, [model.submitted_by], news, actor=_PLATFORM)

    async def _reject(
        self, model: Model, task: Task, problems: Sequence[CheckProblem]
    ) -> ModelStatus:
        more = len(problems) - 1
        first = without_refused(str(problems[0])[:_LONGEST_PROBLEM])
        values: dict[str, object] = {
            "status": ModelStatus.REJECTED,
            "rejection": first if not more else f"{first} (and {more} more)",
            "problems": [_told(one) for one in problems[:_MOST_PROBLEMS]],
        }
        async with self._db.transaction() as session:
            if await SubmissionRepository(session).change(model.id, values, states=_UNDECIDED):
                await self._tell(session, NotificationKind.MODEL_REJECTED, model, task)
        return ModelStatus.REJECTED

    async def _give_back(self, model: Model, reason: str) -> None:
        """Let a model wait as before, and say why: it is no fault of its author."""
        sentence = (
            f"The platform could not check it: {reason} This does not count against you; "
            "have it checked again."
        )
        told = _told(CheckProblem(item=None, field=None, problem=sentence))
        async with self._db.transaction() as session:
            await SubmissionRepository(session).change(
                model.id,
                {"status": ModelStatus.SUBMITTED, "problems": [told]},
                states=_UNDECIDED,
            )


def _found(report: CheckReport) -> _Found:
    return _Found(report.problems, digest=report.digest, log=report.log)


def _final_source(model: Model, digest: str | None) -> dict[str, object]:
    """Return the source of a model that passed: its folder has taken its artifact's place.

    An image runs by its digest from now on, whatever its name means later.
    """
    stored = model.source[SPEC]
    assert isinstance(stored, dict)
    spec = TargetSpec.from_json(stored)
    if digest is not None and (model.kind in CODE_KINDS or model.kind is ModelKind.CONTAINER):
        spec = replace(spec, digest=Digest(digest))
    return {
        **{key: value for key, value in model.source.items() if key != ARTIFACT},
        SPEC: spec.to_json(),
    }


def _too_much(model: Model, error: FilesQuotaError) -> CheckProblem:
    """Say that a folder has more bytes than may be kept, with the fix."""
    size = f"{int(str(error.facts['coming_bytes'])) / _MEGABYTE:,.1f} MB"
    limit = f"{error.facts['limit_megabytes']:,} MB"
    field = "options" if artifact_of(model) is None else "artifact"
    if error.facts["whose"] == "you":
        room = f"your models would keep more than the {limit} that this server gives one person"
    else:
        room = f"this task's files would take more than the {limit} that this server gives a task"
    sentence = (
        f"Unpacked, its files have {size}, and with them {room}. Hand in smaller files, or delete "
        "models that are not needed any more and have it checked again."
    )
    return CheckProblem(item=None, field=field, problem=sentence)


def _told(problem: CheckProblem) -> dict[str, str | None]:
    return {
        "item": problem.item,
        "field": problem.field,
        "problem": without_refused(problem.problem[:_LONGEST_PROBLEM]),
    }


def _news(kind: NotificationKind, model: Model, task: Task) -> News:
    return News(
        kind=kind,
        details={"name": model.name, "version": str(model.version), "slug": task.slug},
        path=f"/models/{model.id}",
    )


def _sentence(error: UnavailableError | OSError) -> str:
    if isinstance(error, UnavailableError):
        return error.message
    return f"{error.strerror or type(error).__name__}."
