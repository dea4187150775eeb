"""A submission from the first word to a model that is ready, rejected or given back."""

import asyncio
import errno
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    Prediction,
    TargetModel,
    TargetSpec,
    digest_of,
)
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.values import JobState
from dynabench.kit.actor import Actor
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.loop.models.errors import (
    PrivateAddressError,
)
from dynabench.loop.models.submissions.errors import (
    ArtifactFormatError,
    ArtifactThereError,
    ArtifactTooLargeError,
    CodeRefusedError,
    DailyLimitError,
    InspectionFailedError,
    NameTakenError,
    NoArtifactError,
    NothingToRetryError,
    SameModelError,
    StorageFullError,
    TooManyWaitingError,
)
from dynabench.loop.models.submissions.values import CHECK_MODEL
from dynabench.loop.models.values import (
    MODEL_SUBMITTED,
    ModelIsolation,
    ModelKind,
    ModelStatus,
)
from dynabench.loop.tasks.values import Task
from dynabench.people.notifications.service import NotificationService
from tests.conftest import HeldClock
from tests.factories.models import always
from tests.factories.people import make_user
from tests.factories.submissions import HANDLER, Desk, Steps, in_pieces, zipped
from tests.factories.tasks import make_task

OTHER = HANDLER + "# Another version.\n"


@pytest.fixture
async def task(database: Database) -> Task:
    return await make_task(database)


@pytest.fixture
async def ada(database: Database) -> Actor:
    return await make_user(database, username="ada")


@pytest.fixture
def desk(database: Database, clock: HeldClock, task: Task, tmp_path: Path) -> Desk:
    return Desk.of(database, clock, task, tmp_path)


async def jobs_of(db: Database, name: str) -> list[JobState]:
    async with db.read() as session:
        return [one.state for one in await JobQueue().list_jobs(session, name=name)]


async def test_a_handler_becomes_ready_and_is_scored(
    desk: Desk, database: Database, clock: HeldClock, ada: Actor
) -> None:
    submitted = await desk.submit(ada)
    assert (submitted.status, submitted.job_id) == (ModelStatus.SUBMITTED, None)
    assert (submitted.isolation, submitted.is_published) == (ModelIsolation.SANDBOX, False)
    uploaded = await desk.upload(submitted.id, ada)
    assert uploaded.queue_position == 1
    assert uploaded.artifact_bytes is not None

    steps = Steps()
    assert await desk.check(submitted.id, steps) is ModelStatus.READY

    ready = await desk.models.read(submitted.id, actor=ada)
    assert (ready.status, ready.problems, ready.is_mine) == (ModelStatus.READY, None, True)
    assert any(line.startswith("Asked ") for line in steps.lines)
    assert len(await jobs_of(database, MODEL_SUBMITTED)) == 1
    spec = await desk.models.spec_of(submitted.id)
    assert spec.options["isolation"] == "sandbox"
    assert (Path(str(spec.options["folder"])) / "model.py").read_text() == HANDLER
    told = (await NotificationService(database, clock).page(actor=ada, cursor=None)).items
    assert [(one.kind, one.path) for one in told] == [("model.ready", f"/models/{ready.id}")]


async def test_a_rejected_one_says_which_field_of_which_input_is_wrong(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path, factory=always(label="maybe"))

    rejected = await desk.hand_in(ada)

    assert rejected.status is ModelStatus.REJECTED
    assert rejected.problems
    problem = rejected.problems[0]
    assert (problem.field, bool(problem.item)) == ("label", True)
    assert rejected.rejection is not None
    assert problem.problem in rejected.rejection
    assert await jobs_of(database, MODEL_SUBMITTED) == []
    told = (await NotificationService(database, clock).page(actor=ada, cursor=None)).items
    assert [one.kind for one in told] == ["model.rejected"]


@pytest.mark.parametrize(
    ("files", "part"),
    [
        ({"other.py": "x = 1"}, "no model.py"),
        ({"model.py": b"\xff\xfe"}, "not UTF-8"),
        ({"../model.py": HANDLER}, ""),
        (zipped({"model.py": HANDLER})[:-40], ""),
        (b"PK\x03\x04" + b"garbage" * 50, ""),
        (b"\x1f\x8b" + b"garbage" * 50, ""),
    ],
)
async def test_garbage_is_a_rejection_with_a_reason(
    desk: Desk, ada: Actor, files: dict[str, str | bytes] | bytes, part: str
) -> None:
    model = await desk.submit(ada)
    await desk.upload(model.id, ada, files)

    assert await desk.check(model.id) is ModelStatus.REJECTED

    rejected = await desk.models.read(model.id, actor=ada)
    assert rejected.problems
    assert part in rejected.problems[0].problem


async def test_what_cannot_be_taken_is_refused_before_it_is_stored(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path, max_bytes=10_000)
    model = await desk.submit(ada)

    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"PK\x03\x04" + bytes(4_000)

    with pytest.raises(ArtifactFormatError):
        await desk.upload(model.id, ada, b"import os; os.remove('/')")
    with pytest.raises(ArtifactTooLargeError):
        await desk.upload(model.id, ada, b"PK\x03\x04" + bytes(20_000))
    with pytest.raises(ArtifactTooLargeError):
        await desk.submissions.upload(model.id, chunks=endless(), announced_bytes=None, actor=ada)

    assert list((tmp_path / "incoming").iterdir()) == []
    assert not (tmp_path / "blobs").exists()
    assert (await desk.models.read(model.id, actor=ada)).status is ModelStatus.SUBMITTED


async def test_a_version_never_changes_and_the_same_files_are_taken_once(
    desk: Desk, ada: Actor
) -> None:
    model = await desk.submit(ada)
    first = await desk.upload(model.id, ada)

    assert (await desk.upload(model.id, ada)).job_id == first.job_id
    with pytest.raises(ArtifactThereError):
        await desk.upload(model.id, ada, {"model.py": OTHER})
    with pytest.raises(NoArtifactError):
        await desk.upload((await desk.submit(ada, name="p", kind=ModelKind.PREDICTIONS)).id, ada)


async def test_the_same_name_is_the_next_version_and_another_persons_is_refused(
    desk: Desk, database: Database, ada: Actor
) -> None:
    eve = await make_user(database)
    first = await desk.hand_in(ada)
    second = await desk.hand_in(ada, files={"model.py": OTHER})
    same = await desk.hand_in(ada)

    assert (first.version, second.version, second.status) == (1, 2, ModelStatus.READY)
    assert same.status is ModelStatus.REJECTED
    assert "those of v1" in (same.rejection or "")
    with pytest.raises(NameTakenError):
        await desk.submit(eve, name="mine")


async def test_the_same_address_again_is_told(desk: Desk, ada: Actor) -> None:
    options: dict[str, object] = {"url": "http://127.0.0.1:9/v2/models/nli"}
    made = await desk.submit(ada, kind=ModelKind.ENDPOINT, options=options)

    assert made.queue_position == 1
    assert made.isolation is ModelIsolation.REMOTE
    with pytest.raises(SameModelError, match="v1"):
        await desk.submit(ada, kind=ModelKind.ENDPOINT, options=options)
    assert await desk.check(made.id) is ModelStatus.READY


async def test_a_private_address_is_refused_to_everyone(
    desk: Desk, database: Database, ada: Actor
) -> None:
    admin = await make_user(database, is_admin=True)
    for actor in (ada, admin):
        with pytest.raises(DynabenchError) as refused:
            await desk.submit(
                actor, kind=ModelKind.ENDPOINT, options={"url": "http://10.0.0.1/v2/models/m"}
            )
        assert actor is admin or isinstance(refused.value, PrivateAddressError)


async def test_code_is_refused_where_nothing_isolates_it(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    def refuse() -> ModelIsolation:
        raise CodeRefusedError(reason="nothing isolates here.")

    desk = Desk.of(database, clock, task, tmp_path, isolate=refuse)
    with pytest.raises(CodeRefusedError, match="nothing isolates here"):
        await desk.submit(ada)
    assert (await desk.submit(ada, kind=ModelKind.PREDICTIONS)).isolation is (
        ModelIsolation.NO_CODE
    )
    trusting = Desk.of(database, clock, task, tmp_path, isolate=lambda: ModelIsolation.TRUSTED)
    trusted = await trusting.hand_in(ada, name="trusted")
    seen = (await trusting.models.spec_of(trusted.id)).options["isolation"]
    assert (trusted.isolation, seen) == (ModelIsolation.TRUSTED, "trusted")


async def test_limits_count_what_passed_within_a_day(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    desk = Desk.of(database, clock, task, tmp_path, per_day=2)
    await desk.hand_in(ada, name="a", files={"model.py": b"\xff"})
    await desk.hand_in(ada, name="b")
    clock.advance(hours=1)
    kept = await desk.hand_in(ada, name="c")
    with pytest.raises(DailyLimitError, match="2030-01-16 12:00"):
        await desk.submit(ada, name="d")
    other = await make_task(database, slug="other")
    elsewhere = Desk.of(database, clock, other, tmp_path, per_day=2)
    await elsewhere.submit(ada, name="d")
    clock.advance(hours=23, minutes=1)
    assert (await desk.submit(ada, name="d")).status is ModelStatus.SUBMITTED
    assert kept.status is ModelStatus.READY


async def test_few_may_be_on_their_way_at_once(desk: Desk, ada: Actor) -> None:
    made = await asyncio.gather(
        *(desk.submit(ada, name=f"m{one}") for one in range(6)), return_exceptions=True
    )
    refused = [one for one in made if isinstance(one, TooManyWaitingError)]
    assert len(refused) == 3


async def test_a_full_disk_rejects_nobody(
    desk: Desk, ada: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    model = await desk.submit(ada)
    with monkeypatch.context() as patch:
        patch.setattr(desk.blobs, "put_stream", full)
        with pytest.raises(StorageFullError):
            await desk.upload(model.id, ada)
    await desk.upload(model.id, ada)
    steps = Steps()
    with monkeypatch.context() as patch:
        patch.setattr(desk.blobs, "put_folder", full)
        with pytest.raises(InspectionFailedError):
            await desk.check(model.id, steps)

    given_back = await desk.models.read(model.id, actor=ada)
    assert (given_back.status, given_back.rejection) == (ModelStatus.SUBMITTED, None)
    assert given_back.problems
    assert "does not count against you" in given_back.problems[0].problem
    assert len([line for line in steps.lines if "could not check it" in line]) == 2
    assert await desk.check(model.id) is ModelStatus.READY


async def test_what_the_platform_lacks_is_tried_again(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    asked = 0

    def build(spec: TargetSpec) -> TargetModel:
        nonlocal asked
        asked += 1
        if asked == 1:
            raise OSError(errno.ENOMEM, "Cannot allocate memory")
        return FakeTargetModel(lambda _: {"label": "neutral"}, name=spec.name)

    desk = Desk.of(database, clock, task, tmp_path, factory=build)
    assert (await desk.hand_in(ada)).status is ModelStatus.READY


async def test_a_check_that_broke_off_is_done_again_from_the_start(
    database: Database, clock: HeldClock, task: Task, tmp_path: Path, ada: Actor
) -> None:
    begun = asyncio.Event()

    def stuck(spec: TargetSpec) -> TargetModel:
        class Stuck(FakeTargetModel):
            async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
                begun.set()
                await asyncio.Event().wait()
                return await super().predict(batch)

        return Stuck(dict, name=spec.name)

    broken = Desk.of(database, clock, task, tmp_path, factory=stuck)
    model = await broken.submit(ada)
    await broken.upload(model.id, ada)
    going = asyncio.create_task(broken.check(model.id))
    await begun.wait()
    assert (await broken.models.read(model.id, actor=ada)).status is ModelStatus.CHECKING
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going

    whole = Desk.of(database, clock, task, tmp_path)
    assert await whole.check(model.id) is ModelStatus.READY
    assert await whole.check(model.id) is None
    assert len(await jobs_of(database, MODEL_SUBMITTED)) == 1
    assert list((tmp_path / "incoming").iterdir()) == []


async def test_a_check_can_be_asked_for_again_once_it_is_over(
    desk: Desk, database: Database, ada: Actor
) -> None:
    model = await desk.submit(ada)
    with pytest.raises(NothingToRetryError, match="waits for its files"):
        await desk.care.retry(model.id, actor=ada)
    uploaded = await desk.upload(model.id, ada, {"model.py": b"\xff"})
    with pytest.raises(NothingToRetryError, match="being checked"):
        await desk.care.retry(model.id, actor=ada)
    assert uploaded.job_id is not None
    async with database.transaction() as session:
        await JobQueue().cancel(session, uploaded.job_id)
    broken_off = (await desk.models.read(model.id, actor=ada)).problems
    assert broken_off
    assert "broke off: it was cancelled." in broken_off[0].problem
    again = await desk.care.retry(model.id, actor=ada)
    assert (again.job_id != uploaded.job_id, again.problems) == (True, None)
    assert await desk.check(model.id) is ModelStatus.REJECTED
    third = await desk.care.retry(model.id, actor=ada)
    assert (third.status, third.problems, third.rejection) == (ModelStatus.SUBMITTED, None, None)
    assert len(await jobs_of(database, CHECK_MODEL)) == 3


async def test_too_many_files_of_one_person_at_once_are_refused(desk: Desk, ada: Actor) -> None:
    models = [await desk.submit(ada, name=f"m{one}") for one in range(3)]
    gate = asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        await gate.wait()
        async for piece in in_pieces(zipped({"model.py": HANDLER})):
            yield piece

    going = [
        asyncio.create_task(
            desk.submissions.upload(one.id, chunks=slow(), announced_bytes=None, actor=ada)
        )
        for one in models
    ]
    await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
    gate.set()
    done = await asyncio.gather(*going, return_exceptions=True)
    assert [getattr(one, "code", "taken") for one in done].count("models.uploads_busy") == 1


async def test_before_its_files_come_a_model_is_like_no_other(desk: Desk, ada: Actor) -> None:
    first, second = await desk.submit(ada), await desk.submit(ada)

    assert (first.version, second.version) == (1, 2)


async def test_a_remote_model_is_known_by_what_was_said_of_it(desk: Desk, ada: Actor) -> None:
    for name in "mn":
        options: dict[str, object] = {"url": f"http://127.0.0.1:9/v2/models/{name}"}
        made = await desk.submit(ada, kind=ModelKind.ENDPOINT, options=options)
        spec = await desk.models.spec_of(made.id)
        model = await desk.models.get(made.id)
        assert model.digest == digest_of(spec.to_json())
