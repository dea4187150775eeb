"""Validators vote by keys, take a vote back, and leave what they cannot agree on to the expert."""

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from dynabench.loop.rounds.schemas import ValidationRule
from tests.browser.conftest import OpenPage
from tests.browser.installation import BLIND, EXPERT, OWNER, VALIDATORS, Installation
from tests.browser.watching import ConsoleWatch
from tests.browser.wire import LostCalls, Wire

pytestmark = pytest.mark.browser

# The target takes each for negative, so with the label "positive" it is fooled.
FOOLING = (
    "Nothing about it was bad.",
    "It was never awful, not once.",
    "There is no poor seat in this house.",
)


def _votes_of(product: Installation, round_id: UUID) -> dict[str, list[str]]:
    """Return who voted what on each text, without withdrawn votes."""
    found = product.client(OWNER).outcomes.list(round_id)
    return {
        str(item.example.inputs["statement"]): [
            vote.vote.value for vote in item.votes if vote.withdrawn_at is None
        ]
        for item in found
    }


def _shown_text(page: Page, *, after: str = "") -> str:
    """Return which of the texts is to be judged, once another one has left."""
    if after:
        expect(page.get_by_text(after)).to_have_count(0)
    card = page.get_by_role("region", name=re.compile("Is the author|What is your answer"))
    expect(card).to_be_visible()
    text = card.inner_text()
    return next(one for one in FOOLING if one in text)


def test_a_validator_reviews_by_keys_and_takes_a_vote_back(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    product.write(task, *FOOLING)
    page = open_page(f"{task.path}/validate", VALIDATORS[0])
    first = _shown_text(page)
    page.keyboard.press("1")
    expect(page.get_by_text("Saved: correct.")).to_be_visible()
    second = _shown_text(page, after=first)
    page.keyboard.press("u")
    expect(page.get_by_text("Undone.")).to_be_visible()
    assert _shown_text(page, after=second) == first
    assert _votes_of(product, task.open_round.id)[first] == []

    page.keyboard.press("2")
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="negative")).to_be_checked()
    page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("Saved: incorrect.")).to_be_visible()

    third = _shown_text(page, after=first)
    page.keyboard.press("3")
    expect(page.get_by_role("textbox", name="What is wrong with this example?")).to_be_focused()
    page.keyboard.type("It names no meal.")
    # The page moves on before the vote is stored.
    with page.expect_response("**/validations"):
        page.keyboard.press("ControlOrMeta+Enter")
    expect(page.get_by_text("Saved: flagged.")).to_be_visible()
    votes = _votes_of(product, task.open_round.id)
    assert votes[first] == ["incorrect"]
    assert votes[third] == ["flagged"]


def test_nobody_sees_the_models_or_others_votes_before_their_own(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task()
    (example,) = product.write(task, FOOLING[0])
    product.client(VALIDATORS[1]).votes.next(task.open_round.id)
    product.client(VALIDATORS[1]).votes.cast(example, vote="correct")
    page = open_page(f"{task.path}/validate", VALIDATORS[0])
    card = page.get_by_role("region", name="Is the author's answer right?")
    expect(card).to_contain_text("positive")
    expect(card).not_to_contain_text("negative")
    expect(card).not_to_contain_text(VALIDATORS[1])


def test_in_blind_mode_the_validator_answers_the_task_itself(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(validation=BLIND)
    product.write(task, *FOOLING[:2])
    page = open_page(f"{task.path}/validate", VALIDATORS[0])
    first = _shown_text(page)
    card = page.get_by_role("region", name="What is your answer?")
    expect(card).not_to_contain_text("The author says")
    page.keyboard.press("1")
    expect(page.get_by_text("Your answer is saved.")).to_be_visible()
    second = _shown_text(page, after=first)
    with page.expect_response("**/validations"):
        page.keyboard.press("2")
    expect(page.get_by_text("That was everything for now.")).to_be_visible()
    expect(page.get_by_text("If you undo it, others judge this example.")).to_be_visible()
    with page.expect_response("**/validations/*"):
        page.keyboard.press("u")
    expect(page.get_by_text("1 judged by you")).to_be_visible()
    # Who has seen the answer stored would otherwise try the next one.
    expect(page.get_by_text("That was everything for now.")).to_be_visible()
    votes = _votes_of(product, task.open_round.id)
    assert votes == {first: ["correct"], second: []}


def test_what_validators_cannot_agree_on_goes_to_the_expert(
    product: Installation, open_page: OpenPage
) -> None:
    task = product.make_task(validation=ValidationRule(quorum=2, maximum=2))
    product.write(task, FOOLING[0])
    for validator, key in zip(VALIDATORS, ("1", "3"), strict=False):
        page = open_page(f"{task.path}/validate", validator)
        _shown_text(page)
        # The page moves on before the vote is stored.
        with page.expect_response("**/validations"):
            page.keyboard.press(key)
            if key == "3":
                page.keyboard.press("ControlOrMeta+Enter")
        expect(page.get_by_text(re.compile("^Saved: "))).to_be_visible()
        expect(page.get_by_text("That was everything for now.")).to_be_visible()
    (disputed,) = product.client(OWNER).outcomes.list(task.open_round.id)
    assert disputed.verdict.value == "disputed"
    page = open_page(f"{task.path}/validate", EXPERT)
    expect(page.get_by_text("Nothing waits for you right now.")).to_be_visible()


def test_a_vote_that_was_not_saved_says_so_and_is_sent_again(
    product: Installation, open_page: OpenPage, console: ConsoleWatch, wire: Wire
) -> None:
    console.expect("ERR_FAILED")
    task = product.make_task()
    product.write(task, FOOLING[0])
    page = open_page("about:blank", VALIDATORS[0])
    votes = LostCalls(wire, page, "/validations")
    page.goto(f"{task.path}/validate")
    text = _shown_text(page)
    page.keyboard.press("1")
    expect(page.get_by_text("A vote was not saved")).to_be_visible()
    votes.are_lost = False
    with page.expect_response("**/validations"):
        page.get_by_role("button", name="Send it again").click()
    expect(page.get_by_text("A vote was not saved")).to_have_count(0)
    expect(page.get_by_text("That was everything for now.")).to_be_visible()
    assert _votes_of(product, task.open_round.id)[text] == ["correct"]
