"""Replays a collection made elsewhere through the domain's own rules."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from itertools import groupby, islice
from pathlib import Path
from uuid import UUID

from pydantic import TypeAdapter, ValidationError

from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.loop.contexts.service import ContextService
from dynabench.loop.examples.service import ExampleService
from dynabench.loop.interchange.errors import (
    RoundTakenError,
    SourceFileError,
    TaskNeededError,
    TaskSlugError,
)
from dynabench.loop.interchange.readers.files import SourceFile
from dynabench.loop.interchange.readers.protocol import Reader
from dynabench.loop.interchange.reports.service import RoundReport
from dynabench.loop.interchange.schemas import ReplayedRoundRead, ReplayRead
from dynabench.loop.interchange.storing.service import RecordStore, check_record
from dynabench.loop.interchange.values import SourceCollection, SourceFormat, SourceRecord
from dynabench.loop.models.service import ModelService
from dynabench.loop.rounds.service import RoundService
from dynabench.loop.tasks.errors import TaskNotFoundError
from dynabench.loop.tasks.schemas import Slug
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.tasks.values import Task
from dynabench.loop.validations.outcomes.service import OutcomeService
from dynabench.loop.validations.rates.service import ErrorRateService
from dynabench.people.directory.service import UserDirectory
from dynabench.science.task_config.loader import load_task_config
from dynabench.science.task_config.schema import TaskConfig

BATCH_SIZE = 250
_FOLD_TRIES = 60
_FOLD_PAUSE_SECONDS = 0.5

# A replay is the operator's, who sees everything.
_OPERATOR = Actor(user_id=None, username="operator", is_admin=True)


class ReplayStage(StrEnum):
    """What a replay is at: every file is checked to its end before anything is stored."""

    CHECKING = "checking"
    STORING = "storing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayProgress:
    """How far a stage has come: bytes of the files on disk, and records."""

    stage: ReplayStage
    read_bytes: int
    total_bytes: int
    records: int


OnProgress = Callable[[ReplayProgress], None]


class ReplayService:
    """Imports collections, batch by batch; each batch is there as a whole or not at all.

    All files are read to their ends first, so that one with a wrong line leaves nothing
    behind. Ids depend on the source alone, so that a replay which was interrupted is simply
    run again, and another file adds to what is there.
    """

    def __init__(
        self,
        *,
        db: Database,
        tasks: TaskService,
        models: ModelService,
        rounds: RoundService,
        contexts: ContextService,
        people: UserDirectory,
        examples: ExampleService,
        outcomes: OutcomeService,
        rates: ErrorRateService,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        self._tasks = tasks
        self._rounds = rounds
        self._rates = rates
        self._batch_size = batch_size
        self._store = RecordStore(
            db=db,
            models=models,
            rounds=rounds,
            contexts=contexts,
            people=people,
            examples=examples,
            outcomes=outcomes,
        )

    async def replay(
        self,
        reader: Reader,
        paths: Sequence[Path],
        *,
        task_slug: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> ReplayRead:
        """Import files of one collection and tell what comes out.

        Args:
            reader: The reader of their format.
            paths: The files, plain or packed with gzip.
            task_slug: The task to import into; the collection's own by default. It is
                made if there is none.
            on_progress: Called after each batch.

        Raises:
            SourceFileError: At the first line that cannot be used; nothing is stored.
            TaskNeededError: If there is no such task and the format brings none.
            TaskSlugError: If there is no such task and none can be made under its slug.
            RoundTakenError: If the task collected a round of that number itself.
        """
        collection = reader.collection
        slug = task_slug or collection.task_slug
        desk = await self._open_check(slug, collection)
        for batch in self._read(reader, paths, ReplayStage.CHECKING, on_progress):
            # The published collections are as they are.
            desk.check(batch, named_once=collection.format is SourceFormat.JSONL)
        task = await self._task(slug, collection)
        reports: dict[int, RoundReport] = {}
        for batch in self._read(reader, paths, ReplayStage.STORING, on_progress):
            await self._import(batch, collection, task, reports)
        for report in reports.values():
            await self._store.link_contrasts(report.round, report.contrasts())
        rounds = [await self._describe(reports[number]) for number in sorted(reports)]
        return ReplayRead(
            format=collection.format, title=collection.title, task_slug=task.slug, rounds=rounds
        )

    async def _task(self, slug: str, collection: SourceCollection) -> Task:
        if collection.config_file is None:
            return await self._tasks.get(slug)
        return await self._tasks.ensure(slug, config_text(collection))

    async def _open_check(self, slug: str, collection: SourceCollection) -> "_CheckDesk":
        """Return what records are checked against, without making anything."""
        try:
            task = await self._tasks.get(slug)
        except TaskNotFoundError:
            if collection.config_file is None:
                raise TaskNeededError(task_slug=slug) from None
            _require_slug(slug)
            return _CheckDesk(slug, load_task_config(config_text(collection)), taken=frozenset())
        rounds = await self._rounds.of_task(task.id)
        taken = frozenset(one.number for one in rounds if not one.is_replay)
        return _CheckDesk(slug, task.config, taken=taken)

    def _read(
        self,
        reader: Reader,
        paths: Sequence[Path],
        stage: ReplayStage,
        on_progress: OnProgress | None,
    ) -> Iterator[list[SourceRecord]]:
        """Return the records of all files in batches; a batch counts once the next is wanted."""
        total = sum(path.stat().st_size for path in paths)
        done_bytes = records = 0
        for path in paths:
            before = records
            with SourceFile(path) as file:
                for batch in _batches(reader.read(file), self._batch_size):
                    yield batch
                    records += len(batch)
                    if on_progress is not None:
                        on_progress(
                            ReplayProgress(
                                stage=stage,
                                read_bytes=done_bytes + file.read_bytes,
                                total_bytes=total,
                                records=records,
                            )
                        )
                if records == before:
                    raise file.error("It holds no records.")
                done_bytes += file.size

    async def _import(
        self,
        batch: Sequence[SourceRecord],
        collection: SourceCollection,
        task: Task,
        reports: dict[int, RoundReport],
    ) -> None:
        for number, group in groupby(sorted(batch, key=_round_number), key=_round_number):
            stored = await self._store.store(
                list(group), collection=collection, task=task, number=number
            )
            if number not in reports:
                reports[number] = RoundReport(
                    stored.round, config=task.config, lacks_votes=collection.lacks_votes
                )
            reports[number].add(stored)

    async def _describe(self, report: RoundReport) -> ReplayedRoundRead:
        round_id: UUID = report.round.id
        error_rate = await self._rates.of_round(round_id, actor=_OPERATOR)
        for _ in range(_FOLD_TRIES):
            if report.is_folded(error_rate):
                break
            # Another process is folding; what it has in hand nobody else may take.
            await asyncio.sleep(_FOLD_PAUSE_SECONDS)
            error_rate = await self._rates.of_round(round_id, actor=_OPERATOR)
        return report.finish(
            error_rate=error_rate,
            agreement=await self._rates.agreement(round_id, actor=_OPERATOR),
        )


class _CheckDesk:
    """Checks records before anything is stored."""

    def __init__(self, slug: str, config: TaskConfig, *, taken: frozenset[int]) -> None:
        self._slug = slug
        self._config = config
        self._taken = taken
        self._places: dict[tuple[int, str], tuple[str, int]] = {}

    def check(self, records: Sequence[SourceRecord], *, named_once: bool) -> None:
        for record in records:
            if named_once:
                self._require_new(record)
            if record.round_number in self._taken:
                raise RoundTakenError(task_slug=self._slug, round_number=record.round_number)
            check_record(record, self._config, task_slug=self._slug)

    def _require_new(self, record: SourceRecord) -> None:
        """Refuse an id that an earlier line of the same round has: one of the two would be lost."""
        here = (record.file, record.line)
        file, line = self._places.setdefault((record.round_number, record.uid), here)
        if (file, line) != here:
            place = f"line {line}" if file == record.file else f"line {line} of {file}"
            raise SourceFileError(
                file=record.file,
                line=record.line,
                field="id",
                reason=f"“{record.uid}” is the id of {place} too, in the same round. Give each "
                "example an id of its own, or leave out the one that is there twice.",
            )


def _require_slug(slug: str) -> None:
    try:
        TypeAdapter(Slug).validate_python(slug)
    except ValidationError as error:
        raise TaskSlugError(task_slug=slug) from error


def config_text(collection: SourceCollection) -> str:
    """Return the task config that comes with a format."""
    assert collection.config_file is not None, "its task is there"
    folder = files("dynabench.loop.interchange").joinpath("configs")
    return folder.joinpath(collection.config_file).read_text(encoding="utf-8")


def _round_number(record: SourceRecord) -> int:
    return record.round_number


def _batches(records: Iterator[SourceRecord], size: int) -> Iterator[list[SourceRecord]]:
    while batch := list(islice(records, size)):
        yield batch
