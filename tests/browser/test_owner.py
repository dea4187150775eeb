"""An owner's working day: rounds, contexts, examples and what nobody could agree on."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dynabench.loop.rounds.schemas import ValidationRule
from tests.browser.accessibility import violations
from tests.browser.conftest import OpenPage
from tests.browser.installation import EXPERT, OWNER, VALIDATORS, Installation
from tests.browser.watching import ConsoleWatch

# A moment as a field of the browser's own zone holds it.
_AS_FIELD = """(at) => new Date(at - new Date(at).getTimezoneOffset() * 60000)
  .toISOString().slice(0, 16)"""

pytestmark = pytest.mark.browser


def _confirm(page: Page, name: str) -> None:
    """Press a button whose deed is hard to undo, read what it says, and mean it."""
    page.get_by_role("button", name=name, exact=True).click()
    dialog = page.get_by_role("dialog", name=name)
    dialog.get_by_role("button", name=name, exact=True).click()
    expect(dialog).to_have_count(0)


def _choose_file(page: Page, path: Path) -> None:
    with page.expect_file_chooser() as chosen:
        page.get_by_role("button", name="Choose a file…").click()
    chosen.value.set_files(path)


def test_an_owner_drafts_opens_and_closes_a_round(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    page = open_page(f"{task.path}/owner", OWNER)
    page.get_by_role("button", name="New round").click()
    targets = page.get_by_role("group", name=re.compile("The models that annotators"))
    targets.get_by_role("checkbox", name="quick v1").check()
    page.get_by_role("button", name="Create draft").click()
    _confirm(page, "Open round 1")
    expect(page.get_by_text("Open", exact=True)).to_be_visible()
    (round_,) = product.client(OWNER).rounds.list(task.slug)
    assert round_.status.value == "open"
    _confirm(page, "Close round 1")
    expect(page.get_by_text("Closed", exact=True)).to_be_visible()
    (round_,) = product.client(OWNER).rounds.list(task.slug)
    assert round_.status.value == "closed"


def test_an_owner_sets_when_a_round_opens_and_closes(
    product: Installation, open_page: OpenPage, console: ConsoleWatch
) -> None:
    console.expect("422")
    task = product.make_task()
    page = open_page(f"{task.path}/owner", OWNER)
    page.get_by_role("button", name="Change its times").press("Enter")
    # It takes examples already, so only its closing can be moved.
    expect(page.get_by_label("Opens at")).to_have_count(0)
    page.get_by_label("Closes at").fill("2099-03-01T09:30")
    page.get_by_role("button", name="Save changes").press("Enter")
    expect(page.get_by_text("The time lies more than ten years ahead")).to_be_visible()
    assert violations(page) == []
    closing = (datetime.now(tz=UTC) + timedelta(days=2)).replace(second=0, microsecond=0)
    written = page.evaluate(_AS_FIELD, closing.timestamp() * 1000)
    page.get_by_label("Closes at").fill(written)
    page.get_by_role("button", name="Save changes").press("Enter")
    expect(page.get_by_role("button", name="Change its times")).to_be_visible()
    (round_,) = product.client(OWNER).rounds.list(task.slug)
    assert round_.schedule.closes_at == closing


def test_before_its_opening_a_round_tells_when_it_opens(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    owner, opening = product.client(OWNER), datetime.now(tz=UTC) + timedelta(days=2)
    (model,) = owner.models.list(task.slug)
    draft = owner.rounds.create(
        task.slug, target_model_ids=[model.id], schedule={"opens_at": opening}
    )
    owner.rounds.open(draft.id)
    page = open_page(f"{task.path}/create", VALIDATORS[0])
    expect(
        page.get_by_text(re.compile("Round 1 opens on .+ and takes no examples"))
    ).to_be_visible()
    assert violations(page) == []
    page.goto(task.path)
    expect(page.get_by_text("Opens", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Write examples")).to_have_count(0)


def test_an_owner_plans_a_round_with_a_control_arm_by_keyboard(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(is_open=False)
    page = open_page(f"{task.path}/owner", OWNER)
    page.get_by_role("link", name="Plan the next round").press("Enter")
    expect(page.get_by_text("Nothing is released.")).to_be_visible()
    expect(page.get_by_role("checkbox", name="quick v1")).to_be_checked()
    expect(page.get_by_role("img", name=re.compile("Rounds from left to right"))).to_be_visible()
    page.get_by_label("No model shown, in per cent").fill("20")
    page.get_by_role("button", name="Create and open").press("Enter")
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    (round_,) = product.client(OWNER).rounds.list(task.slug)
    assert round_.status.value == "open"
    assert round_.controls.no_model_share == 0.2
    assert [target.name for target in round_.targets] == ["quick"]
    # Before the first round nobody knows how many people it takes.
    assert round_.budget.examples is None


def test_an_owner_uploads_contexts_and_a_broken_line_is_named(
    product: Installation, open_page: OpenPage, console: ConsoleWatch, tmp_path: Path
) -> None:
    console.expect("422")
    task = product.make_task(prompts=(), is_open=False)
    broken = tmp_path / "broken.jsonl"
    broken.write_text(
        '{"context": {"prompt": "A quiet library"}}\n{"context": {"prompt": "A loud li\n',
        encoding="utf-8",
    )
    page = open_page(f"{task.path}/owner/contexts", OWNER)
    _choose_file(page, broken)
    problems = page.get_by_role("table", name="What is wrong in the file")
    expect(problems.get_by_role("row").last).to_contain_text("2")
    expect(page.get_by_text("so nothing was stored")).to_be_visible()
    assert list(product.client(OWNER).contexts.list(task.slug)) == []

    right = tmp_path / "right.jsonl"
    right.write_text(
        '{"context": {"prompt": "A quiet library"}, "tag": "quiet"}\n'
        '{"context": {"prompt": "A loud library"}}\n',
        encoding="utf-8",
    )
    _choose_file(page, right)
    expect(page.get_by_text("2 added, 0 were already there.")).to_be_visible()
    expect(page.get_by_text("A quiet library")).to_be_visible()
    _choose_file(page, right)
    expect(page.get_by_text("0 added, 2 were already there.")).to_be_visible()


def test_an_owner_browses_examples_and_searches_in_them(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    product.write(task, "Nothing about it was bad.", "The soup was good.")
    page = open_page(f"{task.path}/owner/examples", OWNER)
    examples = page.get_by_role("list", name="Examples, newest first")
    expect(examples.get_by_role("checkbox")).to_have_count(2)
    page.get_by_label("Search in examples and contexts").fill("soup")
    expect(examples.get_by_role("checkbox")).to_have_count(1)
    expect(examples).to_contain_text("The soup was good.")


def test_the_expert_decides_by_key_what_validators_could_not_agree_on(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(validation=ValidationRule(quorum=2, maximum=2))
    (example,) = product.write(task, "Nothing about it was bad.")
    for validator, vote in zip(VALIDATORS, ("correct", "flagged"), strict=False):
        product.client(validator).votes.next(task.open_round.id)
        product.client(validator).votes.cast(example, vote=vote)
    page = open_page(f"{task.path}/owner/examples", EXPERT)
    page.get_by_role("checkbox", name=re.compile("Nothing about it was bad")).focus()
    page.keyboard.press("x")
    page.keyboard.press("1")
    dialog = page.get_by_role("dialog", name="Decide 1 example: correct")
    expect(dialog).to_contain_text("Your decision as an expert becomes the verdict")
    dialog.get_by_role("button", name="Decide 1 example: correct").click()
    expect(page.get_by_text("1 example is decided.")).to_be_visible()
    assert product.client(OWNER).outcomes.get(example).verdict.value == "correct"


def test_who_owns_nothing_here_sees_nothing_here(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    page = open_page(f"{task.path}/owner", VALIDATORS[0])
    expect(page.get_by_text("This part is for the task's owners and experts.")).to_be_visible()
    expect(page.get_by_role("button", name="New round")).to_have_count(0)
