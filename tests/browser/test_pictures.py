"""Pictures on the pages: brought, seen small and large, written about, judged."""

import json
from pathlib import Path
from uuid import UUID

import pytest
from playwright.sync_api import FilePayload, expect

from dynabench.app.wiring import wire
from dynabench.engines.storage.folder import FolderBlobStore
from dynabench.loop.models.service import ModelService
from dynabench.loop.models.values import Submission
from dynabench.loop.rounds.schemas import ValidationRule
from dynabench.loop.tasks.service import TaskService
from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ADMIN, ANNOTATOR, VALIDATORS, Installation
from tests.browser.watching import ConsoleWatch
from tests.factories.media import picture, sound

pytestmark = pytest.mark.browser

CONFIG = """\
title: Colours
context:
  - {name: scene, type: image}
  - {name: speech, type: audio}
input:
  - {name: question, type: string}
  - {name: detail, type: image, max_bytes: 100000, media_types: [image/png]}
  - {name: colour, type: multiclass, labels: [red, blue]}
output:
  - {name: colour}
model_wrong_metric: {type: exact_match, reference_names: [colour]}
perf_metric: {type: accuracy, reference_name: colour}
"""
# Looks at the middle of the picture that was brought, and so has to have been sent it.
TARGET = """\
import base64, io
from PIL import Image

def predict(batch):
    return [{"colour": colour(item["detail"])} for item in batch]

def colour(detail):
    image = Image.open(io.BytesIO(base64.b64decode(detail["data"]))).convert("RGB")
    red, _, blue = image.getpixel((image.width - 2, image.height // 2))
    return "red" if red > blue else "blue"
"""


async def _add_task(product: Installation, slug: str, folder: Path) -> UUID:
    files = FolderBlobStore(product.settings.blobs_folder).put_folder(folder)
    wiring = wire(product.settings)
    try:
        task = await wiring.get(TaskService).ensure(slug, CONFIG)
        submission = Submission(name="eye", digest=files, source={})
        async with wiring.db.transaction() as session:
            model = await wiring.get(ModelService).register_handler(session, submission, task=task)
        return UUID(str(model.id))
    finally:
        await wiring.close()


def _make_task(product: Installation, tmp_path: Path) -> str:
    slug = f"colours-{product.number()}"
    folder = tmp_path / "target"
    folder.mkdir()
    (folder / "model.py").write_text(TARGET, encoding="utf-8")
    model_id = product.run(_add_task(product, slug, folder))
    (tmp_path / "field.png").write_bytes(picture(size=(900, 600), colour=(30, 160, 60)))
    (tmp_path / "tone.wav").write_bytes(sound())
    context = {
        "scene": {"file": "field.png", "alt": "A green field beside a dark one"},
        "speech": {"file": "tone.wav"},
    }
    lines = tmp_path / "contexts.jsonl"
    lines.write_text(json.dumps({"context": context}), encoding="utf-8")
    owner = product.client(ADMIN)
    owner.contexts.upload(slug, lines)
    rule = ValidationRule(quorum=2, maximum=3)
    round_ = owner.rounds.create(slug, target_model_ids=[model_id], validation=rule)
    owner.rounds.open(round_.id)
    return f"/tasks/{slug}"


def test_a_picture_is_brought_written_about_and_judged(
    product: Installation, open_page: OpenPage, console: ConsoleWatch, tmp_path: Path
) -> None:
    path = _make_task(product, tmp_path)
    page = open_page(f"{path}/create", ANNOTATOR)
    scene = page.get_by_role(
        "button", name="A green field beside a dark one: show the picture large"
    )
    expect(scene).to_be_visible()
    expect(page.get_by_label("Speech").and_(page.locator("audio"))).to_be_visible()
    assert violations(page) == []
    assert overflow(page) == []

    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose a picture").press("Enter")
    # The browser says in its console that the server refused.
    console.expect("status of 422")
    wrong = FilePayload(name="page.png", mimeType="image/png", buffer=b"<html>")
    choosing.value.set_files(wrong)
    expect(page.get_by_text("The file is no picture")).to_be_visible()
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Choose a picture").press("Enter")
    red = FilePayload(name="red.png", mimeType="image/png", buffer=picture())
    choosing.value.set_files(red)
    alt = page.get_by_role("textbox", name="What the picture shows")
    expect(alt).to_be_focused()
    page.keyboard.type("Half of it is red")
    page.get_by_role("textbox", name="Question").fill("Which colour is the right half?")
    page.get_by_role("radio", name="blue").check()
    small = page.get_by_role("button", name="Half of it is red: show the picture large")
    expect(small.locator("img")).to_have_js_property("naturalWidth", 60)
    assert violations(page) == []
    assert overflow(page) == []
    small.press("Enter")
    dialog = page.get_by_role("dialog", name="Half of it is red")
    expect(dialog.get_by_role("img", name="Half of it is red")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(small).to_be_focused()

    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("You fooled it.", exact=True)).to_be_visible()

    judge = open_page(f"{path}/validate", VALIDATORS[0])
    expect(
        judge.get_by_role("button", name="Half of it is red: show the picture large")
    ).to_be_visible()
    assert violations(judge) == []
    assert overflow(judge) == []
