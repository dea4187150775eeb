"""Every field that is filled in by hand is filled in by keyboard alone, written and judged."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.fields import CONTEXT, EVERY_FIELD_CONFIG, PASSAGE, STATEMENT
from tests.browser.installation import ANNOTATOR, OWNER, VALIDATORS, Installation, MadeTask

pytestmark = pytest.mark.browser

_MOST_TABS = 60


def _tab_to(page: Page, wanted: Locator, *, back: bool = False) -> None:
    for _ in range(_MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Shift+Tab" if back else "Tab")
    pytest.fail(f"Tab does not reach {wanted}.")


def _select(page: Page, box: Locator, words: str) -> None:
    """Select words of the statement with the arrow keys, from its beginning."""
    start = STATEMENT.index(words)
    _tab_to(page, box)
    page.keyboard.press("ControlOrMeta+Home")
    for _ in range(start):
        page.keyboard.press("ArrowRight")
    for _ in words:
        page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_text(f"Selected: “{words}”")).to_be_visible()


def _every_field(product: Installation) -> MadeTask:
    return product.make_task(config=EVERY_FIELD_CONFIG, contexts=[CONTEXT])


def _accept(page: Page) -> None:
    """Read the warning, before which nothing is shown, and go on."""
    expect(page.get_by_text("Trains are late here.")).to_be_visible()
    expect(page.get_by_text(PASSAGE)).to_have_count(0)
    page.keyboard.press("y")


def _select_the_first_word_from_right_to_left(page: Page) -> None:
    clue = page.get_by_role("textbox", name="Clue: select it in the text")
    expect(clue).to_have_attribute("dir", "rtl")
    _tab_to(page, clue)
    page.keyboard.press("ControlOrMeta+Home")
    # In a text from right to left the arrow to the left goes on.
    for _ in range(len(PASSAGE.split()[0])):
        page.keyboard.press("Shift+ArrowLeft")
    expect(page.get_by_text(f"“{PASSAGE.split()[0]}”")).to_be_visible()


def test_an_example_of_every_field_is_written_by_keyboard(
    product: Installation, open_page: OpenPage
) -> None:
    task = _every_field(product)
    page = open_page(f"{task.path}/create", ANNOTATOR)
    _accept(page)
    expect(page.get_by_text("People understand it and the model does not.")).to_be_visible()
    page.keyboard.press("1")
    expect(page.get_by_role("combobox", name="Mood")).to_have_value("positive")

    _tab_to(page, page.get_by_role("textbox", name="Statement"))
    page.keyboard.type(STATEMENT)
    _tab_to(page, page.get_by_role("checkbox", name="travel"))
    page.keyboard.press("Space")
    names = page.get_by_role("textbox", name="Names: mark in the text")
    _select(page, names, "Ada")
    page.keyboard.press("1")
    _select(page, names, "Bath")
    page.keyboard.press("2")
    marks = page.get_by_role("list", name="Marked places")
    expect(marks.get_by_role("listitem")).to_have_text([re.compile("Ada"), re.compile("Bath")])

    _select_the_first_word_from_right_to_left(page)
    _tab_to(page, page.get_by_role("spinbutton", name="How many people"))
    page.keyboard.type("1")
    _tab_to(page, page.get_by_role("radio", name="1", exact=True))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert violations(page) == []
    assert overflow(page) == []
    page.keyboard.press("ControlOrMeta+Enter")

    card = page.get_by_role("article").first
    expect(card).to_contain_text(STATEMENT)
    expect(card).to_contain_text("4 of 5")
    expect(card.get_by_role("radiogroup", name="How surprising is that?")).to_be_visible()
    expect(card.get_by_text("What misled it")).to_have_count(0)
    (example,) = product.client(ANNOTATOR).examples.list_mine(task.open_round.id)
    first = PASSAGE.split()[0]
    assert example.inputs == {
        "statement": STATEMENT,
        "topics": ["travel"],
        "names": [
            {"text": "Ada", "start": 0, "end": 3, "label": "person"},
            {"text": "Bath", "start": 12, "end": 16, "label": "place"},
        ],
        "clue": {"text": first, "start": 0, "end": len(first)},
        "count": 1,
        "clarity": 4,
    }


def test_a_validator_corrects_a_field_of_every_kind_by_keyboard(
    product: Installation, open_page: OpenPage
) -> None:
    task = _every_field(product)
    _write_one(product, task)
    page = open_page(f"{task.path}/validate", VALIDATORS[0])
    _accept(page)
    card = page.get_by_role("region", name="Is the author's answer right?")
    expect(card).to_contain_text("Ada person rode to Bath place and was awful.")
    expect(card).to_contain_text("Not applicable")
    expect(card).to_contain_text("None of these")
    page.keyboard.press("2")
    expect(page.get_by_role("radiogroup", name="Right mood")).to_be_visible()
    _assert_nothing_is_covered(page)
    page.keyboard.press("2")
    _tab_to(page, page.get_by_role("checkbox", name="None of these"))
    page.keyboard.press("Space")
    names = page.get_by_role("textbox", name="Right names: mark in the text")
    _select(page, names, "Ada")
    page.keyboard.press("1")
    _tab_to(page, page.get_by_role("spinbutton", name="Right number"))
    page.keyboard.type("2")
    _tab_to(page, page.get_by_role("radio", name="1", exact=True))
    page.keyboard.press("ArrowLeft")
    _tab_to(page, page.get_by_role("textbox", name="Remark"))
    page.keyboard.type("Bath is the bath.")
    assert violations(page) == []
    assert overflow(page) == []
    # The page moves on before the vote is stored.
    with page.expect_response("**/validations"):
        page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("Saved: incorrect.")).to_be_visible()
    (outcome,) = product.client(OWNER).outcomes.list(task.open_round.id)
    assert outcome.votes[0].metadata == {
        "right_label": "negative",
        "right_topics": [],
        "right_names": [{"text": "Ada", "start": 0, "end": 3, "label": "person"}],
        "right_count": 2,
        "right_clarity": "not_applicable",
        "remark": "Bath is the bath.",
    }


def _write_one(product: Installation, task: MadeTask) -> None:
    ana = product.client(ANNOTATOR)
    lent = ana.rounds.next_context(task.open_round.id)
    first = PASSAGE.split()[0]
    ana.examples.submit(
        task.open_round.id,
        context_id=lent.context.id,
        inputs={
            "statement": "Ada rode to Bath and was awful.",
            "topics": [],
            "names": [
                {"text": "Ada", "start": 0, "end": 3, "label": "person"},
                {"text": "Bath", "start": 12, "end": 16, "label": "place"},
            ],
            "clue": {"text": first, "start": 0, "end": len(first)},
            "count": 0,
            "clarity": "not_applicable",
        },
        answer={"label": "positive"},
    )


def _assert_nothing_is_covered(page: Page) -> None:
    """Whatever is open for details stands below what it is about, and over nothing."""
    said = page.get_by_text("The author says").bounding_box()
    form = page.locator("form").bounding_box()
    assert said is not None
    assert form is not None
    assert said["y"] + said["height"] <= form["y"]
