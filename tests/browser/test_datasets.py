"""Datasets in the owner's console: brought, corrected, looked over and varied by keyboard."""

import json
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from dynabench.engines.row_files.values import RowFormat
from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, OWNER, Installation
from tests.browser.model_files import run_jobs
from tests.browser.tasks import mood_config

pytestmark = pytest.mark.browser

_JOBS = ("datasets.import", "datasets.perturb", "datasets.archive")
_CONFIG = mood_config() + "delta_metrics: [{type: robustness, transforms: [contractions]}]\n"


def _file(folder: Path, name: str, labels: Sequence[str]) -> Path:
    """Write items that a contraction changes, one with each of the labels."""
    path = folder / name
    rows = [
        {
            "prompt": f"A meal on day {number}",
            "statement": f"It is not good on day {number}.",
            "label": label,
            "split": "test",
            "tags": ["food"],
        }
        for number, label in enumerate(labels)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def _press(page: Page, name: str) -> None:
    """Press a button as somebody without a mouse does."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def _choose(page: Page, button: str, path: Path) -> None:
    with page.expect_file_chooser() as chosen:
        _press(page, button)
    chosen.value.set_files(path)


def _hold_to_the_standard(page: Page) -> None:
    assert violations(page) == []
    assert overflow(page) == []


def test_an_owner_brings_a_dataset_and_looks_at_its_variants_by_keyboard(
    product: Installation, open_page: OpenPage, tmp_path: Path
) -> None:
    task = product.make_task(config=_CONFIG, is_open=False)
    page = open_page(f"{task.path}/owner/datasets", OWNER)
    upload = page.get_by_role("region", name="Upload a dataset")
    _choose(page, "Choose a file…", _file(tmp_path, "days.jsonl", ["negative", "maybe"]))
    _press(page, "Upload")
    expect(upload.get_by_role("status").filter(has_text="Storing")).to_be_visible()
    run_jobs(product, of=_JOBS)
    problems = page.get_by_role("table", name="What is wrong in the file")
    expect(problems.get_by_role("row").last).to_contain_text("It must be one of")
    expect(problems.get_by_role("row").last).to_contain_text("label")
    _hold_to_the_standard(page)

    right = _file(tmp_path, "right.jsonl", ["negative", "positive", "negative"])
    _choose(page, "Choose another file…", right)
    page.get_by_label("Name", exact=False).first.fill("Days")
    page.keyboard.press("Enter")
    expect(upload.get_by_role("status").filter(has_text="Storing")).to_be_visible()
    run_jobs(product, of=_JOBS)
    expect(page.get_by_text("Days v1 is stored with 3 items (test: 3 items).")).to_be_visible()

    page.get_by_role("link", name="Days v1").focus()
    page.keyboard.press("Enter")
    items = page.get_by_role("list", name="Items of test")
    expect(items.get_by_role("listitem")).to_have_count(3)
    expect(items).to_contain_text("Right answer: negative")
    made = page.get_by_role("region", name="Days (robustness) v1")
    expect(made).to_contain_text("100 %, 3 of 3")
    chooser = made.get_by_label("Show what a transform made")
    chooser.focus()
    page.keyboard.press("c")
    variants = made.get_by_role("list", name="Variants of contractions")
    expect(variants.locator("mark").first).to_contain_text("is not")
    expect(variants).to_contain_text("isn't")
    _hold_to_the_standard(page)


def test_an_owner_hides_a_dataset_and_it_is_gone_for_others(
    product: Installation, open_page: OpenPage, tmp_path: Path
) -> None:
    task = product.make_task(is_open=False)
    owner = product.client(OWNER)
    file = _file(tmp_path, "days.jsonl", ["negative"])
    page = open_page(f"{task.path}/owner/datasets", OWNER)
    _choose(page, "Choose a file…", file)
    _press(page, "Upload")
    expect(page.get_by_role("status").filter(has_text="Storing")).to_be_visible()
    run_jobs(product, of=_JOBS)
    page.get_by_role("link", name="days v1").click()
    settings = page.get_by_role("region", name="Settings")
    settings.get_by_label("Who sees what").select_option("hidden")
    settings.get_by_role("button", name="Save settings").click()
    expect(settings.get_by_text("Saved.")).to_be_visible()
    assert product.client(ANNOTATOR).datasets.list(task.slug) == []
    (kept,) = owner.datasets.list(task.slug)
    assert kept.access.value == "hidden"


def test_a_visitor_takes_a_dataset_home_and_an_owner_opens_its_answers(
    product: Installation, open_page: OpenPage, tmp_path: Path
) -> None:
    task = product.make_task(is_open=False)
    client = product.client(OWNER)
    file = _file(tmp_path, "days.jsonl", ["negative", "positive"])
    sent = client.datasets.send_file(task.slug, file)
    client.datasets.create(
        task.slug, sent, name="Days", licence="CC-BY-4.0", row_format=RowFormat.JSONL
    )
    run_jobs(product, of=_JOBS)
    page = open_page(task.path, None)
    page.get_by_role("link", name="Days v1").click()
    page.get_by_text("What is inside: 5 files").click()
    _hold_to_the_standard(page)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download (zip").click()
    assert downloading.value.suggested_filename == f"{task.slug}-days-v1.zip"
    with ZipFile(downloading.value.path()) as archive:
        assert '"gold":null' in archive.read("data/test.jsonl").decode()

    page = open_page(page.url, OWNER)
    _press(page, "Open the test answers")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Nothing takes this back.")
    _hold_to_the_standard(page)
    dialog.get_by_role("button", name="Open the test answers").click()
    expect(page.get_by_text("less trustworthy")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="being made")).to_be_visible()
    run_jobs(product, of=_JOBS)
    expect(page.get_by_role("link", name="Download (zip")).to_be_visible()
