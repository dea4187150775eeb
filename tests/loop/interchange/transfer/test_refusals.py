import asyncio
import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dynabench.kit.errors import DynabenchError
from dynabench.loop.interchange.transfer.errors import (
    AlreadyHereError,
    ImportSlugTakenError,
    NewerTaskFileError,
    TaskFileError,
)
from dynabench.loop.interchange.transfer.importing.service import TaskImporter
from dynabench.loop.interchange.transfer.repository import TransferRepository
from dynabench.loop.tasks.service import TaskService
from dynabench.loop.validations.values import Vote
from dynabench.people.directory.service import UserDirectory
from tests.factories.moving import Installation
from tests.factories.stories import Attempt, Told, play
from tests.factories.tasks import make_task
from tests.factories.waiting import until_waiting

# A row of a file is JSON of any shape.
Row = dict[str, Any]
STORY = [
    Told(attempts=(Attempt(votes=(Vote.CORRECT,) * 2), Attempt(fools=False))),
    Told(attempts=(Attempt(),), is_released=False),
]


class Altered:
    """A task's file with something in it changed, and its digests made right again."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with zipfile.ZipFile(file) as archive:
            self.entries = {one: archive.read(one) for one in archive.namelist()}

    def manifest(self, **changes: object) -> None:
        told = json.loads(self.entries["manifest.json"]) | changes
        self.entries["manifest.json"] = json.dumps(told).encode()

    def part(self, name: str, change: Callable[[list[Row]], object]) -> None:
        rows = [json.loads(line) for line in self.entries[f"parts/{name}.jsonl"].splitlines()]
        change(rows)
        text = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
        self.entries[f"parts/{name}.jsonl"] = text
        parts = json.loads(self.entries["manifest.json"])["parts"]
        said = {"rows": len(rows), "bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        self.manifest(parts={**parts, name: said})

    def write(self) -> Path:
        target = self._file.with_name("altered.zip")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.entries.items():
                archive.writestr(name, content)
        return target


def _set(name: str, value: object, *, at: int = 0) -> Callable[[list[Row]], object]:
    return lambda rows: rows[at].update({name: value})


NOBODY = "00000000-0000-4000-8000-000000000000"
WRONG: list[tuple[str, Callable[[list[Row]], object], str]] = [
    ("tasks", _set("slug", "../etc"), "tasks, line 1, slug"),
    ("tasks", _set("status", "gone"), "tasks, line 1, status"),
    ("tasks", _set("more", 1), "tasks, line 1, more"),
    ("task_config_versions", _set("config", "title: ["), "does not load"),
    ("contexts", _set("content", {"premise": "Another."}), "contexts, line 1, digest"),
    ("rounds", _set("task_id", NOBODY), "rounds, line 1, task_id"),
    ("rounds", _set("quorum", -1), "ck_rounds"),
    ("rounds", _set("provenance", {"title": 1}), "rounds, line 1, provenance"),
    ("models", _set("card", {"nothing": 1}), "models, line 1, card"),
    ("examples", _set("annotator_id", NOBODY), "examples, line 1, annotator_id"),
    ("examples", _set("created_at", "yesterday"), "examples, line 1, created_at"),
    ("examples", _set("inputs", {"hypothesis": 7}, at=1), "examples, line 2, inputs.hypothesis"),
    ("examples", _set("inputs", {"hypothesis": "a\x00b"}), "U+0000"),
    ("examples", _set("contrast_of", NOBODY), "examples, line 1, contrast_of"),
    (
        "examples",
        lambda rows: rows[0].update(fooled_by_author_answer=not rows[0]["fooled_by_author_answer"]),
        "examples, line 1, fooled_by_author_answer",
    ),
    ("examples", lambda rows: rows.append(rows[-1]), "there twice"),
    ("examples", lambda rows: rows.reverse(), "not in order"),
    ("validations", _set("vote", "incorrect"), "outcomes, line"),
    ("outcomes", lambda rows: rows.pop(), "outcomes: It is not what"),
    ("dataset_versions", _set("card", {}), "dataset_versions, line 1, card"),
    ("dataset_versions", _set("card", {"splits": {"test": {"items": -1}}}), "line 1, card"),
    ("dataset_items", lambda rows: rows.pop(), "do not have its digest"),
    ("dataset_items", _set("gold", {"label": "neutral!"}), "do not have its digest"),
    ("boards", _set("content", {"board": {}}), "boards, line 1, content"),
    ("people", _set("name", "x" * 500), "people, line 1, name"),
    ("media_files", lambda rows: rows.append({"digest": "../x"}), "media_files, line 1"),
]


@pytest.fixture
async def file(here: Installation) -> Path:
    return await here.export(await play(here.wiring, here.clock, STORY))


async def test_what_is_wrong_in_a_file_is_named_and_leaves_nothing(
    file: Path, elsewhere: Installation
) -> None:
    found = {}
    for name, change, wanted in WRONG:
        altered = Altered(file)
        altered.part(name, change)
        with pytest.raises(TaskFileError) as refused:
            await elsewhere.bring(altered.write())
        found[wanted] = refused.value.message

    assert {wanted: said for wanted, said in found.items() if wanted not in said} == {}
    assert await rows_of(elsewhere) == 0


async def test_a_file_that_is_not_whole_or_none_is_refused(
    file: Path, elsewhere: Installation, tmp_path: Path
) -> None:
    def said(change: Callable[[Altered], object]) -> Path:
        altered = Altered(file)
        change(altered)
        return altered.write()

    changes: list[tuple[Callable[[Altered], object], type[DynabenchError], str]] = [
        (lambda it: it.manifest(format_version=99), NewerTaskFileError, "up to 2. Bring"),
        (lambda it: it.manifest(format="zoo"), TaskFileError, "no exported task"),
        (lambda it: it.manifest(title=7), TaskFileError, "title"),
        (lambda it: it.manifest(parts={}), TaskFileError, "is missing"),
        (lambda it: it.entries.pop("manifest.json"), TaskFileError, "no manifest.json"),
        (lambda it: it.entries.update({"more.txt": b"x"}), TaskFileError, "not in its manifest"),
        (lambda it: it.entries.update({"../out.txt": b"x"}), TaskFileError, "out.txt"),
        (
            lambda it: it.entries.update({"parts/examples.jsonl": b"{}\n"}),
            TaskFileError,
            "SHA-256",
        ),
        (lambda it: it.entries.update({"bomb": b"0" * 80_000_000}), TaskFileError, "times its"),
    ]
    for change, kind, wanted in changes:
        with pytest.raises(kind) as refused:
            await elsewhere.bring(said(change))
        assert wanted in refused.value.message
    (tmp_path / "no.zip").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(TaskFileError):
        await elsewhere.bring(tmp_path / "no.zip")
    assert await rows_of(elsewhere) == 0


async def test_a_task_comes_once_or_as_a_copy_with_ids_of_its_own(
    file: Path, here: Installation, elsewhere: Installation
) -> None:
    await make_task(elsewhere.wiring.db, slug="taken")
    with pytest.raises(ImportSlugTakenError):
        await elsewhere.bring(file, slug="taken")
    with pytest.raises(AlreadyHereError, match="--copy"):
        await here.bring(file, slug="again")

    told = await here.bring(file, slug="again", is_copy=True)

    assert told.task == "again"
    assert await here.disagreements() == []
    # A copy is a task like any other, and leaves with the items that it came with.
    moved = await elsewhere.bring(await here.export("again", "again.zip"))
    assert moved.rows == told.rows
    assert await elsewhere.disagreements() == []


async def test_of_imports_at_once_one_brings_the_task_and_the_others_are_told(
    file: Path, elsewhere: Installation
) -> None:
    async def bring(slug: str) -> str:
        try:
            return (await elsewhere.bring(file, slug=slug)).task
        except (AlreadyHereError, ImportSlugTakenError) as error:
            return error.code

    async with elsewhere.wiring.db.transaction() as session:
        await TransferRepository(session).take_turn()
        coming = [asyncio.create_task(bring(slug)) for slug in ("one", "one", "two")]
        await until_waiting(elsewhere.wiring.db, count=3)
    told = await asyncio.gather(*coming)

    assert len({"one", "two"} & {*told}) == 1
    assert {*told} - {"one", "two"} <= {AlreadyHereError.code, ImportSlugTakenError.code}
    assert await elsewhere.disagreements() == []


async def test_people_come_as_pseudonyms_and_nobody_is_taken_for_another_by_name(
    here: Installation, elsewhere: Installation
) -> None:
    slug = await play(here.wiring, here.clock, STORY)
    plain = Altered(await here.export(slug)).entries["parts/people.jsonl"]
    with_names = await here.export(slug, has_names=True)
    await elsewhere.bring(with_names)

    people = [json.loads(line) for line in plain.splitlines()]
    assert {one["name"] for one in people} == {None}
    directory = elsewhere.wiring.get(UserDirectory)
    there = await directory.people([one["id"] for one in people])
    assert {one.username.split("-")[0] for one in there.values()} == {"imported"}
    assert all(one.is_synthetic for one in there.values())


async def test_models_leave_without_the_way_to_them_and_arrive_as_what_they_answered(
    file: Path, elsewhere: Installation
) -> None:
    models = Altered(file).entries["parts/models.jsonl"]
    assert b"models.example.org" not in models
    assert {json.loads(line)["kind"] for line in models.splitlines()} == {"endpoint"}
    altered = Altered(file)
    altered.part("models", _set("isolation", "built_in"))
    altered.part("models", _set("source", {"spec": {"kind": "endpoint", "url": "http://[::1]"}}))

    told = await elsewhere.bring(altered.write())

    task = await elsewhere.wiring.get(TaskService).get(told.task)
    again = Altered(await elsewhere.export(task.slug))
    kept = [json.loads(line) for line in again.entries["parts/models.jsonl"].splitlines()]
    assert "url" not in json.dumps(kept)


async def test_a_look_at_a_file_writes_nothing(file: Path, elsewhere: Installation) -> None:
    told = await elsewhere.wiring.get(TaskImporter).look(file)

    assert told.rows["examples"] == 3
    assert "passwords" in told.left_out["accounts"].lower()
    assert await rows_of(elsewhere) == 0


async def rows_of(installation: Installation) -> int:
    """Return how many tasks and people there are."""
    async with installation.wiring.db.read() as session:
        result = await session.exec_driver_sql(
            "SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM users)"
        )
        return int(result.scalar_one())
