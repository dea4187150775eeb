"""A task about pictures and sounds through the public API: brought, written about, sent, read."""

import asyncio
import base64
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from dynabench.app.verify import verify
from dynabench.app.wiring import Wiring, wire
from dynabench.engines.inference.protocol import FakeTargetModel, TargetModel, TargetSpec
from dynabench.engines.media.errors import MediaFetchError
from dynabench.engines.media.fetching import MediaFetcher
from dynabench.kit.clock import Clock
from dynabench.kit.settings import Settings
from tests.factories.media import PLACE, picture, sound
from tests.stories.conftest import Browser, SignedIn
from tests.stories.test_the_loop import Json, get, post

CONFIG = """\
title: Colours
context:
  - {name: scene, type: image, max_bytes: 100000, media_types: [image/png, image/jpeg]}
input:
  - {name: question, type: string}
  - {name: remark, type: audio}
  - {name: colour, type: multiclass, labels: [red, blue]}
output:
  - {name: colour}
metadata:
  create:
    - {name: sketch, type: image}
model_wrong_metric: {type: exact_match, reference_names: [colour]}
perf_metric: {type: accuracy, reference_name: colour}
"""
RED, BLUE = picture(colour=(255, 0, 0)), picture(colour=(0, 0, 255))


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def target() -> FakeTargetModel:
    return FakeTargetModel(lambda _: {"colour": "red"}, output_names=("colour",))


@pytest.fixture
async def wiring(
    database_url: str, tmp_path: Path, clock: Clock, target: FakeTargetModel
) -> AsyncIterator[Wiring]:
    def build(spec: TargetSpec) -> TargetModel:
        del spec
        return target

    settings = Settings(database_url=database_url, home=tmp_path, database_pool_size=4)
    made = wire(settings, clock=clock, factory=build, fold_patience_seconds=0)
    yield made
    await made.close()


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What lies at which address; what is slow there says so in its name."""
    files: dict[str, bytes] = {}

    async def fetch(self: MediaFetcher, url: str, to: Path) -> None:
        del self
        if "slow" in url:
            await asyncio.sleep(60)
        if url not in files:
            raise MediaFetchError(url=url, reason="its server answered 404.")
        # A test may wait for its own disk.
        to.write_bytes(files[url])  # noqa: ASYNC240

    monkeypatch.setattr(MediaFetcher, "fetch", fetch)
    return files


async def bring(browser: Browser, data: bytes, status: int = 200) -> Json:
    answer = await browser.post("/api/v1/tasks/colours/media", content=data)
    assert answer.status_code == status, answer.text
    found: Json = answer.json()
    return found


async def make_task(admin: Browser) -> None:
    await post(admin, "/tasks", {"slug": "colours", "config": CONFIG})
    await post(admin, "/tasks/colours/activate", {}, 200)


async def upload(admin: Browser, *scenes: object, status: int = 200) -> Json:
    lines = "\n".join(json.dumps({"context": {"scene": scene}}) for scene in scenes)
    answer = await admin.post("/api/v1/tasks/colours/contexts", content=lines.encode())
    assert answer.status_code == status, answer.text
    found: Json = answer.json()
    return found


async def open_round(admin: Browser) -> str:
    model = await post(
        admin,
        "/tasks/colours/models",
        {
            "name": "eye",
            "kind": "endpoint",
            "options": {"url": "http://93.184.215.14/v2/models/eye"},
        },
    )
    draft = await post(admin, "/tasks/colours/rounds", {"target_model_ids": [model["id"]]})
    await post(admin, f"/rounds/{draft['id']}/open", {}, 200)
    return str(draft["id"])


async def test_a_picture_is_written_about_and_reaches_the_model(
    sign_in: SignedIn, target: FakeTargetModel
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    await make_task(admin)
    brought = await bring(admin, RED)
    assert (brought["digest"], brought["width"], brought["kind"]) == (digest(RED), 60, "image")
    done = await upload(admin, {"media": digest(RED), "alt": "A red field"})
    assert done == {"added": 1, "already_there": 0}
    round_id = await open_round(admin)
    assert base64.b64decode(str(target.asked[0]["scene"]["data"])).startswith(b"\x89PNG")  # type: ignore[index]  # A file.

    tone = sound()
    said = await bring(ada, tone)
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    assert lent["context"]["content"] == {"scene": {"media": digest(RED), "alt": "A red field"}}
    body = {
        "context_id": lent["context"]["id"],
        "inputs": {"question": "Which colour is it?", "remark": {"media": said["digest"]}},
        "answer": {"colour": "blue"},
    }
    example = await post(ada, f"/rounds/{round_id}/examples", body)
    assert example["fooled"] is True
    assert example["inputs"]["remark"] == {"media": digest(tone)}
    assert target.asked[-1] == {
        "question": "Which colour is it?",
        "scene": {
            "media": digest(RED),
            "media_type": "image/png",
            "alt": "A red field",
            "data": base64.b64encode(RED).decode(),
        },
        "remark": {
            "media": digest(tone),
            "media_type": "audio/wav",
            "data": base64.b64encode(tone).decode(),
        },
    }
    sketch = {"explanations": {"sketch": {"media": "0" * 64, "alt": ""}}}
    answer = await ada.patch(f"/api/v1/examples/{example['id']}", json=sketch)
    assert answer.json()["fields"] == {
        "metadata.sketch": "No such picture is stored here; upload it first."
    }


async def test_a_file_is_read_by_whoever_knows_its_digest(
    sign_in: SignedIn, visitor: Browser
) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    name = digest(RED)
    await bring(admin, RED)
    whole = await visitor.get(f"/api/v1/media/{name}")
    assert whole.content == RED
    assert whole.headers["content-type"] == "image/png"
    assert whole.headers["x-content-type-options"] == "nosniff"
    assert whole.headers["content-security-policy"].startswith("sandbox;")
    assert "immutable" in whole.headers["cache-control"]
    part = await visitor.get(f"/api/v1/media/{name}", headers={"range": "bytes=1-3"})
    assert (part.status_code, part.content) == (206, b"PNG")
    assert part.headers["content-range"] == f"bytes 1-3/{len(RED)}"
    beyond = await visitor.get(f"/api/v1/media/{name}", headers={"range": "bytes=999999-"})
    assert beyond.status_code == 416
    small = await visitor.get(f"/api/v1/media/{name}/thumbnail")
    assert (small.status_code, small.headers["content-type"]) == (200, "image/webp")
    facts = await get(visitor, f"/media/{name}/facts")
    assert facts["size_bytes"] == len(RED)
    for missing in ("0" * 64, "nothing", "..%2F..%2Fetc%2Fpasswd"):
        assert (await visitor.get(f"/api/v1/media/{missing}")).status_code == 404
    tone = await bring(admin, sound())
    await get(visitor, f"/media/{tone['digest']}/thumbnail", 404)


async def test_who_may_not_write_may_not_bring_files(sign_in: SignedIn, visitor: Browser) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    await post(admin, "/tasks", {"slug": "colours", "config": CONFIG})
    assert (await bring(ada, RED, 404))["code"] == "tasks.not_found"
    assert (await bring(admin, RED))["digest"] == digest(RED)
    await post(admin, "/tasks/colours/activate", {}, 200)
    assert (await bring(visitor, RED, 401))["code"] == "request.sign_in_required"
    assert (await bring(ada, RED))["digest"] == digest(RED)
    await admin.patch("/api/v1/tasks/colours", json={"is_open_to_everyone": False})
    assert (await bring(ada, RED, 403))["code"] == "tasks.role_needed"
    private = {"url": "https://example.org/a.png"}
    assert (await post(visitor, "/tasks/colours/media/fetch", private, 401))["code"]


@pytest.mark.parametrize(
    "data",
    [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<html>", b"", b"\x89PNG\r\n\x1a\nbroken"],
)
async def test_what_is_no_picture_is_refused_in_words(sign_in: SignedIn, data: bytes) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    refused = await bring(admin, data, 422)
    assert refused["code"] == "media.refused"
    assert refused["fields"]["file"].endswith(".")


async def test_where_a_picture_was_taken_is_not_kept(sign_in: SignedIn) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    brought = await bring(admin, picture("JPEG", exif={PLACE: "At my house"}))
    kept = await admin.get(f"/api/v1/media/{brought['digest']}")
    assert b"At my house" not in kept.content
    assert digest(kept.content) == brought["digest"]


async def test_contexts_name_files_by_their_address(
    sign_in: SignedIn, web: dict[str, bytes]
) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    web |= {"https://example.org/red.png": RED, "https://example.org/blue.png": BLUE}
    scenes = [{"url": url, "alt": f"From {url}"} for url in (*web, *web)]
    assert await upload(admin, *scenes) == {"added": 2, "already_there": 2}
    found = await get(admin, "/tasks/colours/contexts")
    assert {item["content"]["scene"]["media"] for item in found["items"]} == {
        digest(RED),
        digest(BLUE),
    }
    # Fetched once, so it need not be there any more.
    web.clear()
    assert await upload(admin, *scenes) == {"added": 0, "already_there": 4}


async def test_every_wrong_file_of_many_is_told_with_its_line(
    sign_in: SignedIn, web: dict[str, bytes]
) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    await bring(admin, sound())
    web |= {
        "https://example.org/red.png": RED,
        "https://example.org/big.png": picture("PNG", size=(900, 900)) + bytes(10),
        "https://example.org/page.html": b"<html>",
        "https://example.org/one.gif": picture("GIF"),
    }
    refused = await upload(
        admin,
        {"url": "https://example.org/red.png"},
        {"url": "https://example.org/missing.png"},
        {"url": "https://example.org/page.html"},
        {"url": "https://example.org/one.gif"},
        {"url": "http://example.org/red.png"},
        {"media": "0" * 64},
        {"media": digest(sound())},
        "https://example.org/red.png",
        status=422,
    )
    assert refused["code"] == "contexts.file_invalid"
    told = {one["line"]: one["message"] for one in refused["facts"]["problems"]}
    assert set(told) == {5, 8}, "what a line says is checked before anything is fetched"
    refused = await upload(
        admin,
        {"url": "https://example.org/red.png"},
        {"url": "https://example.org/missing.png"},
        {"url": "https://example.org/page.html"},
        {"url": "https://example.org/one.gif"},
        {"media": "0" * 64},
        {"media": digest(sound())},
        status=422,
    )
    told = {one["line"]: one["message"] for one in refused["facts"]["problems"]}
    assert set(told) == {2, 3, 4, 5, 6}
    assert "answered 404" in told[2]
    assert "no picture" in told[3]
    assert "image/gif" in told[4]
    assert "upload it first" in told[5]
    assert "It is a sound" in told[6]
    assert (await get(admin, "/tasks/colours/contexts"))["items"] == []


async def test_two_hundred_addresses_do_not_hang(
    sign_in: SignedIn, web: dict[str, bytes], wiring: Wiring, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dynabench.loop.media.resolving.service import MediaResolver  # noqa: PLC0415

    admin = await sign_in("admin")
    await make_task(admin)
    web["https://example.org/red.png"] = RED
    monkeypatch.setattr(wiring.get(MediaResolver), "_seconds_for_many", 1.0)
    slow = [{"url": f"https://slow.example.org/{number}.png"} for number in range(200)]
    started = asyncio.get_running_loop().time()
    refused = await upload(admin, {"url": "https://example.org/red.png"}, *slow, status=422)
    assert asyncio.get_running_loop().time() - started < 10
    assert "in time" in refused["facts"]["problems"][0]["message"]
    assert refused["facts"]["more"] == 180


async def test_an_attempt_may_name_an_address_and_a_visitors_may_not(
    sign_in: SignedIn, visitor: Browser, web: dict[str, bytes]
) -> None:
    admin, ada = await sign_in("admin"), await sign_in("ada")
    await make_task(admin)
    web |= {"https://example.org/tone.wav": sound(), "https://example.org/red.png": RED}
    await upload(admin, {"url": "https://example.org/red.png", "alt": "Red"})
    round_id = await open_round(admin)
    lent = await post(ada, f"/rounds/{round_id}/next-context", {}, 200)
    body: Json = {
        "context_id": lent["context"]["id"],
        "inputs": {"question": "Which?", "remark": {"url": "https://example.org/tone.wav"}},
        "answer": {"colour": "red"},
    }
    refused = await post(visitor, "/tasks/colours/tries", body, 422)
    assert refused["fields"] == {"inputs.remark": "Sign in to have a file fetched from an address."}
    example = await post(ada, f"/rounds/{round_id}/examples", body)
    assert example["inputs"]["remark"] == {"media": digest(sound())}
    body["inputs"] = {"question": "Why?", "remark": {"url": "https://example.org/gone.wav"}}
    refused = await post(ada, f"/rounds/{round_id}/examples", body, 422)
    assert "answered 404" in refused["fields"]["inputs.remark"]


async def test_a_day_of_uploads_has_an_end(
    sign_in: SignedIn, monkeypatch: pytest.MonkeyPatch, transport: httpx2.ASGITransport
) -> None:
    del transport
    monkeypatch.setattr("dynabench.loop.media.service.QUOTA_BYTES", 10)
    admin, ada = await sign_in("admin"), await sign_in("ada")
    await make_task(admin)
    await bring(ada, RED)
    assert (await bring(ada, BLUE, 429))["code"] == "media.quota_spent"
    await bring(admin, BLUE)


async def test_a_file_that_is_gone_is_found_by_verifying(
    sign_in: SignedIn, wiring: Wiring, tmp_path: Path
) -> None:
    admin = await sign_in("admin")
    await make_task(admin)
    await bring(admin, RED)
    await bring(admin, BLUE)
    assert await verify(wiring) == []
    gone = digest(BLUE)
    (tmp_path / "blobs" / "sha256" / gone[:2] / gone[2:]).unlink()
    (told,) = await verify(wiring)
    assert gone in told
    assert (await admin.get(f"/api/v1/media/{gone}")).status_code == 404
