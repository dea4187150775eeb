"""The gallery's task about pictures: a question is asked in it, and its answer judged."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.gallery import add_from_gallery
from tests.browser.installation import ANNOTATOR, VALIDATORS, Installation

pytestmark = pytest.mark.browser

_DESCRIBED = re.compile("Coloured shapes on a .* ground")
# Nothing that a model learns of four forms and six colours.
QUESTION = "How many corners has a hexagon?"


def test_a_question_is_asked_about_a_picture_and_the_answer_is_judged(
    product: Installation, open_page: OpenPage
) -> None:
    task = add_from_gallery(product, "visual-questions")
    page = open_page(f"{task.path}/create", ANNOTATOR)
    enlarge = page.get_by_role("button", name=_DESCRIBED)
    assert enlarge.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
    enlarge.click()
    shown = page.get_by_role("dialog").get_by_role("img", name=_DESCRIBED)
    assert shown.evaluate("image => image.decode().then(() => image.naturalWidth)") == 320
    page.keyboard.press("Escape")
    page.get_by_role("textbox", name="Question").fill(QUESTION)
    page.get_by_role("textbox", name="Right answer").fill("seventeen")
    assert violations(page) == []
    assert overflow(page) == []
    page.get_by_role("button", name=re.compile("^Submit")).click()
    latest = page.get_by_role("article").first
    expect(latest).to_contain_text(re.compile("You fooled"))
    expect(latest).to_contain_text("seventeen")

    judge = open_page(f"{task.path}/validate", VALIDATORS[0])
    expect(judge.get_by_text(QUESTION)).to_be_visible()
    expect(judge.get_by_role("button", name=_DESCRIBED)).to_be_visible()
    assert violations(judge) == []
    assert overflow(judge) == []
    judge.get_by_role("button", name=re.compile("^Incorrect")).click()
    judge.get_by_role("textbox", name="What is the right answer?").fill("6")
    judge.get_by_role("button", name=re.compile("^Save")).click()
    expect(judge.get_by_text("Saved: incorrect.")).to_be_visible()
