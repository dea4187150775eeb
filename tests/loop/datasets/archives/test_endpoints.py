from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from httpx2 import AsyncClient

from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets.archives.endpoints import router
from dynabench.loop.datasets.archives.service import ArchiveService
from dynabench.loop.datasets.schemas import DatasetPatch
from dynabench.loop.datasets.values import DatasetAccess, DatasetVersion, Split
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.archives import Archives
from tests.factories.datasets import make_dataset, make_item
from tests.factories.people import People, make_user
from tests.factories.tasks import add_member, make_task


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
def archives(database: Database, clock: Clock, tmp_path: Path) -> Archives:
    return Archives.over(database, clock, tmp_path)


@pytest.fixture
async def client(archives: Archives, people: People) -> AsyncIterator[AsyncClient]:
    services: dict[type[object], object] = {ArchiveService: archives.service}
    async with make_client(router, services=services, authenticator=people.authenticator) as client:
        yield client


@pytest.fixture
async def task(database: Database) -> Task:
    return await make_task(database, slug="nli")


@pytest.fixture
async def version(database: Database, task: Task, clock: Clock) -> DatasetVersion:
    items = [make_item(number, split=[*Split][number % 3]) for number in range(6)]
    return await make_dataset(database, task, items, name="Round 3 – Ñandú", clock=clock)


async def headers(people: People, actor: Actor) -> dict[str, str]:
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def test_an_archive_is_asked_for_waited_for_and_downloaded(
    client: AsyncClient, archives: Archives, version: DatasetVersion
) -> None:
    url = f"/api/v1/dataset-versions/{version.id}/archive"
    nobody_asked = await client.get(url)
    assert nobody_asked.status_code == 409
    assert nobody_asked.json()["code"] == "datasets.archive_pending"
    assert nobody_asked.json()["facts"] == {"job_id": None, "progress": None}
    assert (await client.get(f"{url}/state")).json()["state"] == "missing"
    asked = await client.post(url)
    assert (asked.status_code, asked.json()["state"]) == (202, "making")
    pending = (await client.get(url)).json()
    assert pending["facts"] == {"job_id": asked.json()["job_id"], "progress": 0.0}
    assert "is being made (0%)" in pending["detail"]

    made = await archives.make(version)

    told = (await client.get(f"{url}/state")).json()
    assert (told["state"], told["digest"], told["size_bytes"]) == (
        *("ready", made.digest, made.size_bytes),
    )
    assert told["file_name"] == "nli-round-3-nandu-v1.zip"
    assert told["files"][0] == {
        "name": "data/train.jsonl",
        "sha256": made.files[0].sha256,
        "size_bytes": made.files[0].size_bytes,
        "items": 2,
    }
    whole = await client.get(url)
    assert whole.status_code == 200
    assert whole.headers["etag"] == f'"{made.digest}"'
    assert whole.headers["accept-ranges"] == "bytes"
    assert whole.headers["content-type"] == "application/zip"
    assert 'filename="nli-round-3-nandu-v1.zip"' in whole.headers["content-disposition"]
    assert ZipFile(BytesIO(whole.content)).testzip() is None
    looked = await client.head(url)
    assert (looked.content, looked.headers["content-length"]) == (b"", str(made.size_bytes))


async def test_a_part_of_an_archive_is_sent_as_long_as_it_is_the_same_one(
    client: AsyncClient, archives: Archives, version: DatasetVersion
) -> None:
    url = f"/api/v1/dataset-versions/{version.id}/archive"
    made = await archives.make(version)
    whole = (await client.get(url)).content
    size = made.size_bytes

    part = await client.get(url, headers={"Range": "bytes=100-199"})
    rest = await client.get(
        url, headers={"Range": f"bytes={size - 7}-", "If-Range": f'"{made.digest}"'}
    )
    other = await client.get(url, headers={"Range": "bytes=100-", "If-Range": '"another"'})
    beyond = await client.get(url, headers={"Range": f"bytes={size}-"})

    assert (part.status_code, part.content) == (206, whole[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{size}"
    assert part.headers["content-length"] == "100"
    assert (rest.status_code, rest.content) == (206, whole[-7:])
    assert (other.status_code, other.content) == (200, whole)
    assert (beyond.status_code, beyond.headers["content-range"]) == (416, f"bytes */{size}")


async def test_who_sees_a_version_downloads_it_and_its_owners_open_test(
    client: AsyncClient,
    archives: Archives,
    people: People,
    database: Database,
    task: Task,
    version: DatasetVersion,
) -> None:
    owner, stranger = await make_user(database), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    mine, theirs = await headers(people, owner), await headers(people, stranger)
    url = f"/api/v1/dataset-versions/{version.id}"

    assert (await client.post(f"{url}/open-test")).status_code == 401
    assert (await client.post(f"{url}/open-test", headers=theirs)).status_code == 403
    opened = await client.post(f"{url}/open-test", headers=mine)
    assert opened.status_code == 200
    assert opened.json()["test_opened_at"] is not None

    patch = DatasetPatch(access=DatasetAccess.HIDDEN)
    await archives.chapters.datasets.change(version.id, patch, actor=owner)
    await archives.make(version)
    for method, path in (
        *(("GET", "/archive"), ("HEAD", "/archive"), ("GET", "/archive/state")),
        *(("POST", "/archive"), ("POST", "/open-test")),
    ):
        refused = await client.request(method, url + path, headers=theirs)
        assert refused.status_code == 404, path
    assert (await client.get(f"{url}/archive", headers=mine)).status_code == 200
    missing = await client.get(f"/api/v1/dataset-versions/{task.id}/archive")
    assert missing.json()["code"] == "datasets.not_found"
