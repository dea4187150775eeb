"""Use case of an import: look a task's file over, then write all of it or nothing."""

import asyncio
import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from uuid import UUID

import psycopg

from dynabench.engines.media.errors import MediaRefusedError
from dynabench.engines.media.inspector import MediaInspector
from dynabench.engines.storage.store import BlobStore
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database, Session
from dynabench.kit.ids import new_id
from dynabench.loop.datasets.publishing.service import Publisher
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.values import DatasetOrigin
from dynabench.loop.interchange.transfer.errors import (
    AlreadyHereError,
    ImportSlugTakenError,
    TaskFileError,
)
from dynabench.loop.interchange.transfer.files.reading import TaskFile, sha256_of
from dynabench.loop.interchange.transfer.importing.agreements.service import Agreement
from dynabench.loop.interchange.transfer.importing.arrivals import Arrivals, arriving_people
from dynabench.loop.interchange.transfer.importing.authorships.service import Authorship, doubted_of
from dynabench.loop.interchange.transfer.importing.looking import LookedOver, Person, look_over
from dynabench.loop.interchange.transfer.importing.rows import rows_of
from dynabench.loop.interchange.transfer.parts import MEDIA_PART, PARTS, Part
from dynabench.loop.interchange.transfer.repository import TransferRepository
from dynabench.loop.interchange.transfer.rules import Renaming
from dynabench.loop.interchange.transfer.schemas import MovedTaskRead, moved
from dynabench.loop.interchange.transfer.values import (
    MEDIA,
    PEOPLE,
    MoveProgress,
    OnMove,
    tell_nobody,
)
from dynabench.loop.media.rules import kind_of_type
from dynabench.loop.tasks.rules import is_slug
from dynabench.loop.validations.folds.service import FoldService
from dynabench.people.rules import username_key

_KNOWN = frozenset({*(one.name for one in PARTS), PEOPLE, MEDIA})
_AT_ONCE = 1_000
_LINE = re.compile(r"line (\d+)")
_THUMBNAIL = MappingProxyType({"media_type": "image/webp"})


class TaskImporter:
    """Reads whole tasks from files of other installations."""

    def __init__(
        self,
        *,
        db: Database,
        clock: Clock,
        blobs: BlobStore,
        inspector: MediaInspector,
        agreement: Agreement,
        folds: FoldService,
        datasets: DatasetService,
        publisher: Publisher,
    ) -> None:
        self._db = db
        self._clock = clock
        self._blobs = blobs
        self._inspector = inspector
        self._agreement = agreement
        self._folds = folds
        self._datasets = datasets
        self._publisher = publisher

    async def look(self, source: Path, *, on_move: OnMove = tell_nobody) -> MovedTaskRead:
        """Look a file over and tell what it holds; nothing is written.

        Raises:
            TaskFileError: If it cannot be used.
            NewerTaskFileError: If a later version wrote it.
        """
        with tempfile.TemporaryDirectory(prefix="dynabench-import-") as folder:
            looked = await self._look(source, Path(folder), on_move)
            await self._inspect(looked.file, Path(folder))
            manifest = looked.file.manifest
            return moved(manifest, slug=looked.slug, size=looked.file.size)

    async def bring(
        self,
        source: Path,
        *,
        slug: str | None = None,
        is_copy: bool = False,
        on_move: OnMove = tell_nobody,
    ) -> MovedTaskRead:
        """Import a task: whole, in one transaction, or not at all.

        Args:
            source: The file.
            slug: What to call it here; as it was called by default.
            is_copy: Give all of it new ids, where it is here already.
            on_move: Called as it goes on.

        Raises:
            TaskFileError: If the file cannot be used.
            NewerTaskFileError: If a later version wrote it.
            ImportSlugTakenError: If a task here is called so.
            AlreadyHereError: If something in it is here already, and it is to be no copy.
        """
        with tempfile.TemporaryDirectory(prefix="dynabench-import-") as folder:
            looked = await self._look(source, Path(folder), on_move)
            called = slug or looked.slug
            if not is_slug(called):
                reason = f"“{called}” is no short name of a task; choose one with --slug."
                raise TaskFileError(reason)
            await self._require_room(called, looked, is_copy=is_copy)
            await self._inspect(looked.file, Path(folder))
            # First the files, then the rows that name them; without rows they do no harm.
            for digest in looked.file.manifest.blobs:
                await asyncio.to_thread(self._put_blob, looked.file, digest)
            renaming = Renaming(new_id() if is_copy else None)
            async with self._db.transaction() as session:
                await TransferRepository(session).take_time()
                await TransferRepository(session).take_turn()
                # Again: another import may have brought the task, or its people, meanwhile.
                await self._require_room(called, looked, is_copy=is_copy)
                await self._write(session, looked, slug=called, renaming=renaming, on_move=on_move)
                on_move(MoveProgress(share=0.8, words="checking what follows"))
                task_id = renaming.id_of(looked.task_id)
                await self._agreement.require(session, looked, task_id=task_id, renaming=renaming)
                for version in await self._datasets.of_task(task_id):
                    if version.origin is not DatasetOrigin.PERTURBATION:
                        await self._publisher.archive(session, version.id)
        on_move(MoveProgress(share=0.95, words="counting"))
        await self._folds.catch_up(at_once=True)
        return moved(looked.file.manifest, slug=called, size=looked.file.size)

    async def _look(self, source: Path, folder: Path, on_move: OnMove) -> LookedOver:
        on_move(MoveProgress(share=0.0, words="unpacking"))
        file = await asyncio.to_thread(TaskFile.unpack, source, folder / "file", known=_KNOWN)
        on_move(MoveProgress(share=0.1, words="looking it over"))
        return await asyncio.to_thread(look_over, file)

    async def _require_room(self, slug: str, looked: LookedOver, *, is_copy: bool) -> None:
        async with self._db.read() as session:
            repository = TransferRepository(session)
            here = await repository.slug_of(looked.task_id)
            if here is not None and not is_copy:
                raise AlreadyHereError(what=f"The task (as “{here}”)")
            if await repository.find_task(slug) is not None:
                raise ImportSlugTakenError(slug=slug)

    async def _inspect(self, file: TaskFile, folder: Path) -> None:
        """Have stored files decoded, which are then what their rows say."""
        for line, row in rows_of(file, MEDIA_PART):
            odd = await self._odd(file, str(row["digest"]), folder, facts=row)
            if odd is None and row["thumbnail_digest"] is not None:
                thumbnail = str(row["thumbnail_digest"])
                odd = await self._odd(file, thumbnail, folder, facts=_THUMBNAIL)
            if odd is not None:
                raise TaskFileError(odd[1], part=MEDIA, line=line, field=odd[0])

    async def _odd(
        self, file: TaskFile, digest: str, folder: Path, *, facts: Mapping[str, object]
    ) -> tuple[str, str] | None:
        """Return what is wrong with a stored file, after the field that it is wrong in.

        A file that is stored here was written anew without what only describes it. One that
        still says where it was made and by whom is not taken: another one in its place would
        have another digest, and so would every dataset that names it.
        """
        with tempfile.TemporaryDirectory(dir=folder) as aside:
            try:
                seen = await self._inspector.inspect(file.blob(digest), Path(aside))
            except MediaRefusedError as error:
                return "", error.reason
            cleaned = await asyncio.to_thread(sha256_of, seen.clean)
        found = {
            "media_type": seen.media_type,
            "kind": kind_of_type(seen.media_type).value,
            "width": seen.width,
            "height": seen.height,
        }
        for name, value in found.items():
            if name in facts and facts[name] != value:
                return name, f"The file is {value}, and not {facts[name]}."
        if cleaned != digest:
            return "digest", (
                "The file still holds what only describes it, such as a place or remarks; "
                "keep it anew without that, and export the task again."
            )
        return None

    def _put_blob(self, file: TaskFile, digest: str) -> None:
        with file.blob(digest).open("rb") as content:
            self._blobs.put_stream(content)

    async def _write(
        self,
        session: Session,
        looked: LookedOver,
        *,
        slug: str,
        renaming: Renaming,
        on_move: OnMove,
    ) -> None:
        authorship = await self._write_people(session, looked, renaming)
        arrivals = Arrivals(looked, slug=slug, renaming=renaming, authorship=authorship)
        repository = TransferRepository(session)
        media = [row for _, row in rows_of(looked.file, MEDIA_PART)]
        for start in range(0, len(media), _AT_ONCE):
            await repository.add_media(media[start : start + _AT_ONCE])
        for place, part in enumerate(PARTS):
            share = 0.3 + 0.5 * place / len(PARTS)
            on_move(MoveProgress(share=share, words=part.name))
            try:
                await repository.copy(part, arrivals.rows(part))
                for column in sorted(part.late):
                    await self._fill_in(repository, part, column, arrivals)
            except (psycopg.errors.IntegrityError, psycopg.DataError) as error:
                raise _broken(part, error) from error

    async def _fill_in(
        self, repository: TransferRepository, part: Part, column: str, arrivals: Arrivals
    ) -> None:
        pairs: dict[UUID, UUID] = {}
        for own, named in arrivals.late(part, column):
            pairs[own] = named
            if len(pairs) == _AT_ONCE:
                await repository.fill_in(part, column, pairs)
                pairs = {}
        await repository.fill_in(part, column, pairs)

    async def _write_people(
        self, session: Session, looked: LookedOver, renaming: Renaming
    ) -> Authorship:
        """Make whoever is not here; of whom is here, only what the original task says counts."""
        repository = TransferRepository(session)
        accounts: set[UUID] = set()
        for start in range(0, len(looked.people), _AT_ONCE):
            some = looked.people[start : start + _AT_ONCE]
            here = {one.id: one for one in await repository.people([one.id for one in some])}
            for one in here.values():
                if not one.is_synthetic and not renaming.is_copy:
                    raise AlreadyHereError(what=f"The person {one.id}")
                if not one.is_synthetic:
                    accounts.add(one.id)
            await self._make_people(repository, [one for one in some if one.id not in here])
        authorship = await doubted_of(
            session, looked.claims, accounts=frozenset(accounts), task_id=looked.task_id
        )
        doubted = [one for one in looked.people if one.id in authorship.people]
        for start in range(0, len(doubted), _AT_ONCE):
            stand_ins = [
                replace(one, id=renaming.id_of(one.id)) for one in doubted[start : start + _AT_ONCE]
            ]
            await self._make_people(repository, stand_ins)
        return authorship

    async def _make_people(self, repository: TransferRepository, new: list[Person]) -> None:
        names = [username_key(one.name) for one in new if one.is_pseudonym and one.name]
        taken = await repository.taken_names(names)
        await repository.add_people([*arriving_people(new, taken=taken, now=self._clock.now())])


def _broken(part: Part, error: psycopg.Error) -> TaskFileError | AlreadyHereError:
    """Return what the database says against a row."""
    rule = error.diag.constraint_name or ""
    place = _LINE.search(error.diag.context or "")
    if isinstance(error, psycopg.errors.UniqueViolation) and rule.startswith("pk_"):
        return AlreadyHereError(what=f"A row of “{part.name}” ({error.diag.message_detail})")
    reason = f"It breaks a rule of the table: {rule or error.diag.message_primary}."
    return TaskFileError(reason, part=part.name, line=int(place[1]) if place else None)
