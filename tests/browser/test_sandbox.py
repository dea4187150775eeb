"""A visitor plays without an account, and is warned before anything is shown."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, Installation
from tests.browser.tasks import PROMPTS, WARNING
from tests.browser.watching import ConsoleWatch

pytestmark = pytest.mark.browser


def test_a_visitor_plays_from_the_first_page_and_nothing_is_kept(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="Played by visitors")
    page = open_page("/")
    card = page.get_by_role("article").filter(has_text="Played by visitors")
    card.get_by_role("button", name="Try to fool it").press("Enter")
    box = card.get_by_role("form", name="Try to fool it")
    field = box.get_by_role("textbox", name="Statement")
    field.press_sequentially("Never was a soup less awful.")
    page.keyboard.press("Enter")
    expect(box.get_by_role("status")).to_contain_text(re.compile("You fooled it|got it right"))
    expect(field).to_be_focused()
    expect(field).to_have_value("Never was a soup less awful.")
    assert product.client("olive").rounds.error_rate(task.open_round.id).collected == 0


def test_a_visitor_may_write_the_context_too(product: Installation, open_page: OpenPage) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/create")
    expect(page.get_by_text("nothing you write is kept")).to_be_visible()
    page.get_by_role("button", name="Write my own prompt").click()
    page.get_by_role("textbox", name="Prompt").fill("A very quiet concert")
    page.get_by_role("textbox", name="Statement").fill("Every song was lovely.")
    page.get_by_role("button", name="Try it").click()
    expect(page.get_by_role("status").filter(has_text="Model")).to_contain_text("positive")


def test_a_sentence_that_is_too_short_is_named_beside_its_field(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("422")
    task = product.make_task()
    page = open_page(f"{task.path}/create")
    field = page.get_by_role("textbox", name="Statement")
    field.fill("Hm")
    field.press("Enter")
    expect(field).to_have_accessible_description(re.compile("3"))
    expect(field).to_have_value("Hm")


def test_the_warning_comes_before_the_content_and_one_key_leaves(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="Harsh", warning=WARNING)
    page = open_page(f"{task.path}/create", ANNOTATOR)
    expect(page.get_by_role("region", name="Before you look")).to_contain_text(WARNING)
    for prompt in PROMPTS:
        expect(page.get_by_text(prompt)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1, name="Tasks")).to_be_visible()

    page.go_back()
    warning = page.get_by_role("region", name="Before you look")
    expect(warning).to_be_visible()
    page.keyboard.press("y")
    field = page.get_by_role("textbox", name="Statement")
    field.press_sequentially("Left in the middle of")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", level=1, name="Tasks")).to_be_visible()

    page.go_back()
    expect(warning).to_be_visible()
    page.keyboard.press("y")
    expect(field).to_have_value("Left in the middle of")


def test_a_warning_is_remembered_where_that_was_asked_for(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(title="Harsh", warning=WARNING)
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("checkbox", name="Do not ask me again").check()
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("textbox", name="Statement")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Statement")).to_be_visible()
    expect(page.get_by_role("region", name="Before you look")).to_have_count(0)
