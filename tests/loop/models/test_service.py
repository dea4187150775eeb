import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from dynabench.engines.inference.adapters import TargetFactory
from dynabench.engines.inference.errors import TargetUnavailableError
from dynabench.engines.inference.json_caller import HttpSettings
from dynabench.engines.inference.protocol import (
    FakeTargetModel,
    ModelInput,
    Prediction,
    TargetSpec,
)
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.kit.actor import VISITOR, Actor
from dynabench.kit.db.database import Database
from dynabench.kit.idempotency import RequestKey
from dynabench.kit.wire import Values
from dynabench.loop.models.addresses.service import target_factory
from dynabench.loop.models.errors import (
    ModelCheckFailedError,
    ModelNotFoundError,
    ModelNotReadyError,
    ModelOptionsError,
    PrivateAddressError,
)
from dynabench.loop.models.schemas import ModelCreate, ModelRead
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import ModelKind, ModelStatus, Submission
from dynabench.loop.tasks.errors import TaskRoleNeededError
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from tests.factories.models import always, make_model, make_model_service
from tests.factories.people import make_user
from tests.factories.tasks import add_member, make_task

LOCAL = "http://127.0.0.1:9/v2/models/nli"
ALLOWED = frozenset({"127.0.0.1"})


@dataclass(frozen=True)
class Scene:
    models: ModelService
    task: Task
    owner: Actor

    async def create(
        self,
        *,
        actor: Actor | None = None,
        options: Values | None = None,
        key: RequestKey | None = None,
        may_be_private: bool = False,
    ) -> ModelRead:
        body = ModelCreate(
            name="mine",
            kind=ModelKind.ENDPOINT,
            options=options or {"url": LOCAL},
            allow_private_address=may_be_private,
        )
        return await self.models.create(self.task.slug, body, actor=actor or self.owner, key=key)


@pytest.fixture
async def task(database: Database) -> Task:
    return await make_task(database)


@pytest.fixture
async def owner(database: Database, task: Task) -> Actor:
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    return owner


@pytest.fixture
def scene(database: Database, task: Task, owner: Actor) -> Scene:
    service = make_model_service(database, allowed_hosts=ALLOWED)
    return Scene(models=service, task=task, owner=owner)


def scene_with(database: Database, task: Task, owner: Actor, *, factory: TargetFactory) -> Scene:
    service = make_model_service(database, factory=factory, allowed_hosts=ALLOWED)
    return Scene(models=service, task=task, owner=owner)


async def test_a_model_is_taken_once_it_answered(scene: Scene) -> None:
    created = await scene.create()
    assert (created.name, created.version) == ("mine", 1)
    assert created.status is ModelStatus.READY
    assert created.submitted_by == scene.owner.username
    (listed,) = await scene.models.list(scene.task.slug, actor=VISITOR)
    assert listed == created.model_copy(update={"is_mine": False})


async def test_how_a_model_is_reached_is_shown_to_nobody(scene: Scene) -> None:
    created = await scene.create()
    assert "127.0.0.1" not in created.model_dump_json()


async def test_other_options_under_a_name_make_its_next_version(scene: Scene) -> None:
    first = await scene.create()
    same = await scene.create()
    other = await scene.create(options={"url": LOCAL, "version": "2"})
    assert same.id == first.id
    assert (other.version, other.id != first.id) == (2, True)


async def test_versions_made_at_once_are_numbered_one_by_one(scene: Scene) -> None:
    made = await asyncio.gather(
        *(scene.create(options={"url": LOCAL, "version": str(one)}) for one in range(4))
    )
    assert sorted(one.version for one in made) == [1, 2, 3, 4]


async def test_a_repeated_request_makes_one_model(scene: Scene) -> None:
    key = RequestKey.of(actor_id=scene.owner.user_id, route="POST", key="a", body=b"")
    first = await scene.create(key=key)
    await scene.create(options={"url": LOCAL, "version": "2"})
    assert (await scene.create(key=key)).id == first.id


@pytest.mark.parametrize(
    ("outputs", "part"),
    [({}, "'label' is missing"), ({"label": "maybe"}, "outputs.label")],
)
async def test_a_wrong_answer_names_the_field(
    database: Database, task: Task, owner: Actor, outputs: dict[str, object], part: str
) -> None:
    scene = scene_with(database, task, owner, factory=always(**outputs))
    with pytest.raises(ModelCheckFailedError, match=part):
        await scene.create()
    assert await scene.models.list(task.slug, actor=owner) == []


async def test_a_server_that_is_not_there_is_told(
    database: Database, task: Task, owner: Actor
) -> None:
    http = HttpSettings(allowed_hosts=ALLOWED)
    scene = scene_with(database, task, owner, factory=target_factory(http))
    with pytest.raises(ModelCheckFailedError, match="cannot be reached"):
        await scene.create()


async def test_what_an_adapter_refuses_is_told_under_the_owners_name(
    database: Database, task: Task, owner: Actor
) -> None:
    http = HttpSettings(allowed_hosts=ALLOWED)
    scene = scene_with(database, task, owner, factory=target_factory(http))
    body = ModelCreate(
        name="mine",
        kind=ModelKind.OPENAI,
        options={"base_url": "http://127.0.0.1:9/v1", "model": "m", "prompt": "{label}"},
    )
    with pytest.raises(ModelOptionsError) as refused:
        await scene.models.create(task.slug, body, actor=owner, key=None)
    assert set(refused.value.fields) == {"options.prompt"}


async def test_a_private_address_is_for_administrators_who_mean_it(
    database: Database, task: Task, owner: Actor
) -> None:
    models = make_model_service(database)
    scene = Scene(models=models, task=task, owner=owner)
    admin = await make_user(database, is_admin=True)
    for may_be_private in (False, True):
        with pytest.raises(PrivateAddressError):
            await scene.create(may_be_private=may_be_private)
    with pytest.raises(ModelOptionsError) as refused:
        await scene.create(actor=admin)
    assert set(refused.value.fields) == {"allow_private_address"}
    created = await scene.create(actor=admin, may_be_private=True)
    assert created.status is ModelStatus.READY


@asynccontextmanager
async def inference_server() -> AsyncIterator[int]:
    """Serve one Open Inference model on loopback that finds everything neutral."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            if line.lower().startswith(b"content-length:"):
                await reader.readexactly(int(line.split(b":")[1]))
        body = b'{"name": "nli", "outputs": [{"name": "label", "shape": [1], "data": ["neutral"]}]}'
        writer.write(
            b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_the_leave_for_a_private_address_reaches_the_adapter(
    database: Database, task: Task
) -> None:
    admin = await make_user(database, is_admin=True)
    factory = target_factory(HttpSettings())
    models = make_model_service(database, factory=factory)
    scene = Scene(models=models, task=task, owner=admin)
    async with inference_server() as port:
        created = await scene.create(
            options={"url": f"http://127.0.0.1:{port}/v2/models/nli"}, may_be_private=True
        )
        checked = await models.check(created.id, actor=admin)
        asked = await models.predict(created.id, {"premise": "a", "hypothesis": "b"})
    assert checked.outputs == asked.outputs == {"label": "neutral"}
    with pytest.raises(ModelCheckFailedError):
        await models.check(created.id, actor=admin)


@pytest.mark.parametrize("role", [None, TaskRole.ANNOTATOR, TaskRole.EXPERT])
async def test_only_owners_submit_and_examine(
    scene: Scene, database: Database, role: TaskRole | None
) -> None:
    person = await make_user(database)
    if role is not None:
        await add_member(database, scene.task, person, role)
    created = await scene.create()
    with pytest.raises(TaskRoleNeededError):
        await scene.create(actor=person)
    with pytest.raises(TaskRoleNeededError):
        await scene.models.health(created.id, actor=person)
    with pytest.raises(TaskRoleNeededError):
        await scene.models.check(created.id, actor=person)
    seen = await scene.models.read(created.id, actor=person)
    assert seen == created.model_copy(update={"is_mine": False})


async def test_a_private_model_is_found_by_its_submitter_and_the_owners(
    scene: Scene, database: Database
) -> None:
    submitter, expert = await make_user(database), await make_user(database)
    admin = await make_user(database, is_admin=True)
    await add_member(database, scene.task, expert, TaskRole.EXPERT)
    private = await make_model(
        database,
        scene.task,
        is_published=False,
        is_anonymous=True,
        submitted_by=submitter.user_id,
    )
    for actor in (VISITOR, expert):
        with pytest.raises(ModelNotFoundError):
            await scene.models.read(private.id, actor=actor)
        assert await scene.models.list(scene.task.slug, actor=actor) == []
    for actor in (submitter, scene.owner, admin):
        seen = await scene.models.read(private.id, actor=actor)
        assert seen.submitted_by == submitter.username
        assert seen.is_mine == (actor is submitter)


async def test_who_submitted_an_anonymous_model_is_told_to_few(
    scene: Scene, database: Database
) -> None:
    submitter, expert = await make_user(database), await make_user(database)
    await add_member(database, scene.task, expert, TaskRole.EXPERT)
    await make_model(database, scene.task, is_anonymous=True, submitted_by=submitter.user_id)

    told = {
        actor.username: (await scene.models.list(scene.task.slug, actor=actor))[0].submitted_by
        for actor in (VISITOR, expert, submitter, scene.owner)
    }

    assert told == {
        VISITOR.username: None,
        expert.username: None,
        submitter.username: submitter.username,
        scene.owner.username: submitter.username,
    }


async def test_models_of_a_hidden_task_are_not_found(database: Database) -> None:
    task = await make_task(database, status=TaskStatus.DRAFT)
    model = await make_model(database, task)
    models = make_model_service(database)
    with pytest.raises(ModelNotFoundError):
        await models.read(model.id, actor=VISITOR)
    with pytest.raises(ModelNotFoundError):
        await models.get(uuid4())


async def test_asking_is_counted_and_shown_to_owners(
    database: Database, task: Task, owner: Actor
) -> None:
    def rule(model_input: ModelInput) -> dict[str, object]:
        return {} if model_input["premise"] == "bad" else {"label": "neutral"}

    def build(spec: TargetSpec) -> FakeTargetModel:
        return FakeTargetModel(rule, name=spec.name, output_names=spec.output_names)

    scene = scene_with(database, task, owner, factory=build)
    created = await scene.create()
    cold = await scene.models.health(created.id, actor=owner)
    assert (cold.state, cold.answered, cold.median_latency_ms) == ("cold", 0, None)
    good = await scene.models.predict(
        created.id, {"premise": "a", "hypothesis": "b", "label": "neutral"}
    )
    bad = await scene.models.predict(created.id, {"premise": "bad", "hypothesis": "b"})
    assert good.outputs == {"label": "neutral"}
    assert bad.error is not None
    health = await scene.models.health(created.id, actor=owner)
    assert (health.answered, health.failed) == (1, 1)
    assert health.last_error is not None


async def test_a_model_that_cannot_be_asked_counts_as_failed(
    database: Database, task: Task, owner: Actor
) -> None:
    model = await make_model(database, task)

    class Down(FakeTargetModel):
        async def predict(self, batch: Sequence[ModelInput]) -> list[Prediction]:
            del batch
            raise TargetUnavailableError(name="m", reason="it is down.")

    models = make_model_service(database, factory=lambda spec: Down(dict, name=spec.name))
    with pytest.raises(TargetUnavailableError):
        await models.predict(model.id, {"premise": "a", "hypothesis": "b"})
    assert (await models.health(model.id, actor=owner)).failed == 1


async def test_a_handler_is_registered_once_per_digest(
    database: Database, task: Task, tmp_path: Path
) -> None:
    folder = tmp_path / "handler"
    folder.mkdir()
    (folder / "model.py").write_text("def predict(batch): return []\n")
    blobs = FolderBlobStore(tmp_path / "blobs")
    models = make_model_service(database, blobs=blobs)
    digest = blobs.put_folder(folder)
    made = []
    for one in (digest, digest, "0" * 64, digest):
        async with database.transaction() as session:
            submission = Submission(name="base", digest=one, source={"recipe": "linear"})
            made.append(await models.register_handler(session, submission, task=task))
    assert [model.version for model in made] == [1, 1, 2, 1]
    spec = await models.spec_of(made[0].id)
    assert spec.version_digest == digest
    assert (Path(spec.option("folder")) / "model.py").is_file()
    assert await models.spec_of(made[0].id) is spec


async def test_a_recorded_model_has_one_version_and_is_never_asked(
    scene: Scene, database: Database
) -> None:
    made = []
    for _ in range(2):
        async with database.transaction() as session:
            made.append(await scene.models.register_recorded(session, "bert", task=scene.task))
    assert made[0].id == made[1].id
    with pytest.raises(ModelCheckFailedError):
        await scene.models.check(made[0].id, actor=scene.owner)
    assert await scene.models.newest_ready(scene.task.id) is None


async def test_the_newest_ready_model_is_a_published_one(scene: Scene, database: Database) -> None:
    models, task_id = scene.models, scene.task.id
    good = await make_model(database, scene.task)
    private = await make_model(database, scene.task, is_published=False)
    rejected = await make_model(database, scene.task, status=ModelStatus.REJECTED)
    assert await models.newest_ready(task_id) == good
    assert await models.newest_ready(task_id, model_id=good.id) == good
    assert await models.newest_ready(task_id, model_id=private.id) is None
    assert await models.newest_ready(uuid4(), model_id=good.id) is None
    with pytest.raises(ModelNotReadyError):
        await models.newest_ready(task_id, model_id=rejected.id)


async def test_models_are_called_by_name_and_version(scene: Scene, database: Database) -> None:
    model = await make_model(database, scene.task, name="strong", version=3)
    found = await scene.models.names([model.id, uuid4()])
    assert {key: (label.name, label.version) for key, label in found.items()} == {
        model.id: ("strong", 3)
    }


async def test_an_unknown_model_is_no_target(scene: Scene, database: Database) -> None:
    async with database.read() as session:
        with pytest.raises(ModelNotFoundError):
            await scene.models.require_ready(session, [uuid4()])


async def test_an_anonymous_model_does_not_say_whose_it_is(
    scene: Scene, database: Database
) -> None:
    model = await make_model(database, scene.task, is_anonymous=True)
    assert (await scene.models.read(model.id, actor=scene.owner)).submitted_by is None
