"""An owner releases a round: looks at the plan, waits for verdicts, settles them, has a dataset."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import OWNER, Installation
from tests.browser.model_files import run_jobs

pytestmark = pytest.mark.browser

_JOBS = ("datasets.release",)


def _open_dialog(page: Page) -> Locator:
    page.get_by_role("button", name="Release round 1…").click()
    dialog = page.get_by_role("dialog", name="Release round 1")
    expect(dialog.get_by_role("row", name="train")).to_be_visible()
    return dialog


def test_an_owner_waits_for_verdicts_then_settles_them_and_has_a_dataset(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="A task to release")
    product.write(task, "It was dreadful.", "It was a delight.", label="negative")
    product.client(OWNER).rounds.close(task.open_round.id)
    page = open_page(f"{task.path}/rounds/1", OWNER)

    dialog = _open_dialog(page)
    expect(dialog.get_by_text("Fewer than ten verified fooling examples")).to_be_visible()
    verdicts = dialog.get_by_label("without a verdict")
    assert violations(page) == []
    assert overflow(page) == []
    dialog.get_by_role("button", name="Release it", exact=True).click()
    expect(dialog).to_have_count(0)
    run_jobs(product, of=_JOBS)
    expect(page.get_by_text("will be released when 1 open verdict is in")).to_be_visible()
    assert violations(page) == []

    dialog = _open_dialog(page)
    verdicts.select_option("Release now; they go into train, marked as not verified")
    dialog.get_by_role("button", name="Release it", exact=True).click()
    expect(dialog.get_by_text("Tick this to release it as it is")).to_be_visible()
    dialog.get_by_label("Release it all the same").check()
    dialog.get_by_role("button", name="Release it", exact=True).click()
    expect(dialog).to_have_count(0)
    run_jobs(product, of=_JOBS)
    expect(page.get_by_text("Released", exact=True).first).to_be_visible()
    expect(page.get_by_text("will be released when")).to_have_count(0)
    page.get_by_role("link", name="See the dataset").click()
    page.wait_for_url("**/datasets/*")
