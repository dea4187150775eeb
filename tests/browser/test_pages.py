"""Every page, loading, empty, failed and full, in both themes, held before axe and a telephone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessibility import overflow, violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import ANNOTATOR, BLIND, OWNER, VALIDATORS, Installation
from tests.browser.pages import PAGES, PageCase
from tests.browser.tasks import WARNING, mood_config
from tests.browser.watching import ConsoleWatch
from tests.browser.wire import HeldCalls, Wire, answer

pytestmark = pytest.mark.browser

_TEXTS = (
    "The soup was good.",
    "Nothing about it was bad.",
    "It was never awful, not once.",
    "A sentence that goes on " + "and on " * 40 + "and was lovely.",
    "Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle" * 2,
)
_CASES = pytest.mark.parametrize("case", PAGES, ids=lambda case: case.name)

Prepare = Callable[[Page], None]


@pytest.fixture(scope="session")
def names(product: Installation) -> dict[str, str]:
    """The tasks and people that the addresses name."""
    full = product.make_task(title="A full task")
    examples = product.write(full, *_TEXTS)
    voter = product.client(VALIDATORS[1])
    voter.votes.next(full.open_round.id)
    voter.votes.cast(examples[1], vote="incorrect", metadata={"corrected_label": "negative"})
    owner = product.client(OWNER)
    owner.outcomes.decide(full.open_round.id, [examples[2]], vote="correct")
    owner.join_links.create(full.slug)
    _leave_a_job(product)
    product.client(ANNOTATOR).tokens.create("A program of mine")
    product.client("ada-admin").invitations.create(note="Somebody who writes well")
    proposed = product.client(ANNOTATOR).proposals.create(
        "irony", mood_config(title="Irony"), reason="To see who hears a joke."
    )
    blind = product.make_task(title="A blind task", validation=BLIND)
    product.write(blind, *_TEXTS[1:3])
    return {
        "full": full.slug,
        "model": str(full.model_id),
        "blind": blind.slug,
        "bare": product.make_task(title="A bare task", is_open=False, prompts=()).slug,
        "dry": product.make_task(title="A dry task", prompts=()).slug,
        "harsh": product.make_task(title="A harsh task", warning=WARNING).slug,
        "guest": product.make_person(),
        "proposal": str(proposed.id),
    }


def _leave_a_job(product: Installation) -> None:
    """Ask for a release; no worker runs here, so the job waits in the administrator's list."""
    task = product.make_task(title="A closed task")
    product.write(task, *_TEXTS[1:3])
    owner = product.client(OWNER)
    owner.rounds.close(task.open_round.id)
    owner.releases.create(task.open_round.id, allow_incomplete=True)


def _look(page: Page, case: PageCase, names: dict[str, str], *, empty: bool = False) -> None:
    path = case.empty_path if empty and case.empty_path else case.path
    page.goto(path.format(**names))


def _reader(case: PageCase, names: dict[str, str], *, empty: bool = False) -> str | None:
    reader = case.empty_reader if empty and case.empty_reader != "" else case.reader
    return None if reader is None else reader.format(**names)


def _settled(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Loading…")).to_have_count(0)


def _assert_usable(page: Page) -> None:
    assert violations(page) == []
    assert overflow(page) == []


def _assert_fits_in_spanish(page: Page) -> None:
    """Look again in the language whose words are longer."""
    page.evaluate("() => localStorage.setItem('dynabench-language', 'es')")
    page.reload()
    expect(page.get_by_text("Saltar al contenido")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_text("Cargando…")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert overflow(page) == []


@_CASES
def test_the_full_page_is_accessible(
    case: PageCase, names: dict[str, str], open_page: OpenPage
) -> None:
    page = open_page("about:blank", _reader(case, names))
    _look(page, case, names)
    _settled(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    _assert_usable(page)
    _assert_fits_in_spanish(page)


@_CASES
def test_the_empty_page_says_what_to_do_and_is_accessible(
    case: PageCase, names: dict[str, str], open_page: OpenPage, console: ConsoleWatch, wire: Wire
) -> None:
    # No context to write about is an answer of the server with this status.
    console.expect("404")
    page = open_page("about:blank", _reader(case, names, empty=True))
    answer(wire, page, case.empty)
    _look(page, case, names, empty=True)
    _settled(page)
    expect(page.get_by_role("alert")).to_have_count(0)
    _assert_usable(page)


@_CASES
def test_the_page_is_accessible_while_it_loads_and_says_why_it_failed(
    case: PageCase, names: dict[str, str], open_page: OpenPage, console: ConsoleWatch, wire: Wire
) -> None:
    console.expect("403")
    page = open_page("about:blank", _reader(case, names))
    calls = HeldCalls(wire, page, session_too=case.asks_session_only)
    _look(page, case, names)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    if not case.asks_nothing:
        expect(page.get_by_text("Loading…").first).to_be_attached()
    _assert_usable(page)

    calls.refuse()
    if not case.asks_nothing:
        alert = page.get_by_role("alert").first
        expect(alert).to_contain_text("This was refused")
        expect(alert.get_by_role("button", name=re.compile("Try again"))).to_be_visible()
        _assert_usable(page)
