"""Accounts: invited, forgotten, joined to a task, given a token, administrated."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from dynabench.client.client import DynabenchClient
from tests.browser.conftest import OpenPage
from tests.browser.installation import ADMIN, OWNER, PASSWORD, Installation
from tests.browser.watching import ConsoleWatch

pytestmark = pytest.mark.browser

NEW_PASSWORD = "a battery of correct horses"


def _sign_in(page: Page, username: str, password: str) -> None:
    page.get_by_role("textbox", name="Username").fill(username)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_role("button", name="Sign in").last.click()


def _link_in(page: Page, path: str) -> str:
    """Return the address that is shown once, from its first slash on."""
    shown = page.get_by_text(re.compile(f"http.*{path}")).first
    expect(shown).to_be_visible()
    address = urlsplit(shown.inner_text().strip())
    return f"{address.path}?{address.query}" if address.query else address.path


def test_an_administrator_invites_and_the_invited_makes_an_account(
    product: Installation, open_page: OpenPage
) -> None:
    office = open_page("/admin", ADMIN)
    office.get_by_role("textbox", name="Whom it is for").fill("Noor, from the reading group")
    make = office.get_by_role("button", name="Make an invitation")
    make.press("Enter")
    link = _link_in(office, "/sign-up")

    expect(make).to_be_focused()

    username = f"noor-{product.number()}"
    page = open_page(link)
    page.get_by_role("textbox", name="Username").fill(username)
    page.get_by_role("textbox", name="Name shown to others").fill("Noor")
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    expect(page.get_by_role("button", name=f"Menu of {username}")).to_be_visible()
    office.reload()
    row = office.get_by_role("row").filter(has_text="Noor, from the reading group")
    expect(row).to_contain_text(f"Accepted by {username}")


def test_a_forgotten_password_is_set_anew_by_a_link(
    product: Installation, open_page: OpenPage
) -> None:
    username = product.make_person("forgetful")
    office = open_page(f"/admin?search={username}", ADMIN)
    office.get_by_role("button", name=f"Change {username}").click()
    dialog = office.get_by_role("dialog", name=f"Change {username}")
    dialog.get_by_role("button", name="Make a password link").click()
    link = _link_in(office, "/password-reset/")

    page = open_page(link)
    page.get_by_role("textbox", name="New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_role("status")).to_contain_text("The new password is set.")
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    _sign_in(page, username, NEW_PASSWORD)
    expect(page.get_by_role("button", name=f"Menu of {username}")).to_be_visible()


def test_a_wrong_password_is_said_and_a_field_has_the_focus(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("422")
    username = product.make_person()
    page = open_page("/sign-in")
    _sign_in(page, username, "not that one, surely")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("textbox", name="Password")).to_be_focused()


def test_a_join_link_leads_through_the_sign_in_into_the_task(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    username = product.make_person()
    made = product.client(OWNER).join_links.create(task.slug)
    page = open_page(made.path)
    page.get_by_role("main").get_by_role("link", name="Sign in").click()
    _sign_in(page, username, PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("status")).to_contain_text("You are now in the task")
    page.get_by_role("link", name="Go to the task").click()
    expect(page.get_by_role("heading", level=1, name="Mood")).to_be_visible()
    members = {one.username: one.role for one in product.client(OWNER).members.list(task.slug)}
    assert members[username] == "annotator"


def test_a_token_is_shown_once_and_works_until_it_is_revoked(
    product: Installation, open_page: OpenPage
) -> None:
    username = product.make_person()
    page = open_page(f"/users/{username}", username)
    page.get_by_role("textbox", name="Token").fill("Laptop")
    page.get_by_role("button", name="Create a token").click()
    expect(page.get_by_text("It is not shown again.")).to_be_visible()
    secret = page.get_by_role("status").get_by_role("code").inner_text().strip()
    with DynabenchClient(secret, base_url=product.address) as program:
        user = program.account.get().user
        assert user is not None
        assert user.username == username

    page.reload()
    expect(page.get_by_role("button", name="Revoke Laptop")).to_be_visible()
    expect(page.get_by_text(secret)).to_have_count(0)
    page.get_by_role("button", name="Revoke Laptop").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke Laptop").click()
    expect(page.get_by_text("You have no token.")).to_be_visible()


def test_people_change_their_own_name_and_password(
    product: Installation, open_page: OpenPage
) -> None:
    username = product.make_person()
    page = open_page(f"/users/{username}", username)
    page.get_by_role("textbox", name="Name shown to others").fill("Someone Else")
    page.get_by_role("button", name="Save the name").click()
    expect(page.get_by_role("heading", level=1, name="Someone Else")).to_be_visible()
    page.get_by_role("textbox", name="Current password").fill(PASSWORD)
    page.get_by_role("textbox", name="New password").fill(NEW_PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()
    page.goto("/sign-in")
    _sign_in(page, username, NEW_PASSWORD)
    expect(page.get_by_role("button", name=f"Menu of {username}")).to_be_visible()


def test_an_administrator_disables_an_account_and_it_is_signed_out(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("401", "403")
    username = product.make_person("rude")
    theirs = open_page("/", username)
    expect(theirs.get_by_role("button", name=f"Menu of {username}")).to_be_visible()
    office = open_page("/admin", ADMIN)
    office.get_by_role("searchbox", name="Search by name").fill(username)
    office.get_by_role("button", name=f"Change {username}").click()
    dialog = office.get_by_role("dialog", name=f"Change {username}")
    dialog.get_by_role("button", name=f"Disable {username}").click()
    expect(office.get_by_role("row").filter(has_text=username)).to_contain_text("Disabled")
    theirs.reload()
    expect(theirs.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_the_office_is_closed_to_everybody_else(open_page: OpenPage) -> None:
    page = open_page("/admin", OWNER)
    expect(page.get_by_text("This page is for administrators")).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)
