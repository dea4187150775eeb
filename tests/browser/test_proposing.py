"""Somebody proposes a task, an administrator sends it back, and in the end its author owns it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ADMIN, Installation
from tests.browser.tasks import mood_config

pytestmark = pytest.mark.browser


def _write(page: Page, text: str) -> None:
    """Replace the whole config, without what an editor adds while one types."""
    page.get_by_role("textbox", name="Task config, as YAML").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    expect(page.get_by_text("Nothing is wrong.")).to_be_visible()


def _propose(page: Page, slug: str) -> None:
    page.get_by_label("Short name").fill(slug)
    page.get_by_label("What is the task for?").fill("To see who hears a joke.")
    _write(page, mood_config(title="Ironie"))
    page.get_by_role("button", name="Send the proposal").click()
    expect(page.get_by_role("heading", level=1, name=f"Proposed task {slug}")).to_be_visible()


def _send_back(page: Page, slug: str) -> None:
    page.get_by_role("link", name=f"proposes the task “{slug}”").click()
    expect(page.get_by_role("heading", level=1, name=f"Proposed task {slug}")).to_be_visible()
    expect(page.get_by_role("region", name="Preview").get_by_text("Ironie")).to_be_visible()
    assert violations(page) == []
    page.get_by_label("A word to the author").fill("The title is in German.")
    page.get_by_role("button", name="Ask for changes").click()
    expect(page.get_by_role("list", name="What was said")).to_contain_text("in German")


def _revise(page: Page, slug: str) -> None:
    page.goto("/notifications")
    page.get_by_role("link", name=f"asks for changes of your proposed task “{slug}”").click()
    expect(page.get_by_role("list", name="What was said")).to_contain_text("in German")
    page.get_by_label("What has changed?").fill("It is in English now.")
    _write(page, mood_config(title="Irony"))
    page.get_by_role("button", name="Send as revision 2").click()
    expect(page.get_by_role("list", name="What was said")).to_contain_text("in English now")


def test_a_task_is_proposed_sent_back_revised_and_accepted(
    product: Installation, open_page: OpenPage
) -> None:
    author_name, slug = product.make_person("author"), f"irony-{product.number()}"
    author, office = open_page("/propose", author_name), open_page("/", ADMIN)
    _propose(author, slug)
    office.goto("/notifications")
    expect(office.get_by_role("link", name="unread")).to_be_visible()
    _send_back(office, slug)
    _revise(author, slug)

    office.goto("/notifications")
    office.get_by_role("link", name=f"has revised the proposed task “{slug}”").click()
    expect(office.get_by_text("It is in English now.")).to_be_visible()
    office.get_by_role("button", name="Accept").click()
    dialog = office.get_by_role("dialog", name="Accept")
    expect(dialog).to_contain_text(f"the draft task “{slug}”, which {author_name} owns")
    dialog.get_by_role("button", name="Accept").click()
    expect(office.get_by_text("Accepted").first).to_be_visible()

    author.goto("/notifications")
    author.get_by_role("link", name=f"has accepted your task “{slug}”").click()
    expect(author.get_by_role("heading", level=1, name="Irony: config")).to_be_visible()
    task = product.client(author_name).tasks.get(slug)
    assert (task.status, task.my_role) == ("draft", "owner")


def test_on_a_telephone_nothing_hangs_over(product: Installation, open_page: OpenPage) -> None:
    author = product.make_person("author")
    proposed = product.client(author).proposals.create(
        f"irony-{product.number()}", mood_config(title="Irony"), reason="word" * 60
    )
    page = open_page(f"/proposals/{proposed.id}", author, width=375)
    expect(page.get_by_role("textbox", name="Task config, as YAML")).to_be_visible()
    assert overflow(page) == []
    page.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog").get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("Withdrawn").first).to_be_visible()
