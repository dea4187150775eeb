"""Whose jobs are listed, and who hears of which of them."""

import json
import time

import pytest

from dynabench.app.job_service import JobService
from dynabench.engines.jobs.queue import JobQueue
from dynabench.engines.jobs.values import CHANNEL
from dynabench.kit.actor import VISITOR, Actor, SignInRequiredError
from dynabench.kit.db.database import Database
from dynabench.kit.db.listening import Listener
from dynabench.kit.ids import new_id

ADA, BEN = Actor(user_id=new_id()), Actor(user_id=new_id())
ADMIN = Actor(user_id=new_id(), is_admin=True)


@pytest.fixture
def service(database: Database) -> JobService:
    return JobService(db=database, queue=JobQueue())


async def _ask(database: Database, name: str, *, by: Actor | None) -> None:
    async with database.transaction() as session:
        await JobQueue().enqueue(session, name, {}, created_by=by.user_id if by else None)


async def _names(service: JobService, actor: Actor) -> list[str]:
    source = service.watching_list(actor)
    await source.require_visible(actor)
    told = json.loads((await source.read(time.monotonic())).body)
    assert told == [job.model_dump(mode="json") for job in await service.list(actor=actor)]
    return [job["name"] for job in told]


async def test_everybody_sees_their_own_jobs_and_administrators_all(
    database: Database, service: JobService
) -> None:
    await _ask(database, "adas", by=ADA)
    await _ask(database, "bens", by=BEN)
    await _ask(database, "platforms", by=None)
    assert await _names(service, ADA) == ["adas"]
    assert await _names(service, BEN) == ["bens"]
    assert await _names(service, ADMIN) == ["platforms", "bens", "adas"]
    with pytest.raises(SignInRequiredError):
        await _names(service, VISITOR)


async def test_ones_jobs_are_listed_however_many_others_have(
    database: Database, service: JobService
) -> None:
    await _ask(database, "adas", by=ADA)
    for _ in range(60):
        await _ask(database, "bens", by=BEN)
    assert await _names(service, ADA) == ["adas"]
    assert len(await _names(service, ADMIN)) == 50


async def test_a_list_that_is_watched_follows_what_its_reader_may_see(
    database: Database, service: JobService
) -> None:
    await _ask(database, "adas", by=ADA)
    await _ask(database, "bens", by=BEN)
    promoted = Actor(user_id=ADA.user_id, is_admin=True)
    source = service.watching_list(promoted)
    everything = await source.subject(), await source.read(0.0)
    await source.require_visible(ADA)
    own = await source.subject(), await source.read(0.0)
    assert everything[0] != own[0] == str(ADA.user_id)
    assert [len(json.loads(read.body)) for _, read in (everything, own)] == [2, 1]
    assert everything[1].digest != own[1].digest
    assert not own[1].is_last
    with pytest.raises(SignInRequiredError):
        await source.require_visible(VISITOR)


async def test_a_new_job_is_told_to_who_asked_and_to_administrators_alone(
    database: Database, database_url: str, service: JobService
) -> None:
    listener = Listener(database_url, channels=[CHANNEL])
    subjects = [await service.watching_list(actor).subject() for actor in (ADA, BEN, ADMIN)]
    with (
        listener.hearing(CHANNEL, subjects[0]) as adas,
        listener.hearing(CHANNEL, subjects[1]) as bens,
        listener.hearing(CHANNEL, subjects[2]) as admins,
    ):
        # Once the connection stands, everybody is told to look.
        for topic in (adas, bens, admins):
            await topic.heard.wait()
            topic.heard.clear()
        await _ask(database, "adas", by=ADA)
        await adas.heard.wait()
        await admins.heard.wait()
        assert not bens.heard.is_set()
    await listener.close()
