"""Routes of uploads, changes and previews over HTTP, role by role."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx2 import AsyncClient, Response

from dynabench.engines.jobs.schemas import JobRead
from dynabench.kit.actor import Actor
from dynabench.kit.clock import Clock
from dynabench.kit.db.database import Database
from dynabench.loop.datasets import endpoints
from dynabench.loop.datasets.perturbing import endpoints as perturbing
from dynabench.loop.datasets.perturbing.service import PerturbationService
from dynabench.loop.datasets.service import DatasetService
from dynabench.loop.datasets.uploads import endpoints as uploading
from dynabench.loop.datasets.uploads.service import UploadService
from dynabench.loop.tasks.values import Task, TaskRole
from dynabench.people.schemas import ApiTokenCreate
from tests.factories.applications import make_client
from tests.factories.dataset_files import Uploads, as_lines, rows
from tests.factories.people import People, make_user
from tests.factories.tasks import NLI_CONFIG, add_member, make_task

CONFIG = NLI_CONFIG + "delta_metrics: [{type: robustness, transforms: [upper_case]}]\n"
DATA = as_lines([*rows(2), *rows(1, split="train", start=2)])


@pytest.fixture
def people(database: Database, clock: Clock) -> People:
    return People.over(database, clock)


@pytest.fixture
def uploads(database: Database, clock: Clock, tmp_path: Path) -> Uploads:
    return Uploads.over(database, clock, folder=tmp_path)


@pytest.fixture
async def client(uploads: Uploads, people: People) -> AsyncIterator[AsyncClient]:
    services: dict[type[object], object] = {
        DatasetService: uploads.chapters.datasets,
        UploadService: uploads.service,
        PerturbationService: uploads.perturbations,
    }
    async with make_client(
        endpoints.router,
        uploading.router,
        perturbing.router,
        services=services,
        authenticator=people.authenticator,
    ) as client:
        yield client


async def headers(people: People, actor: Actor) -> dict[str, str]:
    token = await people.service.create_token(ApiTokenCreate(name="test"), actor=actor)
    return {"Authorization": f"Bearer {token.secret}"}


async def owned(database: Database, people: People) -> tuple[Task, dict[str, str]]:
    task, owner = await make_task(database, config=CONFIG), await make_user(database)
    await add_member(database, task, owner, TaskRole.OWNER)
    return task, await headers(people, owner)


async def bring(
    client: AsyncClient, uploads: Uploads, task: Task, mine: dict[str, str], **given: object
) -> dict[str, object]:
    """Send a file, ask for it to be stored, and do the job."""
    files = f"/api/v1/tasks/{task.slug}/dataset-files"
    sent = await client.post(files, content=DATA, headers=mine)
    assert (sent.status_code, sent.json()["size_bytes"]) == (201, len(DATA))
    known = {"name": "Mine", "licence": "CC0", "row_format": "jsonl"}
    body = {**known, **given, "file": sent.json()["digest"]}
    asked = await client.post(f"/api/v1/tasks/{task.slug}/datasets", json=body, headers=mine)
    assert asked.status_code == 202
    job = await uploads.run(JobRead.model_validate(asked.json()))
    url = f"/api/v1/dataset-imports/{job.id}"
    assert (await client.get(url)).json()["code"] == "datasets.report_not_found"
    done: dict[str, object] = (await client.get(url, headers=mine)).json()
    assert done == job.result
    return done


def told(answer: Response) -> tuple[int, object]:
    return answer.status_code, answer.json().get("code")


async def test_a_file_becomes_a_dataset_over_the_wire(
    client: AsyncClient, uploads: Uploads, people: People, database: Database
) -> None:
    task, mine = await owned(database, people)
    done = await bring(client, uploads, task, mine, tags=["mine"])
    assert (done["state"], done["items"], done["problems"]) == ("stored", 3, [])
    url = f"/api/v1/dataset-versions/{done['dataset_version_id']}"
    shown = (await client.get(url)).json()
    assert (shown["access"], shown["origin"], shown["items"]) == ("scoring", "upload", 3)
    assert (shown["is_newest"], shown["tags"]) == (True, ["mine"])
    gold = {
        (split, who): [
            one["gold"]
            for one in (
                await client.get(f"{url}/items", params={"split": split}, headers=key)
            ).json()
        ]
        for split in ("test", "train")
        for who, key in (("visitor", {}), ("owner", mine))
    }
    assert gold["test", "visitor"] == [None, None]
    assert gold["test", "owner"] == [{"label": "entailment"}, {"label": "neutral"}]
    assert gold["train", "visitor"] == gold["train", "owner"] == [{"label": "contradiction"}]
    assert (await client.get(f"{url}/items", params={"after": 0})).json()[0]["position"] == 1
    listed = f"/api/v1/tasks/{task.slug}/datasets"
    for query, count in (
        ({"search": "MINE"}, 1),
        ({"search": "yours"}, 0),
        ({"access": "hidden"}, 0),
    ):
        assert len((await client.get(listed, params=query)).json()) == count


async def test_only_owners_change_what_is_seen(
    client: AsyncClient, uploads: Uploads, people: People, database: Database
) -> None:
    task, mine = await owned(database, people)
    stranger, expert = await make_user(database), await make_user(database)
    await add_member(database, task, expert, TaskRole.EXPERT)
    done = await bring(client, uploads, task, mine)
    url = f"/api/v1/dataset-versions/{done['dataset_version_id']}"
    change = {"access": "hidden", "description": "About rain.", "licence": "CC-BY-4.0"}
    assert told(await client.patch(url, json=change))[0] == 401
    theirs = [await headers(people, one) for one in (stranger, expert)]
    for key in theirs:
        assert told(await client.patch(url, json=change, headers=key)) == (403, "tasks.role_needed")
    changed = (await client.patch(url, json=change, headers=mine)).json()
    assert (changed["access"], changed["licence"]) == ("hidden", "CC-BY-4.0")
    assert changed["card"]["description"] == "About rain."
    for key in ({}, *theirs):
        for path in ("", "/items", "/splits/test"):
            answer = await client.get(f"{url}{path}", headers=key)
            assert told(answer) == (404, "datasets.not_found")
        assert (await client.patch(url, json={}, headers=key)).status_code == 404
    assert (await client.get(url, headers=mine)).status_code == 200
    wrong = await client.patch(url, json={"access": "secret"}, headers=mine)
    assert wrong.status_code == 422


async def test_only_owners_send_files_and_vary_sets(
    client: AsyncClient, uploads: Uploads, people: People, database: Database
) -> None:
    task, mine = await owned(database, people)
    theirs = await headers(people, await make_user(database))
    done = await bring(client, uploads, task, mine)
    url = f"/api/v1/dataset-versions/{done['dataset_version_id']}"
    order = {"kind": "robustness", "seed": 5}
    for key, status in (({}, 401), (theirs, 403)):
        files = await client.post(
            f"/api/v1/tasks/{task.slug}/dataset-files", content=b"x", headers=key
        )
        asked = await client.post(f"{url}/perturbations", json=order, headers=key)
        shown = await client.get(f"{url}/variants", params={"transform": "x"}, headers=key)
        assert {one.status_code for one in (files, asked, shown)} == {status}
    asked = await client.post(f"{url}/perturbations", json=order, headers=mine)
    assert asked.status_code == 202
    report = f"/api/v1/perturbations/{asked.json()['id']}"
    assert (await client.get(report, headers=mine)).status_code == 404
    await uploads.run(JobRead.model_validate(asked.json()))
    assert (await client.get(report, headers=theirs)).status_code == 404
    made = (await client.get(report, headers=mine)).json()
    perturbed = f"/api/v1/dataset-versions/{made['dataset_version_id']}"
    seen = await client.get(
        f"{perturbed}/variants", params={"transform": "upper_case"}, headers=mine
    )
    assert seen.json()[0]["texts"][0]["variant"] == "PREMISE 0."
    used = (await client.get(f"/api/v1/tasks/{task.slug}/transforms")).json()
    assert [one["name"] for one in used if one["is_used"]] == [
        "upper_case",
        "swap_names",
        "swap_gender",
    ]


async def test_a_wrong_order_names_its_fields(
    client: AsyncClient, people: People, database: Database
) -> None:
    task, mine = await owned(database, people)
    url = f"/api/v1/tasks/{task.slug}/datasets"
    order = {"name": "Mine", "licence": "CC0", "row_format": "jsonl", "file": "0" * 64}
    assert told(await client.post(url, json=order, headers=mine)) == (422, "datasets.file_missing")
    for wrong in ({"licence": ""}, {"name": "a\nb"}, {"file": "../../etc"}, {"split": "exam"}):
        answer = await client.post(url, json={**order, **wrong}, headers=mine)
        assert list(answer.json()["fields"]) == list(wrong)
    assert (
        await client.post("/api/v1/tasks/none/datasets", json=order, headers=mine)
    ).status_code == 404
