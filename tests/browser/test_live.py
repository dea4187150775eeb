"""Two people at once: what one writes, the other one's page shows without a reload."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, Installation

pytestmark = pytest.mark.browser


def test_what_one_person_writes_the_page_of_another_shows(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    page = open_page(task.path)
    now = page.get_by_role("region", name="Where it stands")
    live = page.get_by_role("region", name="Right now")
    expect(live.get_by_role("status").first).to_have_text("Live")
    page.evaluate("window.isTheSame = true")
    product.write(task, "The soup was good.", "Nothing about it was bad.")
    expect(now.get_by_text(re.compile(r"\d of 2")).first).to_be_visible()
    expect(live.get_by_role("figure", name="Error rates so far")).to_be_visible()
    assert page.evaluate("window.isTheSame"), "the page was loaded again"


def test_the_curves_read_in_both_themes_and_on_a_telephone(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    product.write(task, "The soup was good.", "Bad soup? A third plate!")
    page = open_page(f"{task.path}/rounds/1", ANNOTATOR, width=375)
    plot = page.get_by_role("figure", name="Error rates so far")
    expect(plot.locator("svg").first).to_be_visible()
    plot.get_by_text("Show the table").click()
    expect(plot.get_by_role("table")).to_be_visible()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert violations(page) == []
        assert overflow(page) == []
