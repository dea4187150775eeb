"""Who may publish, withdraw, check again and upload what, role by role."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID

import pytest

from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.errors import DynabenchError
from dynabench.loop.models.errors import (
    ModelNotFoundError,
    ModelNotReadyError,
    ModelOptionsError,
)
from dynabench.loop.models.submissions.errors import (
    CardIncompleteError,
    NoArtifactError,
    NothingToRetryError,
)
from dynabench.loop.models.submissions.schemas import ModelPatch
from dynabench.loop.models.values import ModelKind, ModelStatus
from dynabench.loop.tasks.errors import TaskStateError
from dynabench.loop.tasks.values import Task, TaskRole, TaskStatus
from tests.conftest import HeldClock
from tests.factories.models import make_model
from tests.factories.people import make_user
from tests.factories.submissions import CARD, Desk
from tests.factories.tasks import add_member, make_task


@pytest.fixture
async def task(database: Database) -> Task:
    return await make_task(database)


@pytest.fixture
async def ada(database: Database) -> Actor:
    return await make_user(database, username="ada")


@pytest.fixture
def desk(database: Database, clock: HeldClock, task: Task, tmp_path: Path) -> Desk:
    return Desk.of(database, clock, task, tmp_path)


async def test_publishing_needs_a_ready_model_and_a_card(desk: Desk, ada: Actor) -> None:
    waiting = await desk.submit(ada, name="waiting")
    with pytest.raises(ModelNotReadyError):
        await desk.care.change(waiting.id, ModelPatch(is_published=True), actor=ada)
    model = await desk.hand_in(ada)
    with pytest.raises(CardIncompleteError) as refused:
        await desk.care.change(model.id, ModelPatch(is_published=True), actor=ada)
    assert set(refused.value.fields) == {f"card.{name}" for name in CARD}

    body = ModelPatch.model_validate({"card": CARD, "is_published": True})
    await desk.care.change(model.id, body, actor=ada)

    shown = await desk.models.read(model.id, actor=VISITOR)
    assert shown.card is not None
    assert (shown.card.licence, shown.job_id, shown.artifact_bytes) == ("MIT", None, None)
    emptied = ModelPatch.model_validate({"card": {"licence": "MIT"}})
    with pytest.raises(CardIncompleteError):
        await desk.care.change(model.id, emptied, actor=ada)
    await desk.care.change(model.id, ModelPatch(is_published=False), actor=ada)
    with pytest.raises(ModelNotFoundError):
        await desk.models.read(model.id, actor=VISITOR)


UseCase = Callable[[Desk, UUID, Actor], Awaitable[object]]


def patching(**values: object) -> UseCase:
    body = ModelPatch.model_validate(values)
    return lambda desk, model_id, actor: desk.care.change(model_id, body, actor=actor)


# What submitters, owners and administrators may do to a model, and what its submitter alone.
FOR_CARETAKERS: dict[str, UseCase] = {
    "log": lambda desk, model_id, actor: desk.care.log(model_id, actor=actor),
    "retry": lambda desk, model_id, actor: desk.care.retry(model_id, actor=actor),
    "withdraw": patching(is_published=False),
}
FOR_AUTHORS: dict[str, UseCase] = {
    "describe": patching(description="New."),
    "publish": patching(card=CARD, is_published=True),
    "hide": patching(is_anonymous=True, is_published=False),
    "upload": lambda desk, model_id, actor: desk.upload(model_id, actor),
}
ROLES = ("visitor", "stranger", "annotator", "submitter", "owner", "admin")


@pytest.fixture
async def people(database: Database, task: Task, ada: Actor) -> dict[str, Actor]:
    owner, annotator = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    await add_member(database, task, annotator, TaskRole.ANNOTATOR)
    admin, stranger = await make_user(database, is_admin=True), await make_user(database)
    return dict(zip(ROLES, (VISITOR, stranger, annotator, ada, owner, admin), strict=True))


@pytest.mark.parametrize("is_published", [False, True])
async def test_who_may_do_what(
    desk: Desk, database: Database, people: dict[str, Actor], *, is_published: bool
) -> None:
    seen: dict[str, set[str]] = {}
    for what, do in (FOR_CARETAKERS | FOR_AUTHORS).items():
        for who, actor in people.items():
            model = await make_model(
                database,
                desk.task,
                status=ModelStatus.READY if is_published else ModelStatus.REJECTED,
                is_published=is_published,
                submitted_by=people["submitter"].user_id,
            )
            try:
                await do(desk, model.id, actor)
            except (NothingToRetryError, NoArtifactError, ModelNotReadyError, SignInRequiredError):
                outcome = "signed out" if who == "visitor" else "allowed"
            except DynabenchError as error:
                outcome = error.code
            else:
                outcome = "allowed"
            seen.setdefault(outcome, set()).add(f"{who} {what}")

    caring = {f"{who} {what}" for who in ROLES[3:] for what in FOR_CARETAKERS}
    own = {f"submitter {what}" for what in FOR_AUTHORS}
    assert seen.pop("allowed") == caring | own
    assert seen.pop("signed out") == {"visitor upload"}
    others = {f"{who} {what}" for who in ("owner", "admin") for what in FOR_AUTHORS}
    strange = {f"{who} {what}" for who in ROLES[:3] for what in (*FOR_CARETAKERS, *FOR_AUTHORS)} - {
        "visitor upload"
    }
    if is_published:
        assert seen == {"models.not_yours": others | strange}
    else:
        assert seen == {"models.not_yours": others, "models.not_found": strange}


@pytest.mark.parametrize("status", [TaskStatus.DRAFT, TaskStatus.ARCHIVED])
async def test_only_an_active_task_takes_models(
    database: Database, clock: HeldClock, tmp_path: Path, status: TaskStatus
) -> None:
    task = await make_task(database, status=status)
    owner = await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    desk = Desk.of(database, clock, task, tmp_path)
    with pytest.raises(TaskStateError):
        await desk.submit(owner)
    with pytest.raises(SignInRequiredError):
        await desk.submit(VISITOR)


async def test_a_key_of_the_server_is_for_owners(desk: Desk, people: dict[str, Actor]) -> None:
    options: dict[str, object] = {
        "base_url": "http://127.0.0.1:9/v1",
        "model": "m",
        "prompt": "{premise} {hypothesis}",
        "api_key_env": "OPENAI_API_KEY",
    }
    with pytest.raises(ModelOptionsError, match="owners may use a key"):
        await desk.submit(people["submitter"], kind=ModelKind.OPENAI, options=options)
    taken = await desk.submit(people["owner"], kind=ModelKind.OPENAI, options=options)
    assert taken.status is ModelStatus.SUBMITTED
