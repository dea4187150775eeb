"""Models by page: handed in, rejected with the reason, published, looked into and compared."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import Installation, MadeTask
from tests.browser.model_files import add_datasets, broken_zip, handler_zip, run_jobs
from tests.browser.watching import ConsoleWatch
from tests.browser.wire import LostCalls, Wire

pytestmark = pytest.mark.browser

_CARD = {
    "Intended use": "To test the pages that show models.",
    "Training data": "None: it counts words.",
    "Limitations": "It knows **three** words.",
    "Licence": "Apache-2.0",
}


def _hand_in(page: Page, task: MadeTask, *, name: str, files: Path) -> None:
    page.goto(f"{task.path}/submit")
    page.get_by_label(re.compile("^Name")).fill(name)
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Choose a file…").click()
    chosen.value.set_files(files)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1, name=f"{name} v1")).to_be_visible()


def _assert_usable(page: Page) -> None:
    assert violations(page) == []
    assert overflow(page) == []


def test_a_model_is_handed_in_published_looked_into_and_compared(
    product: Installation, open_page: OpenPage, console: ConsoleWatch, tmp_path: Path
) -> None:
    console.expect("403")
    task = product.make_task()
    add_datasets(product, task)
    builder = product.make_person("builder")
    page = open_page(task.path, builder)
    page.get_by_role("link", name="Submit a model").click()
    expect(page.get_by_text(re.compile("You may submit 10 more models today"))).to_be_visible()
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    _assert_usable(page)

    _hand_in(page, task, name="words", files=handler_zip(tmp_path))
    expect(page.get_by_text(re.compile("Waiting for its check"))).to_be_visible()
    _assert_usable(page)
    run_jobs(product)
    expect(page.get_by_text("It passed the checks.")).to_be_visible()
    results = page.get_by_role("table", name=re.compile("Every dataset of the task"))
    expect(results.get_by_role("link", name="Counted v1")).to_be_visible()
    expect(results.get_by_role("row").nth(1)).to_contain_text("Done")

    _publish(page)
    _look_into_errors(page)
    _assert_usable(page)
    _compare(page, product, task, tmp_path)


def _publish(page: Page) -> None:
    expect(page.get_by_role("button", name="Publish")).to_be_disabled()
    page.get_by_role("button", name="Write the card").click()
    for label, text in _CARD.items():
        page.get_by_label(re.compile(f"^{label}")).fill(text)
    _assert_usable(page)
    page.get_by_role("button", name="Save the card").click()
    expect(page.get_by_text("It knows three words.")).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Everybody sees this model, its card and its scores.")).to_be_visible()


def _look_into_errors(page: Page) -> None:
    """Gold is kept back on the set that counts, and shown on the open one; all by keyboard."""
    page.get_by_role("link", name="Counted v1").click()
    expect(page.get_by_text(re.compile("The gold of these items is kept back"))).to_be_visible()
    page.get_by_role("radio", name="Wrong").focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Which of these items are right is kept back.")).to_be_visible()
    page.get_by_role("link", name="Open v1").focus()
    page.keyboard.press("Enter")
    items = page.get_by_role("list", name="Items with the model’s answers")
    expect(items.get_by_role("listitem").first).to_be_visible()
    page.get_by_role("radio", name="Wrong").focus()
    page.keyboard.press("Space")
    rows = items.locator(":scope > li")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("not good")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Answers, item by item").click()
    page.keyboard.press("j")
    expect(rows.first).to_be_focused()
    expect(rows.first).to_contain_text("Gold")
    page.get_by_label("Tag", exact=True).select_option("film")
    expect(rows).to_have_count(1)


def _compare(page: Page, product: Installation, task: MadeTask, folder: Path) -> None:
    rival = handler_zip(folder, friendly=("good",))
    _hand_in(page, task, name="rival", files=rival)
    run_jobs(product)
    expect(page.get_by_text("It passed the checks.")).to_be_visible()
    page.get_by_role("link", name="Compare with another").click()
    page.get_by_label("Second model").select_option("words v1")
    told = page.get_by_role("status").filter(has_text="points")
    expect(told).to_contain_text("words v1")
    expect(page.get_by_text(re.compile("exact McNemar test"))).to_be_visible()
    page.get_by_role("link", name="Open v1").click()
    differing = page.get_by_role("list", name="Items with both answers")
    expect(differing.locator(":scope > li")).to_have_count(6)
    _assert_usable(page)


def test_a_rejected_model_says_what_is_wrong_and_with_what_log(
    product: Installation, open_page: OpenPage, tmp_path: Path
) -> None:
    task = product.make_task()
    page = open_page("about:blank", product.make_person("builder"))
    _hand_in(page, task, name="broken", files=broken_zip(tmp_path))
    run_jobs(product)
    expect(page.get_by_text(re.compile("It did not pass the checks"))).to_be_visible()
    problems = page.get_by_role("table", name="What the checks found")
    expect(problems).to_contain_text("maybe")
    expect(problems).to_contain_text("label")
    page.get_by_role("button", name="Show the log of the check").click()
    expect(page.locator("pre", has_text="inputs")).to_be_visible()
    _assert_usable(page)
    page.goto(f"{task.path}/submit")
    expect(page.get_by_role("table", name=re.compile("What you have"))).to_contain_text("Rejected")


def test_answers_of_a_model_elsewhere_are_handed_in_as_files(
    product: Installation, open_page: OpenPage, console: ConsoleWatch, tmp_path: Path
) -> None:
    console.expect("422")
    task = product.make_task()
    add_datasets(product, task)
    page = open_page(f"{task.path}/submit", product.make_person("builder"))
    page.get_by_label(re.compile("^Name")).fill("elsewhere")
    page.get_by_role("radio", name=re.compile("^Files of predictions")).check()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="elsewhere v1")).to_be_visible()
    awaited = page.get_by_role("listitem").filter(has_text="Open v1")
    expect(awaited).to_contain_text("Awaited: 18 items to answer.")
    with page.expect_download() as kept:
        awaited.get_by_role("link", name="Download the items of Open v1").click()
    items = kept.value.path().read_text(encoding="utf-8").splitlines()
    answers = [{"uid": json.loads(item)["uid"], "label": "positive"} for item in items]
    _send(page, awaited, tmp_path / "wrong.jsonl", [*answers[1:], {"uid": "x", "label": "good"}])
    problems = awaited.get_by_role("table", name=re.compile("What is wrong in the file"))
    expect(problems).to_contain_text("18")
    _assert_usable(page)
    _send(page, awaited, tmp_path / "right.jsonl", answers)
    expect(awaited).to_contain_text("Its file is here.")
    run_jobs(product)
    results = page.get_by_role("table", name=re.compile("Every dataset of the task"))
    expect(results.get_by_role("link", name="Open v1")).to_be_visible()
    expect(results.get_by_role("row").filter(has_text="Counted")).to_contain_text("Needs its file")
    _assert_usable(page)


def _send(page: Page, place: Locator, file: Path, answers: list[dict[str, str]]) -> None:
    file.write_text("\n".join(map(json.dumps, answers)), encoding="utf-8")
    with page.expect_file_chooser() as chosen:
        place.get_by_role("button", name=re.compile("Choose")).click()
    chosen.value.set_files(file)


def test_an_upload_can_be_stopped_and_a_visitor_is_asked_to_sign_in(
    product: Installation, open_page: OpenPage, wire: Wire, tmp_path: Path
) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/submit")
    expect(page.get_by_text("Sign in to submit a model.")).to_be_visible()
    _assert_usable(page)
    page = open_page("about:blank", product.make_person("builder"))
    uploads = LostCalls(wire, page, "/artifact", lose=lambda _: None)
    page.goto(f"{task.path}/submit")
    page.get_by_label(re.compile("^Name")).fill("slow")
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Choose a file…").click()
    chosen.value.set_files(handler_zip(tmp_path))
    page.get_by_role("button", name="Submit", exact=True).click()
    page.get_by_role("button", name="Stop sending").click()
    expect(page.get_by_text(re.compile("You stopped sending"))).to_be_visible()
    _assert_usable(page)
    uploads.are_lost = False
    page.get_by_role("button", name="Send words.zip again").click()
    expect(page.get_by_role("heading", level=1, name="slow v1")).to_be_visible()
