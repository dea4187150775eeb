"""Each text task of the gallery: an example is written in it, and judged."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.gallery import add_from_gallery
from tests.browser.installation import ANNOTATOR, VALIDATORS, Installation

pytestmark = pytest.mark.browser

_FOOLED = re.compile("You fooled")


def _send(page: Page) -> Locator:
    """Submit what is written; the target is wrong about it."""
    page.get_by_role("button", name=re.compile("^Submit")).click()
    latest = page.get_by_role("article").first
    expect(latest).to_contain_text(_FOOLED)
    return latest


def _vote_correct(page: Page, text: str) -> None:
    """Judge the one example that waits."""
    expect(page.get_by_text(text).first).to_be_visible()
    assert violations(page) == []
    assert overflow(page) == []
    page.get_by_role("button", name=re.compile("^Correct")).click()


def test_an_attacked_group_is_marked_and_the_marks_are_judged(
    product: Installation, open_page: OpenPage
) -> None:
    task = add_from_gallery(product, "hate-targets")
    text = "I wish Lowlanders well, but somewhere else."
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("button", name="Show it").click()
    page.get_by_role("textbox", name="Statement", exact=True).fill(text)
    box = page.get_by_role("textbox", name=re.compile("^Who is attacked"))
    box.focus()
    page.keyboard.press("ControlOrMeta+Home")
    for _ in "I wish ":
        page.keyboard.press("ArrowRight")
    for _ in "Lowlanders":
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_text("“Lowlanders”")).to_be_visible()
    page.keyboard.press("1")
    marks = page.get_by_role("list", name="Marked places")
    expect(marks.get_by_role("listitem")).to_contain_text("“Lowlanders” people")
    assert violations(page) == []
    assert overflow(page) == []
    _send(page)

    judge = open_page(f"{task.path}/validate", VALIDATORS[0])
    judge.get_by_role("button", name="Show it").click()
    _vote_correct(judge, "Lowlanders")
    expect(judge.get_by_text("Saved: correct.")).to_be_visible()


def test_sentiment_is_written_and_judged_from_right_to_left(
    product: Installation, open_page: OpenPage
) -> None:
    task = add_from_gallery(product, "sentiment-arabic")
    text = "لم يكن الطعام سيئا أبدا."
    page = open_page(f"{task.path}/create", ANNOTATOR)
    field = page.get_by_role("textbox", name=re.compile("Statement|الجملة"))
    expect(field).to_have_attribute("dir", "rtl")
    expect(field).to_have_attribute("lang", "ar")
    field.fill(text)
    page.get_by_role("combobox").first.select_option("إيجابي")
    assert violations(page) == []
    assert overflow(page) == []
    _send(page)

    judge = open_page(f"{task.path}/validate", VALIDATORS[0])
    shown = judge.get_by_text(text).first
    assert shown.evaluate("element => getComputedStyle(element).direction") == "rtl"
    _vote_correct(judge, text)
    expect(judge.get_by_text("Saved: correct.")).to_be_visible()


def test_a_translation_is_written_and_rated(product: Installation, open_page: OpenPage) -> None:
    task = add_from_gallery(product, "translation-spanish")
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("textbox", name="English sentence").fill("The train leaves us cold.")
    answer = page.get_by_role("textbox", name="Spanish translation")
    expect(answer).to_have_attribute("lang", "es")
    answer.fill("Este viaje no nos dice nada.")
    assert violations(page) == []
    assert overflow(page) == []
    latest = _send(page)
    expect(latest).to_contain_text("tren")

    judge = open_page(f"{task.path}/validate", VALIDATORS[0])
    _vote_correct(judge, "Este viaje no nos dice nada.")
    judge.get_by_role("radio", name="4").check()
    judge.get_by_role("button", name=re.compile("^Save")).click()
    expect(judge.get_by_text("Saved: correct.")).to_be_visible()
