"""An owner trains the next model with the keyboard alone, and finds it on the board."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from playwright.sync_api import Locator, Page, expect

from dynabench.app.wiring import wire
from dynabench.kit.clock import SystemClock
from dynabench.kit.settings import Settings
from dynabench.loop.datasets.values import DatasetItem, Split
from dynabench.loop.tasks.service import TaskService
from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import OWNER, Installation
from tests.browser.model_files import run_jobs
from tests.browser.tasks import lessons
from tests.factories.datasets import make_dataset, make_item

pytestmark = pytest.mark.browser

_JOBS = ("training.", "evaluations.", "leaderboards.")
_MOST_KEYS = 60


def test_an_owner_trains_a_model_by_keyboard_and_finds_it_on_the_board(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="A task to train for", is_open=False)
    product.run(_add_lessons(product.settings, task.slug))
    page = open_page(f"{task.path}/owner/training", OWNER)
    start = page.get_by_role("button", name="Start training")
    expect(page.get_by_text("72 examples would be learned from")).to_be_visible()

    expect(page.get_by_text("Use the starter data")).to_have_count(0)
    _go_to(page, page.get_by_label("Name of the model"))
    page.keyboard.type("learner")
    _go_to(page, page.get_by_role("radio", name="Text classifier"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Most frequent answer")).to_be_checked()
    page.keyboard.press("ArrowUp")
    lesson_set = page.get_by_role("checkbox", name="Lessons, version 1")
    _go_to(page, lesson_set)
    page.keyboard.press("Space")
    expect(page.get_by_text("Nothing is chosen to learn from")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Space")
    _go_to(page, page.get_by_role("textbox", name="Weight of Lessons, version 1"))
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("144 from Lessons (72 items × 2)")).to_be_visible()
    _go_to(page, start)
    with page.expect_request(f"**/tasks/{task.slug}/trainings/*/live"):
        page.keyboard.press("Enter")
    row = page.get_by_role("listitem").filter(has_text="Training of learner")
    expect(row.get_by_text("Waiting")).to_be_visible()
    log = row.get_by_role("button", name="Log")
    _go_to(page, log)
    page.keyboard.press("Enter")
    expect(log).to_have_attribute("aria-expanded", "true")

    run_jobs(product, of=_JOBS)
    expect(row.get_by_text("Done")).to_be_visible()
    expect(row.get_by_text("Learns from Lessons")).to_be_visible()
    assert violations(page) == []
    assert overflow(page) == []
    link = row.get_by_role("link", name="To the model")
    _go_to(page, link, key="Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/models/*")
    expect(page.get_by_text("Lessons").first).to_be_visible()
    page.goto(f"{task.path}/leaderboard")
    expect(page.get_by_role("row", name="learner")).to_be_visible()


def _go_to(page: Page, wanted: Locator, *, key: str = "Tab") -> None:
    """Press a key until the focus is where it is wanted."""
    for _ in range(_MOST_KEYS):
        if wanted.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press(key)
    pytest.fail(f"{wanted} is not reached with {key}")


async def _add_lessons(settings: Settings, slug: str) -> None:
    wiring = wire(settings)
    try:
        task = await wiring.get(TaskService).get(slug)
        await make_dataset(wiring.db, task, list(_items()), name="Lessons", clock=SystemClock())
    finally:
        await wiring.close()


def _items() -> Iterable[DatasetItem]:
    """Yield what the targets learn from as train items, and some of it again to be scored on."""
    for number, lesson in enumerate(lessons()):
        for split in (Split.TRAIN, Split.TEST):
            yield replace(
                make_item(2 * number + (split is Split.TEST), split=split),
                context=lesson.context,
                inputs=lesson.inputs,
                gold=lesson.answer,
            )
