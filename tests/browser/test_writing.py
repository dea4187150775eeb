"""An annotator writes examples, and the hands never leave the keyboard."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, PASSWORD, Installation
from tests.browser.watching import ConsoleWatch

pytestmark = pytest.mark.browser

TRIES = (
    "The soup was good.",
    "Bad soup? A third plate!",
    "Not one awful minute.",
    "No cruel kitchen here.",
    "I would walk in cold rain.",
)


def _tab_to(page: Page, role: str, name: str, *, most: int = 40) -> None:
    """Press Tab until a control has the focus, as somebody without a mouse does."""
    # The roles are Playwright's own literals; here they come as plain words.
    wanted = page.get_by_role(role, name=name)  # type: ignore[arg-type]
    for _ in range(most):
        if wanted.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach the {role} “{name}”.")


def test_an_annotator_writes_five_examples_in_a_row_by_keyboard_only(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    page = open_page(f"/sign-in?next={task.path}/create")
    _tab_to(page, "textbox", "Username")
    page.keyboard.type(ANNOTATOR)
    _tab_to(page, "textbox", "Password")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    field = page.get_by_role("textbox", name="Statement")
    expect(field).to_be_visible()
    page.keyboard.press("w")
    expect(field).to_be_focused()
    for number, text in enumerate(TRIES, start=1):
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        said = page.get_by_role("status").filter(
            has_text=re.compile(r"^The model said (positive|negative)\. (You fooled|The model got)")
        )
        expect(said).to_have_count(1)
        expect(field).to_be_focused()
        expect(field).to_have_value(text)
        tries = page.get_by_role("region", name="Your tries on this context")
        expect(tries.get_by_role("article")).to_have_count(number)
        expect(tries.get_by_role("article").first).to_contain_text(text)
    expect(page.get_by_text(re.compile(r"^5 tries · \d fooled · 0 confirmed$"))).to_be_visible()


def test_the_goal_and_the_context_are_changed_without_leaving_the_field(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    field = page.get_by_role("textbox", name="Statement")
    field.focus()
    page.keyboard.press("Alt+2")
    expect(page.get_by_role("combobox", name="Mood")).to_have_value("negative")
    context = page.get_by_role("region", name="Context", exact=True)
    before = context.inner_text()
    page.keyboard.type("Half a thought")
    page.keyboard.press("Alt+n")
    expect(context).not_to_have_text(before, use_inner_text=True)
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_what_was_typed_survives_a_reload(product: Installation, open_page: OpenPage) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("textbox", name="Statement").fill("Written before the power went")
    page.keyboard.press("Alt+2")
    context = page.get_by_role("region", name="Context", exact=True)
    prompt = context.inner_text()
    page.reload()
    expect(page.get_by_role("textbox", name="Statement")).to_have_value(
        "Written before the power went"
    )
    expect(page.get_by_role("combobox", name="Mood")).to_have_value("negative")
    expect(context).to_have_text(prompt, use_inner_text=True)


def test_an_example_is_explained_retracted_and_flagged_by_keyboard(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("textbox", name="Statement").fill("The bread was kind to us.")
    page.keyboard.press("Enter")
    latest = page.get_by_role("article").first
    explanation = latest.get_by_role("textbox", name="Why is your label right?")
    explanation.focus()
    page.keyboard.type("Kind is a friendly word.")
    page.keyboard.press("Tab")
    expect(latest.get_by_role("status").filter(has_text="Saved.")).to_be_visible()

    _tab_to(page, "button", "Flag")
    page.keyboard.press("Enter")
    flagging = page.get_by_role("dialog", name="What is wrong?")
    expect(flagging.get_by_role("textbox")).to_be_focused()
    page.keyboard.type("The prompt names no bread.")
    _tab_to_in_dialog(page, "Flag")
    expect(latest).to_contain_text("You flagged it: The prompt names no bread.")

    _tab_to(page, "button", "Retract")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Retract")).to_contain_text("cannot be undone")
    _tab_to_in_dialog(page, "Retract")
    expect(latest).to_contain_text("Retracted.")
    page.reload()
    expect(page.get_by_role("article").first).to_contain_text("Retracted.")


def _tab_to_in_dialog(page: Page, name: str) -> None:
    button = page.get_by_role("dialog").get_by_role("button", name=name, exact=True)
    for _ in range(10):
        if button.evaluate("element => element === document.activeElement"):
            page.keyboard.press("Enter")
            expect(page.get_by_role("dialog")).to_have_count(0)
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach “{name}” in the dialog.")


def test_a_copy_of_ones_own_try_is_refused_and_nothing_is_lost(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("409")
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    field = page.get_by_role("textbox", name="Statement")
    field.fill("The soup was good.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_have_count(1)
    field.fill("the SOUP was good")
    page.keyboard.press("Enter")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Nothing was lost")
    expect(alert).to_contain_text("The soup was good.")
    expect(field).to_have_value("the SOUP was good")
    expect(page.get_by_role("article")).to_have_count(1)


def test_a_signed_out_annotator_keeps_the_draft_and_comes_back_to_it(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("401")
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    field = page.get_by_role("textbox", name="Statement")
    field.fill("The night train was warm.")
    page.context.clear_cookies()
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("You are signed out.")
    page.get_by_role("link", name="Sign in and come back").click()
    page.get_by_role("textbox", name="Username").fill(ANNOTATOR)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Statement")).to_have_value("The night train was warm.")


def test_a_round_that_closes_meanwhile_leaves_the_draft_to_be_read(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("409")
    task = product.make_task()
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("textbox", name="Statement").fill("Too late by a minute.")
    product.client("olive").rounds.close(task.open_round.id)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was lost")
    page.reload()
    expect(page.get_by_text("No round is open")).to_be_visible()
    expect(page.get_by_text("Too late by a minute.")).to_be_visible()


def test_every_context_is_done_at_last(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("404")
    task = product.make_task(prompts=("Only this one",))
    page = open_page(f"{task.path}/create", ANNOTATOR)
    page.get_by_role("textbox", name="Statement").fill("The last song was lovely.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article")).to_have_count(1)
    page.get_by_role("button", name="New context").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("textbox", name="Statement")).to_have_value("The last song was lovely.")
